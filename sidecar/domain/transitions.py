"""Every legal move of every state machine, as frozen tables (RULES 2 to 5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


class IllegalMove(Exception):  # noqa: N818 - named for what was tried
    """A move that the table does not know: a fault of the program, never of a caller."""


@dataclass(frozen=True, slots=True)
class TransitionTable:
    """Named events that lead from one status to the next; what is not in the table cannot happen."""

    noun: str
    start: str
    moves: Mapping[tuple[str, str], str]

    def after(self, status: str, event: str) -> str:
        """The status that the event leads to.

        Raises:
            IllegalMove: the table has no such move.
        """
        try:
            return self.moves[status, event]
        except KeyError:
            raise IllegalMove(f"{self.noun}: no {event} from {status}") from None

    def allows(self, status: str, event: str) -> bool:
        """Whether the event is legal now."""
        return (status, event) in self.moves

    @property
    def statuses(self) -> tuple[str, ...]:
        """Every status, sorted."""
        return tuple(sorted({self.start, *self.moves.values(), *(status for status, _ in self.moves)}))

    @property
    def final(self) -> tuple[str, ...]:
        """The statuses that nothing leads out of, sorted."""
        return tuple(status for status in self.statuses if not any(origin == status for origin, _ in self.moves))


def _table(noun: str, start: str, rows: list[tuple[str | tuple[str, ...], str, str]]) -> TransitionTable:
    moves: dict[tuple[str, str], str] = {}
    for origins, event, target in rows:
        for origin in (origins,) if isinstance(origins, str) else origins:
            moves[origin, event] = target
    return TransitionTable(noun, start, MappingProxyType(moves))


CALL_OPEN = ("received", "routing", "waiting_for_app", "running")
"""A call that can still be decided; ``submitted`` counts as final."""

TOOL_CALL = _table(
    "tool call",
    "received",
    [
        ("received", "accept", "routing"),
        ("received", "refuse", "rejected"),
        ("routing", "route", "waiting_for_app"),
        ("waiting_for_app", "hand_over", "running"),
        ("running", "take_back", "waiting_for_app"),
        (("waiting_for_app", "running"), "submit", "submitted"),
        ("submitted", "ack_completed", "completed"),
        ("submitted", "ack_failed", "failed"),
        ("submitted", "ack_cancelled", "cancelled"),
        (CALL_OPEN, "cancel", "cancelled"),
        (CALL_OPEN, "expire", "expired"),
        (CALL_OPEN, "crash", "failed"),
    ],
)

INTERACTION_OPEN = ("pending", "presented")

INTERACTION = _table(
    "interaction",
    "pending",
    [
        ("pending", "present", "presented"),
        ("presented", "answer", "submitted"),
        ("submitted", "hand_over", "completed"),
        (INTERACTION_OPEN, "cancel", "cancelled"),
        (INTERACTION_OPEN, "expire", "expired"),
        (INTERACTION_OPEN, "fail", "failed"),
    ],
)

INSTANCE = _table("instance", "live", [("live", "close", "closed")])

APP_SESSION = _table("app session", "open", [("open", "close", "closed")])

SURFACE = _table(
    "surface",
    "open",
    [
        ("open", "fail", "failed"),
        ("failed", "fail", "failed"),
        ("failed", "reopen", "open"),
        (("open", "failed"), "close", "closed"),
    ],
)

CAPABILITY_OPEN = ("asking", "requested")

CAPABILITY_REQUEST = _table(
    "capability request",
    "asking",
    [
        ("asking", "agree", "requested"),
        (CAPABILITY_OPEN, "grant", "granted"),
        (CAPABILITY_OPEN, "deny", "denied"),
        (CAPABILITY_OPEN, "fail", "failed"),
        (CAPABILITY_OPEN, "cancel", "cancelled"),
    ],
)
