"""Anything by chance, and the power goes now and then: the model of the properties says what must be there."""

from __future__ import annotations

from pathlib import Path

from tests.power_loss.wires import PowerCut
from tests.properties.everything import Machine
from tests.properties.moves import Chance, pick_move
from tests.properties.stage import OPTIONS, Stage

CUTS = 3
STEPS = 12
DEATHS = ("die", "die", "die_as_the_agent_speaks", "die_as_a_call_ends", "die_as_a_question_is_answered")


class Storm(Stage):
    """The stage of the properties, on a disk that forgets."""

    def __init__(self, folder: Path, library: Path, seed: int = 0, faults: tuple[str, ...] = ()) -> None:
        super().__init__(folder)
        self.wire = self._wire = PowerCut(folder, OPTIONS, library, faults, seed)
        self._wire.start()

    def ready(self) -> PowerCut:
        """The running sidecar."""
        self.runs += 1
        return self.wire


def walk_through_a_storm(stage: Storm, seed: int) -> None:
    """Do anything by chance, and cut the power now and then."""
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
