"""Wait for what another process does."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
_BETWEEN_SECONDS = 0.05


def eventually(look: Callable[[], T], *, seconds: float = 10, why: str = "") -> T:
    """Look until there is something to see; what was seen. Raises AssertionError with ``why`` after that time."""
    end = time.monotonic() + seconds
    pause = threading.Event()
    while True:
        if seen := look():
            return seen
        assert time.monotonic() < end, f"not within {seconds} s: {why or look}"
        pause.wait(_BETWEEN_SECONDS)
