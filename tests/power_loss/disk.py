"""A sidecar on a disk that forgets what was not synced: a kill is a power cut."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from tests.reliability.doomed_wire import DoomedWire

SOURCE = Path(__file__).with_name("power_loss.c")
FLAGS = ("-Wall", "-Wextra", "-Werror", "-Wno-format-truncation", "-O1", "-shared", "-fPIC")


def build(folder: Path) -> Path:
    """Compile the library that makes the disk."""
    library = folder / "power_loss.so"
    subprocess.run(["gcc", *FLAGS, "-o", str(library), str(SOURCE), "-ldl", "-lpthread"], check=True)
    return library


class PowerCut(DoomedWire):
    """A store on such a disk. ``cuts`` counts the power cuts."""

    def __init__(self, folder: Path, options: Sequence[str], library: Path, faults: tuple[str, ...] = ()) -> None:
        disk = folder / "disk"
        disk.mkdir()
        super().__init__(disk, options, {"faults": faults} if faults else {})
        self.stderr = folder / "stderr.log"
        self.cuts = 0
        self._disk, self._synced, self._library = disk, folder / "synced", library

    def environment(self) -> dict[str, str]:
        """The disk lies in front of the C library."""
        names = {"LD_PRELOAD": str(self._library), "LINEUP_DISK": str(self._disk), "LINEUP_SYNCED": str(self._synced)}
        return {**os.environ, **names}

    def start(self) -> None:
        """Start it; what the disk has now counts as synced."""
        shutil.rmtree(self._synced, ignore_errors=True)
        for name in ("data", "image"):
            (self._synced / name).mkdir(parents=True)
        super().start()

    def kill(self) -> None:
        """Cut the power: the disk has what was synced, and no more."""
        running = self._process is not None
        super().kill()
        if running:
            self.cuts += 1
            shutil.rmtree(self._disk)
            shutil.copytree(self._synced / "image", self._disk)
