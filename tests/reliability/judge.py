"""What a death may leave behind: all that was answered, and of what was not answered all or nothing."""

from __future__ import annotations

import contextlib
import io
from pathlib import Path

from sidecar.__main__ import main as lineup_sidecar
from tests.reliability.play import Play, View

COLUMNS: dict[str, str] = {
    "state": "instances, surfaces with their state, calls with their status, capability requests",
    "inbox": "what waits for the MiniApp",
    "questions": "what waits for the person, and where it is shown",
    "drafts": "what the person had begun to write",
    "focus": "which MiniApp lies in front of which",
    "outbox": "what the Agent must still be told, in order; nothing it has acked comes again",
    "results": "each call has its one result, the same as without the death",
    "audit": "`lineup-sidecar verify` holds, before the next start and at the end",
}
"""What is looked at after each death."""

Faults = dict[str, str]
"""The columns that do not hold, each with what was found."""


class Verdict:
    """The faults of one cell, column by column."""

    def __init__(self) -> None:
        self.faults: Faults = {}

    def blame(self, column: str, found: object) -> None:
        """A column does not hold; the first reason stays."""
        self.faults.setdefault(column, str(found)[:2_000])

    def hold(self, seen: View, due: View, when: str) -> bool:
        """Hold what is seen against what is due; whether it is that."""
        for column in due:
            if seen[column] != due[column]:
                self.blame(column, f"{when}: seen {seen[column]}, due {due[column]}")
        return seen == due

    def find_side(self, seen: View, before: View, after: View, *, answered: bool) -> bool:
        """Whether the step has happened; wholly or not at all, and wholly if it was answered."""
        if seen == after:
            return True
        if answered or seen != before:
            distance = {one: sum(seen[name] != side[name] for name in seen) for one, side in enumerate((before, after))}
            nearest = after if answered or distance[1] <= distance[0] else before
            self.hold(seen, nearest, "answered, yet after the death" if answered else "half of it, after the death")
        return False

    def verify(self, database: Path, when: str) -> None:
        """Let ``lineup-sidecar verify`` look at the store."""
        said = io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            code = lineup_sidecar(["verify", "--database", str(database)])
        if code != 0:
            self.blame("audit", f"{when}: {said.getvalue()}")

    def check_results(self, play: Play, due: dict[str, list[object]]) -> None:
        """One result a call, and the one that is due."""
        found = play.results()
        if found != due:
            self.blame("results", f"heard {found}, due {due}")
        for fault in play.faults:
            self.blame("results" if "handed" in fault else "outbox", fault)
