"""Wait for what another process does."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
_BETWEEN_SECONDS = 0.05
_STALL_SECONDS = 0.5


def eventually(look: Callable[[], T], *, seconds: float = 10, why: str = "") -> T:
    """Look until there is something to see; what was seen. Raises AssertionError with ``why`` after that time.

    Time in which the whole machine stood still, this process too, counts for nothing.
    """
    end = time.monotonic() + seconds
    pause = threading.Event()
    while True:
        if seen := look():
            return seen
        assert time.monotonic() < end, f"not within {seconds} s: {why or look}"
        paused = time.monotonic()
        pause.wait(_BETWEEN_SECONDS)
        if (stalled := time.monotonic() - paused - _BETWEEN_SECONDS) > _STALL_SECONDS:
            end += stalled
