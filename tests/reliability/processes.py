"""Processes as Linux tells them: what one has started, and orphans, which come to whoever adopts them."""

from __future__ import annotations

import ctypes
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NoReturn

_PR_SET_CHILD_SUBREAPER = 36


def below(pid: int) -> list[int]:
    """All that a process has started and that lives, and all that those have."""
    found = []
    with suppress(FileNotFoundError, ProcessLookupError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in map(int, (task / "children").read_text().split()):
                found += [child, *below(child)]
    return found


def kill_below() -> int:
    """Kill all that this process has started; how many that were."""
    found = below(os.getpid())
    for pid in found:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return len(found)


def adopt_orphans() -> None:
    """From now on, who loses its parent below this process is its child, and can be waited for."""
    if ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "orphans cannot be adopted here")


def see_off(seconds: float) -> tuple[dict[int, int], int]:
    """Wait until no child is left: the exit code of each, and how many had to be killed, since they lived on."""
    ended: dict[int, int] = {}
    with suppress(TimeoutError), _alarm(seconds):
        _reap(ended)
    outlived = kill_below()
    _reap({})
    return ended, outlived


def _reap(ended: dict[int, int]) -> None:
    with suppress(ChildProcessError):
        while True:
            pid, status = os.waitpid(-1, 0)
            ended[pid] = os.waitstatus_to_exitcode(status)


@contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    def ring(*_signal: object) -> NoReturn:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
