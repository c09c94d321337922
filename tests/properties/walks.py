"""Walks by chance alone: wider than what Hypothesis draws; one that fails is made short by leaving moves out."""

from __future__ import annotations

from typing import Any

from tests.properties.everything import Machine
from tests.properties.moves import APP, Chance, Chosen, pick_move
from tests.properties.stage import Stage

CHUNKS = (16, 4, 1)
RARELY, OFTEN = (True, False, False), (True, True, False)


def walk(stage: Stage, seed: int, steps: int) -> None:
    """Walk; raises an AssertionError that shows the shortest walk that was found, and what it ran into."""
    chance = Chance(seed)
    start = {"mortal": chance.choice(RARELY), "scope": chance.choice(APP), "work": chance.choice(OFTEN)}
    moves: list[Chosen] = [("set_out", start)]
    if _run(stage, moves, chance, steps) is None:
        return
    moves, (fault, log) = _shorten(stage, moves)
    told = "\n".join(
        f"  {name}({', '.join(f'{key}={value!r}' for key, value in params.items())})" for name, params in moves
    )
    raise AssertionError(f"walk {seed} fails:\n{told}\n\nWhat was asked:\n{log}") from fault


def _run(stage: Stage, moves: list[Chosen], chance: Chance | None = None, steps: int = 0) -> Any:
    """Make the moves and then others by chance, which are added; the fault and the log, if there was a fault."""
    machine = Machine(stage)
    try:
        machine.set_out(**moves[0][1])
        for name, params in moves[1:]:
            machine.make(name, params)
        for _ in range(steps):
            assert chance is not None
            moves.append(pick_move(machine, chance))
            machine.make(*moves[-1])
    except Exception as fault:
        stage.discard()
        return fault, "\n".join(machine.log)
    machine.teardown()
    return None


def _shorten(stage: Stage, moves: list[Chosen]) -> tuple[list[Chosen], Any]:
    """Leave out what is not needed for a fault, the large parts first."""
    found = _run(stage, moves)
    assert found is not None, "the walk fails only now and then: the fault depends on time"
    for size in CHUNKS:
        place = max(1, len(moves) - size)
        while place >= 1:
            shorter = moves[:place] + moves[place + size :]
            again = _run(stage, shorter)
            if again is not None:
                moves, found = shorter, again
            place -= size
    return moves, found
