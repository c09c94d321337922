"""Lines from standard input as they come, without blocking the rest: a terminal, a pipe or a file."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Sequence

import anyio
import anyio.from_thread
import anyio.lowlevel

CHUNK = 64 * 1024


class LineReader:
    """Reads in a thread of its own, which holds up nothing at the end of the program."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._lines: deque[str | None] = deque()
        self._token = anyio.lowlevel.current_token()
        self._come = anyio.Event()
        threading.Thread(target=self._read, daemon=True, name="stdin").start()

    async def available(self) -> None:
        """Wait until a line, or the end, is there to be taken."""
        while not self._lines:
            await self._come.wait()

    async def next(self) -> str | None:
        """The next line without its end, or None at the end of input."""
        await self.available()
        return None if self._lines[0] is None else self._lines.popleft()

    def _read(self) -> None:
        held = b""
        while chunk := self._read_chunk():
            *whole, held = (held + chunk).split(b"\n")
            if not self._hand_over([one.decode(errors="replace").rstrip("\r") for one in whole]):
                return
        self._hand_over([*([held.decode(errors="replace")] if held else []), None])

    def _read_chunk(self) -> bytes:
        try:
            return os.read(self._descriptor, CHUNK)
        except OSError:
            return b""

    def _hand_over(self, lines: Sequence[str | None]) -> bool:
        try:
            anyio.from_thread.run_sync(self._take, lines, token=self._token)
        except RuntimeError:
            return False  # the program has ended
        return True

    def _take(self, lines: Sequence[str | None]) -> None:
        self._lines.extend(lines)
        self._come.set()
        self._come = anyio.Event()
