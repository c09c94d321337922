"""All that one seed of the long form asks for."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from tests.power_loss.cuts import cut_again, draw_cuts, make_cuts
from tests.power_loss.disk import FATES
from tests.power_loss.judge import Judge
from tests.power_loss.recording import AT_WORK, record_story, record_walk
from tests.power_loss.storm import Storm, walk_through_a_storm
from tests.power_loss.wires import WatchedWire
from tests.reliability.requests import probes

PLACES = 8
MOVES = 250


class Told(NamedTuple):
    """What came of a seed."""

    seed: int
    cuts: int
    wrong: list[str]


def run(library: Path, seed: int) -> Told:
    """Do all that a seed asks for."""
    with TemporaryDirectory(prefix="lineup-power-") as name:
        folders = [Path(name) / one for one in ("story", "walk", "storm", "again")]
        for folder in folders:
            folder.mkdir()
        story, walk = record_story(folders[0], library), record_walk(folders[1], library, seed, MOVES)
        judges = Judge(story), Judge(walk)
        outcomes = []
        for recording, judge in zip((story, walk), judges, strict=True):
            outcomes += make_cuts(recording, judge, draw_cuts(recording, seed, PLACES, len(FATES)))
        for number, cut in enumerate(draw_cuts(story, seed, 1, 1, AT_WORK)):
            (folders[3] / str(number)).mkdir()
            outcomes += cut_again(
                story, judges[0], cut, WatchedWire(folders[3] / str(number), probes(), library), every=1
            )
        wrong = [f"{one.found}: {one.told}" for one in outcomes if one.is_wrong]
        stage = Storm(folders[2], library, seed)
        try:
            walk_through_a_storm(stage, seed)
            stage.end()
        except AssertionError as fault:
            wrong.append(f"in the storm, after {stage.wire.cuts}: {fault}")
        return Told(seed, len(outcomes) + len(stage.wire.cuts), wrong)
