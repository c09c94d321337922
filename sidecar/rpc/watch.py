"""Ending in any case: the Host's end of input, or its death, ends this process (PROTOCOL 1.1)."""

from __future__ import annotations

import os
import select
import threading
import time

from rpc_schema import limits

_GRACE_S = (limits.DRAIN_MS + limits.HARD_EXIT_MS) / 1_000


def arm_hard_exit(descriptor: int) -> None:
    """Watch from a thread for the end of input; some seconds after it the process is gone, whatever it is doing.

    The event loop sees the same end and has that long to answer what was accepted. Where the descriptor cannot be
    polled (a regular file) there is nobody to hang up.
    """
    if not hasattr(select, "poll"):
        return
    threading.Thread(target=_watch, args=(descriptor,), daemon=True, name="end-of-input").start()


def is_there(pid: int, own_parent: int) -> bool:
    """Whether the process that started this one, ``own_parent``, or the one that was named instead, still lives.

    Its own parent is told by the parent pid, which changes with its death; another one by asking the system.
    """
    if pid == own_parent:
        return os.getppid() == pid
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _watch(descriptor: int) -> None:
    poll = select.poll()
    poll.register(descriptor, 0)
    poll.poll()
    time.sleep(_GRACE_S)
    os._exit(0)
