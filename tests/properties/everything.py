"""The machine with all its moves."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import initialize, rule

from tests.properties.crash_rules import CrashRules
from tests.properties.moves import APP, Chance, Chosen, draw_move, is_able, move, moves_of

TOGETHER = [
    *["invoke", "work", "wonder", "answer"] * 3,
    *["put_question", "say", "give_up", "repeat", "ack", "ignore", "take_message", "focus", "patch", "touch"],
    *["send_text", "want", "resolve"],
]


class EveryMove(CrashRules):
    """All moves, one at a time or several together."""

    @move(6, seed=range(10_000), count=[2, 3, 6, 12])
    def do_at_once(self, seed: int, count: int) -> None:
        """Several moves as one batch: those that need no answer of another."""
        chance = Chance(seed)
        self.held = []
        for _ in range(count):
            name = chance.choice(TOGETHER)
            params = {param: chance.choice(choices) for param, choices in self.moves[name].params.items()}
            self.make(name, params)
        self.ask_at_once()

    def make(self, name: str, params: dict[str, Any]) -> None:
        """Make a move, if it can be made now."""
        if is_able(self, name):
            getattr(self, name)(**params)


class Machine(EveryMove):
    """All moves, as Hypothesis draws and shortens them."""

    @initialize(mortal=st.sampled_from((False, False, True)), scope=st.sampled_from(APP), work=st.booleans())
    def begin(self, mortal: bool, scope: str, work: bool) -> None:
        """Set out from one of some beginnings."""
        self.set_out(mortal, scope, work)

    @rule(chosen=draw_move(moves_of(EveryMove)))
    def go_on(self, chosen: Chosen) -> None:
        """Make one move."""
        self.make(*chosen)
