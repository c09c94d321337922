"""The process's own stdin and stdout, claimed for the protocol alone (PROTOCOL 1.1).

fd 0 and fd 1 are duplicated to private descriptors; fd 0 then reads nothing and fd 1 is stderr, so that neither a
print, a library nor a child can eat a request or disturb an answer.
"""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

_CHUNK = 64 * 1024  # what a pipe holds; more is taken from the system anew, page by page, for each read
HELD_BYTES = 64 * 1024
"""How much is gathered, or written at once."""
_STDERR = 2


@dataclass(frozen=True, slots=True)
class Claimed:
    """The private descriptors of the protocol, and the process that started this one, as it was then."""

    stdin: int
    stdout: int
    parent_pid: int


def claim() -> Claimed:
    """Take stdin and stdout away from everybody else."""
    _open_what_is_closed()
    sys.stdout.flush()
    stdin, stdout = os.dup(0), os.dup(1)
    for descriptor in (stdin, stdout):
        os.set_inheritable(descriptor, False)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return Claimed(stdin, stdout, os.getppid())


def _open_what_is_closed() -> None:
    """Put nothing where a standard stream is closed, before the store or a log gets its number."""
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= _STDERR:
        os.set_inheritable(descriptor, True)
    os.close(descriptor)
    sys.stdout = sys.stdout or os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = sys.stderr or os.fdopen(_STDERR, "w", encoding="utf-8", closefd=False)


class Output:
    """A queue in front of a descriptor that never blocks the loop.

    ``wants_writing`` is called where the peer does not take all at once: somebody must go on with :meth:`flush`. A peer
    that has gone away takes nothing more: what is queued is dropped, since nobody can read it.
    """

    def __init__(self, descriptor: int, wants_writing: Callable[[], None]) -> None:
        self._descriptor = descriptor
        self._set_blocking(False)
        self._wants_writing = wants_writing
        self._queue: deque[memoryview] = deque()
        self._queued = 0
        self._held = False
        self._gone = False

    @property
    def queued_bytes(self) -> int:
        """What was written and not taken yet."""
        return self._queued

    def write(self, data: bytes) -> None:
        """Queue bytes; as much as the peer takes at once is written at once, unless it is held."""
        if self._gone:
            return
        due = self._queued > HELD_BYTES if self._held else not self._queue
        self._queue.append(memoryview(data))
        self._queued += len(data)
        if due and not self.flush():
            self._wants_writing()

    def hold(self) -> None:
        """Gather what is written from now on, a little of it, so that it leaves at once: each write wakes the peer."""
        self._held = True

    def release(self) -> None:
        """Write what was gathered."""
        self._held = False
        if self._queue and not self.flush():
            self._wants_writing()

    def close(self) -> None:
        """Leave the descriptor as it was found: others may share its open file."""
        self._set_blocking(True)

    def flush(self) -> bool:
        """Write what the peer takes now; whether nothing is left."""
        while self._queue:
            if len(self._queue) > 1 and self._queued <= HELD_BYTES:
                joined = memoryview(b"".join(self._queue))
                self._queue.clear()
                self._queue.append(joined)
            try:
                taken = os.write(self._descriptor, self._queue[0])
            except BlockingIOError:
                return False
            except OSError:
                self._gone = True
                self._queue.clear()
                self._queued = 0
                return True
            self._queued -= taken
            if taken == len(self._queue[0]):
                self._queue.popleft()
            else:
                self._queue[0] = self._queue[0][taken:]
        return True

    def _set_blocking(self, blocking: bool) -> None:
        if sys.platform != "win32":  # a pipe there always blocks: threads.py writes to it
            os.set_blocking(self._descriptor, blocking)


def read_chunk(descriptor: int) -> bytes:
    """What has arrived, at most 64 KiB; empty at the end of input."""
    try:
        return os.read(descriptor, _CHUNK)
    except OSError:
        return b""
