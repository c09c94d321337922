"""When a worker that died is started again."""

import time
from collections.abc import Callable, Sequence

RESTART_DELAYS_S = (0.1, 1.0, 5.0)
FAILURE_WINDOW_S = 60.0
FINAL_FAILURE = 3


class Backoff:
    """Count the failures of one worker (RULES 6).

    The delays follow failures in a row, of which each came within a minute of the one before;
    the third failure within one minute is final.
    """

    def __init__(self, delays: Sequence[float] = RESTART_DELAYS_S, clock: Callable[[], float] = time.monotonic) -> None:
        self._delays = delays
        self._clock = clock
        self._recent: list[float] = []
        self._in_a_row = 0

    def fail(self) -> float | None:
        """Count one failure: the seconds to wait before the next start, None where there is none."""
        now = self._clock()
        self._recent = [moment for moment in self._recent if now - moment < FAILURE_WINDOW_S]
        self._in_a_row = self._in_a_row + 1 if self._recent else 1
        self._recent.append(now)
        if len(self._recent) >= FINAL_FAILURE:
            return None
        return self._delays[min(self._in_a_row, len(self._delays)) - 1]
