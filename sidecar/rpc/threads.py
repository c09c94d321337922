"""Serving stdio where a pipe can be neither waited for nor written to in part (Windows): two threads do it.

One reads, a little ahead of the loop; the other writes what the loop hands over, and tells how far it is. A round trip
costs about 0.1 ms more than on a descriptor that the loop itself waits for.
"""

from __future__ import annotations

import asyncio
import os
import queue
import signal
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import anyio

from sidecar.rpc.connection import Connection
from sidecar.rpc.serve import SIGNALLED_DRAIN_S, Server
from sidecar.rpc.signals import SIGNALS
from sidecar.rpc.stdio import HELD_BYTES, Output, read_chunk
from sidecar.rpc.watch import end_soon

_CHUNKS_AHEAD: Final = 16
"""How many reads of 64 KiB wait for a loop that is busy; then the thread reads no more, and the Host must wait."""


class ThreadServer(Server):
    """The server, with threads between it and its descriptors."""

    def _open_output(self) -> Output:
        self._writing = ThreadOutput(self._claimed.stdout, self._wake_writer)
        return self._writing

    def _watch_for_end(self) -> None:
        self._reading = Reading(self._claimed.stdin)

    async def _take_while_room(self, host: Connection) -> None:
        self._take(host, await self._reading.next_chunk())

    async def _wait_writable(self) -> None:
        await self._writing.wait_until_less()

    async def _obey_signals(self) -> None:
        loop = asyncio.get_running_loop()
        for number in SIGNALS:  # Windows' loop takes no handlers; a signal wakes it all the same
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(self.exit, 0, SIGNALLED_DRAIN_S))
        await anyio.sleep_forever()


class Reading:
    """A thread that reads a descriptor to its end, and ends the process some seconds after that.

    The end is seen however busy the loop is, unless more than is read ahead still lies before it.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._loop = asyncio.get_running_loop()
        self._room = threading.Semaphore(_CHUNKS_AHEAD)
        self._chunks: deque[bytes] = deque()
        self._arrived = anyio.Event()
        threading.Thread(target=self._read, daemon=True, name="stdin").start()

    async def next_chunk(self) -> bytes:
        """Wait for what was read next; empty at the end of input."""
        while not self._chunks:
            self._arrived = anyio.Event()
            await self._arrived.wait()
        self._room.release()
        return self._chunks.popleft()

    def _read(self) -> None:
        while data := read_chunk(self._descriptor):
            self._room.acquire()
            self._hand_over(data)
        self._hand_over(b"")
        end_soon()

    def _hand_over(self, data: bytes) -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody hears any more
            self._loop.call_soon_threadsafe(self._take, data)

    def _take(self, data: bytes) -> None:
        self._chunks.append(data)
        self._arrived.set()


class ThreadOutput(Output):
    """A queue in front of a descriptor that a thread writes to, one batch after another.

    What the thread was handed counts as queued until it is written.
    """

    def __init__(self, descriptor: int, wants_writing: Callable[[], None]) -> None:
        super().__init__(descriptor, wants_writing)
        self._loop = asyncio.get_running_loop()
        self._batches: queue.SimpleQueue[memoryview | None] = queue.SimpleQueue()
        self._is_busy = False
        self._less = anyio.Event()
        threading.Thread(target=self._work, daemon=True, name="stdout").start()

    def close(self) -> None:
        """Let the thread end."""
        self._batches.put(None)

    def flush(self) -> bool:
        """Hand over what waits if the thread is free; whether nothing is left to be written."""
        if self._queue and not self._is_busy:
            self._is_busy = True
            self._batches.put(self._next_batch())
        return not self._queued

    async def wait_until_less(self) -> None:
        """Wait until the thread has written something of what is queued."""
        self._less = anyio.Event()
        await self._less.wait()

    # -- on the loop's thread
    def _set_blocking(self, blocking: bool) -> None:
        """Leave it as it is: a thread may wait."""

    def _next_batch(self) -> memoryview:
        if self._queued > HELD_BYTES:
            return self._queue.popleft()
        joined = memoryview(b"".join(self._queue))
        self._queue.clear()
        return joined

    def _note(self, written: int, is_all: bool) -> None:
        self._queued -= written
        if is_all:
            self._is_busy = False
            self.flush()
        self._less.set()

    def _lose(self) -> None:
        self._gone = True
        self._queue.clear()
        self._queued = 0
        self._less.set()

    # -- on the thread
    def _work(self) -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            while (batch := self._batches.get()) is not None:
                self._write_all(batch)

    def _write_all(self, batch: memoryview) -> None:
        while batch:
            try:
                written = os.write(self._descriptor, batch[:HELD_BYTES])
            except OSError:
                self._loop.call_soon_threadsafe(self._lose)
                return
            batch = batch[written:]
            self._loop.call_soon_threadsafe(self._note, written, not batch)
