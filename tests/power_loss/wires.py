"""A sidecar whose disk is watched, and one under which the power is cut: a kill that loses what was not synced."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.power_loss.disk import FATES, Disk
from tests.power_loss.journal import Act, lives_in, read_journal
from tests.power_loss.promises import Asked
from tests.properties.moves import Chance
from tests.reliability import doomed_wire
from tests.reliability.doomed_wire import DoomedWire

SOURCE = Path(__file__).with_name("power_loss.c")


class WatchedWire(DoomedWire):
    """A store in new folders on a watched disk. ``heard`` is every byte that was read in each life."""

    def __init__(self, folder: Path, options: Sequence[str], library: Path, faults: tuple[str, ...] = ()) -> None:
        self.disk = folder / "disk"
        self.disk.mkdir()
        super().__init__(self.disk / "new" / "folders", options, {"faults": faults} if faults else {})
        self.stderr = folder / "stderr.log"
        self.heard: list[bytearray] = []
        self.asked: Asked = {}
        self.journal, self._library = folder / "journal", library

    def start(self) -> None:
        """Begin another life."""
        self.heard.append(bytearray())
        super().start()

    def environment(self) -> dict[str, str]:
        """The watch stands in front of the C library."""
        names = {"LD_PRELOAD": self._library, "LINEUP_DISK": self.disk, "LINEUP_LOG": self.journal}
        return {**os.environ, **{name: str(value) for name, value in names.items()}}

    def command(self) -> list[str]:
        """The faults of this folder are known beside the others."""
        doomed, planted = str(Path(doomed_wire.__file__).with_name("doomed.py")), str(SOURCE.with_name("planted.py"))
        return [planted if one == doomed else one for one in super().command()]

    def acts(self) -> list[Act]:
        """All that it did and said, in whichever life; what was read is what was said."""
        acts = read_journal(self.journal)
        for said, heard in zip(lives_in(acts), self.heard, strict=True):
            assert said[: len(heard)] == heard[: len(said)]  # the last words may not be written down
        return acts

    def _receive(self) -> bytes:
        data = super()._receive()
        self.heard[-1] += data
        return data

    def _request(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        request = super()._request(method, params)
        self.asked[request["id"]] = (method, params)
        return request


class PowerCut(WatchedWire):
    """A kill is a power cut, by chance at any place between the last byte that was read and the kill."""

    def __init__(
        self, folder: Path, options: Sequence[str], library: Path, faults: tuple[str, ...] = (), seed: int = 0
    ) -> None:
        super().__init__(folder, options, library, faults)
        self.cuts: list[str] = []
        self.fates: Sequence[str] = FATES
        self._chance = Chance(seed)

    def start(self) -> None:
        """Start it; what the disk has now counts as synced."""
        self._before = Disk(self.disk)
        self.journal.unlink(missing_ok=True)
        super().start()

    def kill(self) -> None:
        """Kill it, and let the disk lose what it may."""
        running = self._process is not None
        super().kill()
        if running:
            acts = read_journal(self.journal)
            place = self._chance.choice(range(self._least(acts), len(acts) + 1))
            self.cuts.append(self._chance.choice(self.fates))
            for act in acts[:place]:
                self._before.do(act)
            shutil.rmtree(self.disk)
            self._before.write_image(self.disk, self.cuts[-1], self._chance.choice(range(2**32)))

    def _least(self, acts: list[Act]) -> int:
        """After how many acts all was said that was read; the last words may have been cut off from the journal."""
        heard = len(self.heard[-1])
        for place, act in enumerate(acts):
            if heard <= 0:
                return place
            heard -= len(act.data) if act.kind == "A" else 0
        return len(acts)
