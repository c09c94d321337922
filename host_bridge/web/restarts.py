"""How often, and how soon, a sidecar that ended may be started again."""

from __future__ import annotations

from collections import deque

MOST = 5
WITHIN_SECONDS = 180.0
DELAYS = (0.0, 0.5, 1.0, 2.0, 4.0)
"""Seconds before a start, by how many there were in the window."""


class TooOftenError(Exception):
    """It was started too often; ``retry_after`` seconds from now it may be again."""

    def __init__(self, retry_after: float) -> None:
        self.retry_after = retry_after
        super().__init__(f"the sidecar was started {MOST} times again in {WITHIN_SECONDS:g} s")


class Restarts:
    """The starts after the first. Times are seconds of a clock that only goes forward."""

    def __init__(self) -> None:
        self.count = 0
        self._times: deque[float] = deque(maxlen=MOST)

    def delay(self, now: float) -> float:
        """How long to wait before the next start. Raises TooOftenError."""
        while self._times and now - self._times[0] >= WITHIN_SECONDS:
            self._times.popleft()
        if len(self._times) == MOST:
            raise TooOftenError(self._times[0] + WITHIN_SECONDS - now)
        return DELAYS[len(self._times)]

    def note(self, now: float) -> None:
        """It is started again now."""
        self.count += 1
        self._times.append(now)
