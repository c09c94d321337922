"""Where a doomed sidecar and its Host meet: two pipes with names, so that only those who look for them hold them."""

from __future__ import annotations

import os
from pathlib import Path

REACHED, PARTING = "reached", "parting"


class Meeting:
    """The Host's end: ``reached`` can be read from when the sidecar is at its point."""

    def __init__(self, folder: Path) -> None:
        self.reached = os.open(folder / REACHED, os.O_RDWR | os.O_NONBLOCK)
        self._parting = os.open(folder / PARTING, os.O_RDWR)

    @staticmethod
    def prepare(folder: Path) -> None:
        """Make the place."""
        for name in (REACHED, PARTING):
            os.mkfifo(folder / name)


def await_parting(folder: Path) -> None:
    """The sidecar's end: say that the point is reached, and wait until the Host is no more."""
    parting = os.open(folder / PARTING, os.O_RDONLY)
    reached = os.open(folder / REACHED, os.O_WRONLY)
    os.write(reached, b".")
    os.read(parting, 1)
    os.close(reached)
    os.close(parting)
