"""Ending in any case: the Host's end of input, or its death, ends this process (PROTOCOL 1.1)."""

from __future__ import annotations

import os
import select
import sys
import threading
import time

from rpc_schema import limits

GRACE_S = (limits.DRAIN_MS + limits.HARD_EXIT_MS) / 1_000

if sys.platform == "win32":
    from sidecar.windows import Process


class Parent:
    """The process that started this one, ``own_parent``, or the one that was named instead."""

    def __init__(self, pid: int, own_parent: int) -> None:
        self._pid = pid
        self._is_own = pid == own_parent
        if sys.platform == "win32":
            self._process = Process(pid)

    def is_there(self) -> bool:
        """Whether it still lives.

        POSIX: its own parent is told by the parent pid, which changes with its death; another one by asking the system.
        Windows: the parent pid never changes, and a signal of 0 would end the process: the system is asked.
        """
        if sys.platform == "win32":
            return self._process.is_there()
        if self._is_own:
            return os.getppid() == self._pid
        try:
            os.kill(self._pid, 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            return True
        return True


def arm_hard_exit(descriptor: int) -> None:
    """Watch from a thread for the end of input; some seconds after it the process is gone, whatever it is doing.

    The event loop sees the same end and has that long to answer what was accepted. Where the descriptor cannot be
    polled (a regular file; on macOS a terminal) there is nobody to hang up. Windows polls nothing: there the thread
    that reads sees the end.
    """
    if sys.platform == "win32":
        return
    poll = select.poll()
    poll.register(descriptor, 0)

    def watch() -> None:
        [(_, events)] = poll.poll()
        if not events & select.POLLNVAL:
            end_soon()

    threading.Thread(target=watch, daemon=True, name="end-of-input").start()


def end_soon() -> None:
    """Let the loop answer what was accepted, for some seconds; then this process is gone."""
    time.sleep(GRACE_S)
    os._exit(0)
