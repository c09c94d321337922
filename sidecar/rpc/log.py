"""Logging to stderr that never blocks: a Host that does not read stderr must not stop the Runtime (PROTOCOL 1.1)."""

from __future__ import annotations

import json
import logging
import queue
import sys
import threading
from typing import IO, Literal

from sidecar.clock import timestamp

_MAX_QUEUED = 10_000
_MAX_LINE = 8_000


class _Text(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        return f"{timestamp(int(record.created * 1_000))} {record.levelname} {record.name}: {_message(self, record)}"


class _Json(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        return json.dumps(
            {
                "at": timestamp(int(record.created * 1_000)),
                "level": record.levelname.lower(),
                "logger": record.name,
                "message": _message(self, record),
            }
        )


def _message(formatter: logging.Formatter, record: logging.LogRecord) -> str:
    text = record.getMessage()
    if record.exc_info:
        text = f"{text}\n{formatter.formatException(record.exc_info)}"
    return text.encode("utf-8", "backslashreplace").decode()[:_MAX_LINE]


class StderrHandler(logging.Handler):
    """Hands lines to a thread that writes them; what does not fit into its queue is dropped and counted."""

    def __init__(self, stream: IO[bytes]) -> None:
        super().__init__()
        self._stream = stream
        self._lines: queue.Queue[bytes | None] = queue.Queue(_MAX_QUEUED)
        self._dropped = 0
        self._thread = threading.Thread(target=self._write, daemon=True, name="log")
        self._thread.start()

    def emit(self, record: logging.LogRecord) -> None:
        """Queue the record's line."""
        line = self.format(record).encode("utf-8", "backslashreplace") + b"\n"
        try:
            if self._dropped:
                self._lines.put_nowait(b"... %d log lines were dropped\n" % self._dropped)
                self._dropped = 0
            self._lines.put_nowait(line)
        except queue.Full:
            self._dropped += 1

    def close(self) -> None:
        """Write what is queued, for a moment."""
        try:
            self._lines.put_nowait(None)
        except queue.Full:
            return
        self._thread.join(0.5)
        super().close()

    def _write(self) -> None:
        while (line := self._lines.get()) is not None:
            try:
                self._stream.write(line)
                self._stream.flush()
            except (OSError, ValueError):
                continue


def set_up(level: str, style: Literal["text", "json"]) -> StderrHandler:
    """Send every log record to stderr; to be closed at the end."""
    handler = StderrHandler(sys.stderr.buffer)
    handler.setFormatter(_Json() if style == "json" else _Text())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    logging.captureWarnings(capture=True)
    return handler
