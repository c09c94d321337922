"""What waits to be sent to a page: bounded, in order, and gone with the page."""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

import anyio

from rpc_schema.json_text import write_json
from rpc_schema.limits import MIB

HIGH_WATER = 1 * MIB
"""Bytes past which nothing more is asked of the sidecar. What one read brings comes on top."""


class Outgoing:
    """Frames on their way to one page."""

    def __init__(self) -> None:
        self._frames: deque[str] = deque()
        self._size = 0
        self._closed = False
        self._changed = anyio.Event()

    @property
    def size(self) -> int:
        """How many bytes wait."""
        return self._size

    @property
    def full(self) -> bool:
        """Whether what waits is over the bound."""
        return self._size > HIGH_WATER

    def put(self, message: Any) -> None:
        """Queue a message; for a page that is gone it is nothing."""
        if self._closed:
            return
        frame = write_json(message).decode("ascii")
        self._frames.append(frame)
        self._size += len(frame)
        self._wake()

    async def room(self) -> None:
        """Wait until what waits is within the bound."""
        while self.full:
            await self._changed.wait()

    async def drained(self) -> None:
        """Wait until everything was sent, or never will be."""
        while self._frames:
            await self._changed.wait()

    async def send_all(self, send: Callable[[str], Awaitable[None]]) -> None:
        """Send frame by frame until cancelled; a frame counts until it was taken."""
        while True:
            while self._frames:
                frame = self._frames[0]
                await send(frame)
                if self._closed:
                    return
                self._frames.popleft()
                self._size -= len(frame)
                self._wake()
            await self._changed.wait()

    def close(self) -> None:
        """Forget what waits, and whatever is still put."""
        self._closed = True
        self._frames.clear()
        self._size = 0
        self._wake()

    def _wake(self) -> None:
        self._changed.set()
        self._changed = anyio.Event()
