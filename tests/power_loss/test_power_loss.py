"""The power goes while anything is under way: what was answered was on the disk (RULES 1 and 6)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.power_loss.disk import PowerCut, build
from tests.properties.everything import Machine
from tests.properties.moves import Chance, pick_move
from tests.properties.stage import OPTIONS, Stage

SEEDS = range(5)
CUTS = 3
STEPS = 12
DEATHS = ("die", "die", "die_as_the_agent_speaks", "die_as_a_call_ends", "die_as_a_question_is_answered")


class Storm(Stage):
    """The stage of the properties, on a disk that forgets."""

    def __init__(self, folder: Path, library: Path, faults: tuple[str, ...] = ()) -> None:
        super().__init__(folder)
        self.wire = self._wire = PowerCut(folder, OPTIONS, library, faults)
        self._wire.start()

    def ready(self) -> PowerCut:
        """The running sidecar."""
        self.runs += 1
        return self.wire


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The disk."""
    return build(tmp_path_factory.mktemp("library"))


def walk_through_a_storm(stage: Storm, seed: int) -> None:
    """Do anything by chance, and cut the power now and then; the model says what must be there."""
    chance = Chance(seed)
    machine = Machine(stage)
    machine.set_out(False, "alpha", True)
    for _ in range(CUTS):
        for _ in range(STEPS):
            machine.make(*pick_move(machine, chance))
        machine.mortal = True
        name = chance.choice(DEATHS)
        machine.make(name, {param: chance.choice(among) for param, among in machine.moves[name].params.items()})
        machine.mortal = False
    machine.teardown()


@pytest.mark.requirement("R1-after-the-commit", "R6-killed-anywhere", "R1-one-transaction")
def test_what_was_answered_survives_the_power(tmp_path: Path, library: Path) -> None:
    stage = Storm(tmp_path, library)
    for seed in SEEDS:
        walk_through_a_storm(stage, seed)
    assert stage.wire.cuts >= len(SEEDS)
    stage.end()


def test_a_store_that_does_not_wait_for_the_disk_is_found_out(tmp_path: Path, library: Path) -> None:
    stage = Storm(tmp_path, library, ("nobody waits for the disk",))
    machine = Machine(stage)
    machine.set_out(False, "alpha", True)
    machine.mortal = True
    with pytest.raises(AssertionError):
        machine.make("die", {"away": 0})
    stage.discard()
