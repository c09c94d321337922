"""Which power cuts are worked out of a recording: some at each kind of place in each phase, by a seed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeVar

from tests.power_loss.disk import FATES, Disk
from tests.power_loss.judge import Found, Judge
from tests.power_loss.promises import plain
from tests.power_loss.recording import Recording
from tests.power_loss.wires import WatchedWire
from tests.properties.moves import Chance
from tests.reliability.play import Play

T = TypeVar("T")


class Cut(NamedTuple):
    """After so many acts the power goes, and that is what is left of what was not synced."""

    acts: int
    fate: str
    seed: int


class Outcome(NamedTuple):
    """What was found after one cut, and where that was; ``told`` says how to see it again."""

    where: tuple[str, str]
    found: Found
    told: str

    @property
    def is_wrong(self) -> bool:
        """Whether anything does not hold."""
        return bool(self.found.faults or self.found.lost)


def draw_cuts(recording: Recording, seed: int, places: int, fates: int, phase: str = "") -> list[Cut]:
    """So many places of each kind in each phase, or in one, and so many fates at each of them."""
    chance, kinds = Chance(seed), defaultdict(list)
    for place, _ in recording.replay():
        kinds[place.phase, place.moment].append(place.acts)
    return [
        Cut(acts, fate, chance.choice(range(2**32)))
        for (there, _), known in kinds.items()
        if phase in ("", there)
        for acts in _some(chance, known, places)
        for fate in _some(chance, FATES, fates)
    ]


def make_cuts(recording: Recording, judge: Judge, cuts: Iterable[Cut]) -> list[Outcome]:
    """Cut the power at each of them, and judge what is left."""
    due = defaultdict(list)
    for cut in cuts:
        due[cut.acts].append(cut)
    return [
        Outcome((place.phase, place.moment), judge.judge(place, disk, cut.fate, cut.seed), f"{place}, {cut}")
        for place, disk in recording.replay()
        for cut in due[place.acts]
    ]


def cut_again(recording: Recording, judge: Judge, cut: Cut, wire: WatchedWire, *, every: int) -> list[Outcome]:
    """Cut the power, start on what is left, and cut it again at one of so many places of that start."""
    place, disk = next((place, disk) for place, disk in recording.replay() if place.acts == cut.acts)
    wire.disk.rmdir()
    disk.write_image(wire.disk, cut.fate, cut.seed)
    start = Recording(Disk(wire.disk))
    wire.start()
    Play(wire).begin()
    wire.kill()
    start.acts, start.phases = wire.acts(), [(0, place.phase)]
    outcomes = []
    for again, left in start.replay():
        if (cut.acts + again.acts) % every == 0:
            then = Cut(again.acts, FATES[(cut.acts + again.acts) // every % len(FATES)], cut.seed + again.acts)
            found = judge.judge(place, left, then.fate, then.seed, again=True)
            outcomes.append(Outcome((place.phase, again.moment), found, f"{place}, {cut}, and again {then}"))
    return outcomes


def cut_after(recording: Recording, judge: Judge, promise: str, fate: str) -> set[str]:
    """Cut the power as soon as that was promised; what is lost, by its name without ids."""
    heard = judge.ledger.place_of(promise)
    place, disk = next((place, disk) for place, disk in recording.replay() if place.heard >= heard)
    found = judge.judge(place, disk, fate, 0)
    return {plain(name) for name in found.lost}


def _some(chance: Chance, among: Sequence[T], count: int) -> list[T]:
    left, chosen = list(among), list[T]()
    while left and len(chosen) < count:
        chosen.append(left.pop(chance.choice(range(len(left)))))
    return chosen
