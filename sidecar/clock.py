"""Time and ids, once.

Times inside the Runtime are whole milliseconds since 1970 (UTC); on the wire they are RFC 3339 (PROTOCOL 1).
Ids are 26 lower-case characters of Crockford's base 32: 48 bits of milliseconds, then 80 bits that count up from a
random start, so that they sort by creation time even within one millisecond or when the clock steps back.
"""

from __future__ import annotations

import secrets
import sys
import time
from datetime import UTC, datetime, timedelta
from functools import lru_cache

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_PAIRS = [first + second for first in _ALPHABET for second in _ALPHABET]
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_RANDOM_BITS = 80
_STEP_NS = 1_000_000_000
"""By how much the system's clock must differ from the time that has passed to have been set by somebody."""

if sys.platform == "linux":

    def _steady_ns() -> int:
        """What has passed, sleep included, whatever the wall clock is set to."""
        return time.clock_gettime_ns(time.CLOCK_BOOTTIME)

else:
    _steady_ns = time.monotonic_ns


class Clock:
    """The Runtime's wall clock in milliseconds; a test clock may be moved forward.

    It follows the system's forward: what became overdue meanwhile is overdue. Where the system's is set back while this
    process lives, it goes on by the time that has passed, so that no deadline moves away, until the system's is set
    forward again.
    """

    def __init__(self, ahead_ms: int = 0) -> None:
        self._ahead_ms = ahead_ms
        self._held_ns = 0
        self._reached_ns, self._at_ns = time.time_ns(), _steady_ns()

    def now(self) -> int:
        """Milliseconds since 1970."""
        wall, steady = time.time_ns(), _steady_ns()
        behind = self._reached_ns + steady - self._at_ns - (wall + self._held_ns)
        if behind > _STEP_NS or (self._held_ns and behind < -_STEP_NS):
            self._held_ns = max(0, self._held_ns + behind)
        self._reached_ns, self._at_ns = wall + self._held_ns, steady
        return self._reached_ns // 1_000_000 + self._ahead_ms

    def advance(self, ms: int) -> None:
        """Go forward by that many milliseconds."""
        self._ahead_ms += ms


class Ids:
    """Makes ids that sort by creation time, always above ``floor``: the greatest id that the store holds."""

    def __init__(self, clock: Clock, floor: str = "") -> None:
        self._clock = clock
        self._last = _decode(floor) if floor else 0

    def new(self) -> str:
        """The next id."""
        fresh = (self._clock.now() << _RANDOM_BITS) | secrets.randbits(_RANDOM_BITS - 8)
        self._last = max(fresh, self._last + 1)
        return _encode(self._last)


@lru_cache(maxsize=1_024)  # the rows and the news of one moment carry the same time
def timestamp(ms: int) -> str:
    """Milliseconds since 1970 as RFC 3339 UTC with milliseconds."""
    moment = _EPOCH + timedelta(milliseconds=ms)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{ms % 1_000:03d}Z"


def _encode(value: int) -> str:
    return "".join([_PAIRS[(value >> shift) & 1023] for shift in range(120, -1, -10)])


def _decode(text: str) -> int:
    value = 0
    for character in text:
        value = value << 5 | _ALPHABET.index(character)
    return value
