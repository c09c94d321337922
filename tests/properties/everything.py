"""The machine with all its moves."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import initialize, rule

from tests.properties.crash_rules import CrashRules
from tests.properties.moves import APP, draw_move


class Machine(CrashRules):
    """All moves, as Hypothesis draws and shortens them."""

    @initialize(mortal=st.sampled_from((False, False, True)), scope=st.sampled_from(APP), work=st.booleans())
    def begin(self, mortal: bool, scope: str, work: bool) -> None:
        """Set out from one of some beginnings."""
        self.set_out(mortal, scope, work)

    @rule(chosen=st.runner().flatmap(draw_move))
    def go_on(self, chosen: tuple[str, dict[str, Any]]) -> None:
        """Make one move."""
        name, params = chosen
        getattr(self, name)(**params)
