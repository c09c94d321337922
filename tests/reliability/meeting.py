"""Where a doomed sidecar and its Host meet: a pipe with a name, so that only those who look for it hold it."""

from __future__ import annotations

import os
import select
from pathlib import Path

_NAME = "meeting"


class Meeting:
    """The Host's end: ``reached`` can be read from when the sidecar is at its point."""

    def __init__(self, folder: Path) -> None:
        self.reached = os.open(folder / _NAME, os.O_RDWR | os.O_NONBLOCK)

    @staticmethod
    def prepare(folder: Path) -> None:
        """Make the place."""
        os.mkfifo(folder / _NAME)


def await_death(folder: Path) -> None:
    """The sidecar's end: say that the point is reached, and wait until the Host is no more."""
    host = os.pidfd_open(os.getppid())
    reached = os.open(folder / _NAME, os.O_WRONLY)
    os.write(reached, b".")
    select.select([host], [], [])
    os.close(reached)
    os.close(host)
