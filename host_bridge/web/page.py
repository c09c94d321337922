"""One page's connection: what it is told, and how it ends."""

from __future__ import annotations

from enum import IntEnum
from typing import Any, NamedTuple

import anyio
from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from host_bridge.web.outgoing import Outgoing

FLUSH_SECONDS = 1.0
CLOSE_SECONDS = 3.0
MAX_CLOSE_REASON = 123
"""Bytes that a close frame has for its reason."""


class CloseCode(IntEnum):
    """Why the bridge closes a connection; ``README.md`` says what a page does then."""

    NOT_TEXT = 4400
    TOKEN_REFUSED = 4401
    TAKEN_OVER = 4409
    TOO_MANY_WAIT = 4429
    SIDECAR_ENDED = 4500
    SIDECAR_GIVEN_UP = 4503


class Ending(NamedTuple):
    """How a connection is closed."""

    code: CloseCode
    reason: str


NOT_TEXT = Ending(CloseCode.NOT_TEXT, "a frame is text: one JSON-RPC message")


class Page:
    """A page that was let in. ``driving``: it is the Host; ``in_session``: it has initialized the sidecar as such."""

    def __init__(self, socket: ServerConnection) -> None:
        self.outgoing = Outgoing()
        self.driving = False
        self.in_session = False
        self.ousted = anyio.Event()
        self._socket = socket

    def tell(self, method: str, params: dict[str, Any]) -> None:
        """Queue a notification of the bridge."""
        self.outgoing.put({"jsonrpc": "2.0", "method": f"bridge.{method}", "params": params})

    async def read(self) -> str | Ending | None:
        """The next frame, once there is room for answers; an Ending where it is no text, None once the page is gone."""
        await self.outgoing.room()
        try:
            frame = await self._socket.recv()
        except ConnectionClosed:
            return None
        return frame if isinstance(frame, str) else NOT_TEXT

    async def send_all(self) -> None:
        """Send what is queued until the page is gone."""
        try:
            await self.outgoing.send_all(self._socket.send)
        except ConnectionClosed:
            self.outgoing.close()

    async def gone(self) -> None:
        """Wait until the connection is closed, by whomever."""
        await self._socket.wait_closed()

    async def end(self, ending: Ending) -> None:
        """Send what is queued and close, within a few seconds whatever the page does."""
        with anyio.move_on_after(FLUSH_SECONDS):
            await self.outgoing.drained()
        with anyio.move_on_after(CLOSE_SECONDS):
            await self._socket.close(ending.code, shorten(ending.reason))
            return
        self._socket.transport.abort()


def shorten(reason: str) -> str:
    """The reason, cut to what a close frame holds."""
    return reason.encode()[:MAX_CLOSE_REASON].decode(errors="ignore")
