"""The sidecar's life as its page sees it: started when a page needs it, its end told with its reason."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Literal

import anyio

from host_bridge.errors import ConnectionLostError, HostError
from host_bridge.web.page import CloseCode, Ending, Page
from host_bridge.web.restarts import Restarts, TooOftenError
from host_bridge.web.shared_sidecar import SharedSidecar

STDERR_CHARACTERS = 4_000

State = Literal["starting", "running", "ended", "given_up"]


@dataclass(frozen=True)
class SidecarNews:
    """What a page is told as ``bridge.sidecar``."""

    state: State
    restarts: int
    exit_code: int | None = None
    stderr_tail: str = ""
    retry_after_ms: int | None = None


class Lifeline:
    """Keeps one sidecar alive for whichever page drives. ``report`` prints a line for whoever started the server."""

    def __init__(self, sidecar: SharedSidecar, report: Callable[[str], None]) -> None:
        self._state: State = "starting"
        self._sidecar = sidecar
        self._report = report
        self._restarts = Restarts()
        self._lock = anyio.Lock()
        self._exit_code: int | None = None

    @property
    def state(self) -> State:
        """How the sidecar is now, whether or not a page has heard of it."""
        if self._sidecar.alive or self._lock.locked() or self._state == "given_up":
            return self._state
        return "ended"

    @property
    def restarts(self) -> int:
        """How often it was started again."""
        return self._restarts.count

    async def begin(self) -> None:
        """Wait until the sidecar, just started, answers. Raises HostError with what it wrote to stderr."""
        try:
            await self._sidecar.request("ping", {})
        except ConnectionLostError as lost:
            raise HostError(f"the sidecar cannot start: {lost}") from lost
        self._state = "running"

    async def ensure(self, page: Page) -> Ending | None:
        """Have the sidecar run and tell the page; how its connection ends where that cannot be."""
        async with self._lock:
            if not self._sidecar.alive:
                try:
                    await self._start_again(page)
                except TooOftenError as often:
                    return self._give_up(page, often)
                except (ConnectionLostError, TimeoutError) as lost:
                    await self._put_down()
                    return self._mourn(page, f"the sidecar cannot start: {lost}")
            self._state = "running"
        self._tell(page)
        return None

    async def ended(self, page: Page) -> Ending:
        """Wait for the sidecar's end and tell the page; how its connection ends."""
        self._exit_code = await self._sidecar.ended()
        return self._mourn(page, f"the sidecar ended with exit code {self._exit_code}")

    async def _start_again(self, page: Page) -> None:
        delay = self._restarts.delay(anyio.current_time())
        self._state = "starting"
        self._tell(page)
        await anyio.sleep(delay)
        self._restarts.note(anyio.current_time())
        self._report("the sidecar is started again")
        with anyio.CancelScope(shield=True):
            await self._sidecar.start()
        await self._sidecar.request("ping", {})

    async def _put_down(self) -> None:
        if self._sidecar.alive:
            await self._sidecar.kill()
        self._exit_code = await self._sidecar.ended()

    def _mourn(self, page: Page, reason: str) -> Ending:
        self._state = "ended"
        self._tell(page, exit_code=self._exit_code, stderr_tail=self._sidecar.stderr_tail[-STDERR_CHARACTERS:])
        self._report(reason)
        return Ending(CloseCode.SIDECAR_ENDED, f"{reason.splitlines()[0]}: connect again to start it")

    def _give_up(self, page: Page, often: TooOftenError) -> Ending:
        self._state = "given_up"
        self._tell(
            page,
            exit_code=self._exit_code,
            stderr_tail=self._sidecar.stderr_tail[-STDERR_CHARACTERS:],
            retry_after_ms=round(often.retry_after * 1000),
        )
        self._report(str(often))
        return Ending(CloseCode.SIDECAR_GIVEN_UP, f"{often}: try again in {often.retry_after:.0f} s")

    def _tell(self, page: Page, **more: Any) -> None:
        page.tell("sidecar", asdict(SidecarNews(self._state, self.restarts, **more)))
