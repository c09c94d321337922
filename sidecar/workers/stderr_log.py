"""A worker's stderr as lines of the Runtime's log, bounded in length and rate."""

import logging
import time
from collections.abc import Callable

logger = logging.getLogger("sidecar.workers")

MAX_LINE_BYTES = 2_000
LINES_PER_SECOND = 100
BYTES_PER_SECOND = 1024 * 1024


class StderrLog:
    """Log what one worker prints; what is too much is dropped and counted: a flood fills neither memory nor the log."""

    def __init__(self, instance_id: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._instance_id = instance_id
        self._clock = clock
        self._rest = b""
        self._second = 0.0
        self._bytes = 0
        self._lines = 0

    def feed(self, data: bytes) -> float:
        """Take a chunk; the seconds for which the caller should read no more, mostly 0."""
        now = self._clock()
        if now - self._second >= 1:
            self._start_second(now)
        self._bytes += len(data)
        *lines, rest = (self._rest + data).split(b"\n")
        self._rest = rest[: MAX_LINE_BYTES + 1]  # one more than is shown: the line is known to be cut
        for line in lines:
            self._log(line)
        return self._second + 1 - now if self._bytes >= BYTES_PER_SECOND else 0.0

    def end(self) -> None:
        """Log the last line and what was dropped."""
        self._log(self._rest)
        self._rest = b""
        self._start_second(self._clock())

    def _start_second(self, now: float) -> None:
        dropped = self._lines - LINES_PER_SECOND
        if dropped > 0:
            logger.warning("%s: %d lines dropped: more than %d a second", self._instance_id, dropped, LINES_PER_SECOND)
        self._second, self._bytes, self._lines = now, 0, 0

    def _log(self, line: bytes) -> None:
        if not line.strip():
            return
        self._lines += 1
        if self._lines <= LINES_PER_SECOND:
            logger.info("%s: %s", self._instance_id, show(line))


def show(line: bytes) -> str:
    """Make text of a printed line that can neither forge a log line nor steer a terminal."""
    cut = len(line) > MAX_LINE_BYTES
    text = line[:MAX_LINE_BYTES].decode("utf-8", "backslashreplace").expandtabs(4).rstrip()
    if not text.isprintable():
        text = "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)
    return text + " …" if cut else text
