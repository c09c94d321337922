"""The whole life of a store on a watched disk, from which any number of power cuts are worked out.

A first start in folders that are not there yet, all that is done and told and answered, a death, the start after it, a
clean end, the start of a newer program that migrates, and its end.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from copy import deepcopy
from pathlib import Path
from typing import NamedTuple

from tests.power_loss.disk import Disk, Folder
from tests.power_loss.journal import Act
from tests.power_loss.planted import OFTEN
from tests.power_loss.promises import Asked
from tests.power_loss.story import BEGINNING, STORY
from tests.power_loss.wires import WatchedWire
from tests.properties.everything import Machine
from tests.properties.moves import Chance, pick_move
from tests.properties.stage import OPTIONS, Stage
from tests.reliability.play import Play
from tests.reliability.points import NEWER
from tests.reliability.requests import probes, take
from tests.reliability.steps import Step

FIRST_START, AT_WORK, NEXT_START, END, MIGRATION, NEWER_END = (
    "the first start",
    "at work",
    "the start after a death",
    "a clean end",
    "a migration",
    "the newer program's end",
)
STORE = "new/folders/lineup.sqlite"


class Place(NamedTuple):
    """A place of the journal: so many acts were done, and then the power went."""

    acts: int
    phase: str
    moment: str
    heard: int


class Recording:
    """What was done and said, and what had been asked."""

    def __init__(self, before: Disk) -> None:
        self.acts: list[Act] = []
        self.asked: Asked = {}
        self.phases: list[tuple[int, str]] = []
        self._before = before

    def replay(self) -> Iterator[tuple[Place, Disk]]:
        """Every place, and the disk there."""
        disk, heard = deepcopy(self._before), 0
        starts = [at for at, _ in self.phases]
        for number, act in enumerate(self.acts):
            phase = self.phases[bisect_right(starts, number) - 1][1]
            yield Place(number, phase, _moment(disk, act), heard), disk
            disk.do(act)
            heard += len(act.data) if act.kind == "A" else 0
        yield Place(len(self.acts), self.phases[-1][1], "at the end", heard), disk


def _moment(disk: Disk, act: Act) -> str:
    """What is about to be done."""
    if act.kind == "B":
        return "before it begins"
    if act.kind == "A":
        return "before something is said"
    if act.kind in "CMUR":
        return "before a name is made, changed or taken away"
    if isinstance(disk.node(act), Folder):
        return "while names are synced"
    name = disk.name_of(act.inode)
    what = "the log" if name.endswith("-wal") else "the journal" if name.endswith("-journal") else "the store itself"
    return f"while {what} is {'synced' if act.kind == 'S' else 'written'}"


class _Recorder:
    """Marks where each phase begins."""

    def __init__(self, wire: WatchedWire) -> None:
        self.wire = wire
        self._recording = Recording(Disk(wire.disk))

    def begin(self, phase: str) -> None:
        self._recording.phases.append((len(self.wire.acts()), phase))

    def finish(self) -> Recording:
        self._recording.acts, self._recording.asked = self.wire.acts(), self.wire.asked
        return self._recording


def record_story(folder: Path, library: Path, faults: tuple[str, ...] = (OFTEN,)) -> Recording:
    """Live the life whose work is the story of the matrix, and more."""
    wire = WatchedWire(folder, probes(), library, faults)
    recorder, play = _Recorder(wire), Play(wire)
    try:
        recorder.begin(FIRST_START)
        wire.start()
        play.begin()
        _take_all(play, STORY[:BEGINNING])
        recorder.begin(AT_WORK)
        _take_all(play, STORY[BEGINNING:])
        wire.kill()
        recorder.begin(NEXT_START)
        _come_back(wire, play, "a death")
        recorder.begin(END)
        assert wire.stop() == 0
        recorder.begin(MIGRATION)
        wire.plan = {"faults": [NEWER, *faults]}
        _come_back(wire, play, "a migration")
        recorder.begin(NEWER_END)
        assert wire.stop() == 0
    finally:
        wire.end()
    return recorder.finish()


def record_walk(folder: Path, library: Path, seed: int, moves: int) -> Recording:
    """Live a life whose work is chosen by chance; it has no migration."""
    wire = WatchedWire(folder, OPTIONS, library, (OFTEN,))
    recorder, stage, chance = _Recorder(wire), WatchedStage(folder, wire), Chance(seed)
    try:
        recorder.begin(FIRST_START)
        wire.start()
        machine = Machine(stage)
        machine.set_out(False, "alpha", True)
        recorder.begin(AT_WORK)
        for _ in range(moves):
            machine.make(*pick_move(machine, chance))
        recorder.begin(NEXT_START)
        machine.die(0)
        machine.teardown()
        recorder.begin(END)
        stage.end()
    finally:
        wire.end()
    return recorder.finish()


class WatchedStage(Stage):
    """The stage of the properties, for one run."""

    def __init__(self, folder: Path, wire: WatchedWire) -> None:
        super().__init__(folder)
        self._wire = wire
        self.runs = 1


def _come_back(wire: WatchedWire, play: Play, after: str) -> None:
    wire.start()
    play.come_back()
    method, params = play.deliver("message", {"text": f"after {after}"}, f"after {after}")
    play.call(method, **params)
    play.call("ping")


def _take_all(play: Play, steps: Sequence[Step]) -> None:
    for step in steps:
        take(play, step)
