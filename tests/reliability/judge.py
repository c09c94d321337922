"""What a death may leave behind: all that was answered, and of what was not answered all or nothing."""

from __future__ import annotations

from rpc_schema import limits
from tests.reliability.doomed_wire import DoomedWire
from tests.reliability.play import Play, View
from tests.reliability.processes import see_off

COLUMNS: dict[str, str] = {
    "state": "instances, surfaces with their state, calls with their status, capability requests",
    "inbox": "what waits for the MiniApp",
    "questions": "what waits for the person, and where it is shown",
    "drafts": "what the person had begun to write",
    "focus": "which MiniApp lies in front of which",
    "outbox": "what the Agent must still be told, in order; nothing it has acked comes again",
    "results": "each call has its one result, the same as without the death",
    "audit": "`lineup-sidecar verify` holds, before the next start and at the end",
    "end": "nothing is left of what died or lost its parent: a sidecar without its Host has ended by itself, with exit "
    "code 0, in the 5 s that PROTOCOL gives it for what it has to say, and one more; so have the workers of the dead",
}
"""What is looked at after each death."""

BOUND_S = (limits.DRAIN_MS + limits.HARD_EXIT_MS) / 1_000
"""How long a sidecar may outlive its Host (PROTOCOL 1.1): the five seconds, and one to be gone whatever it does."""

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

    def find_side(self, seen: View, before: View, after: View, due: bool | None) -> bool:
        """Whether the step has happened: wholly or not at all, and as it is due; None where either will do."""
        if due is None and seen in (before, after):
            return seen == after
        distance = {side: sum(seen[name] != view[name] for name in seen) for side, view in enumerate((before, after))}
        happened = distance[1] <= distance[0] if due is None else due
        told = {None: "half of it", True: "it must have happened, yet", False: "it cannot have happened, yet"}[due]
        self.hold(seen, after if happened else before, f"{told} after the death")
        return happened

    def verify(self, wire: DoomedWire, when: str) -> None:
        """Let ``verify`` of the program that the wire would start look at the store."""
        code, said = wire.verify()
        if code != 0:
            self.blame("audit", f"{when}: {said}")

    def see_off(self, due: dict[int, int]) -> None:
        """Wait for the end of what the dead have left behind; the exit codes that are due, by pid."""
        ended, outlived = see_off(BOUND_S)
        if outlived:
            self.blame("end", f"{outlived} processes lived on for {BOUND_S:g} s")
        elif ended | due != ended:
            self.blame("end", f"ended with {ended}, due {due}")

    def check_results(self, play: Play, due: dict[str, list[object]]) -> None:
        """One result a call, and the one that is due."""
        found = play.results()
        if found != due:
            self.blame("results", f"heard {found}, due {due}")
        for fault in play.faults:
            self.blame("results" if "handed" in fault else "outbox", fault)
