"""Who drives: one page at a time, since the protocol knows one Host."""

from __future__ import annotations

import anyio

from host_bridge.web.page import Page

HANDOVER_SECONDS = 1.0
"""How long a page waits for the one before it to go: a reload opens its connection before the old one is closed."""


class Seat:
    """Holds the page that drives."""

    def __init__(self) -> None:
        self.driver: Page | None = None
        self.waiting = 0
        self._changed = anyio.Event()

    async def take(self, page: Page) -> bool:
        """Let the page drive if nobody does, or nobody soon; whether it does."""
        with anyio.move_on_after(HANDOVER_SECONDS):
            while self.driver is not None:
                await self._changed.wait()
        if self.driver is None:
            self._seat(page)
        return page.driving

    def take_over(self, page: Page) -> None:
        """Let the page drive, whoever did."""
        if self.driver is not None and self.driver is not page:
            self.driver.driving = False
            self.driver.outgoing.close()
            self.driver.ousted.set()
        self._seat(page)

    def leave(self, page: Page) -> None:
        """The page drives no more; what is queued for it may still be sent."""
        page.driving = False
        if self.driver is page:
            self._seat(None)

    async def room(self) -> None:
        """Wait until the page that drives, if one does, can take more."""
        while (page := self.driver) is not None and page.outgoing.full:
            await page.outgoing.room()

    def _seat(self, page: Page | None) -> None:
        self.driver = page
        if page is not None:
            page.driving = True
        self._changed.set()
        self._changed = anyio.Event()
