"""What the audit tells of each row: that it was made, its last status and when it last changed.

A row and the audit must tell the same, either way: a row that was changed or deleted behind the Runtime's back shows,
and so does an entry that is gone although what it told of is still there.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

from sqlmodel import SQLModel

from sidecar.clock import timestamp
from sidecar.commands.invariants.fault import STATUSES, Faults, noun_of
from sidecar.services.invoke import ANSWERED_ALONE
from sidecar.store import tables

Key = tuple[str, str]
"""A conversation and an id in it."""

_CALL = noun_of(tables.ToolCall)
_SESSION = noun_of(tables.AppSession)
_SURFACE = noun_of(tables.Surface)
_REQUEST = noun_of(tables.CapabilityRequest)
_MADE = {
    "tool_id": (_CALL, "waiting_for_app"),
    "source": (noun_of(tables.Interaction), "pending"),
    "app_version": (noun_of(tables.Instance), "live"),
    "container": (_SURFACE, "open"),
    "byte_size": (noun_of(tables.Artifact), None),
    "agent_id": (noun_of(tables.Conversation), None),
}
"""What an entry's detail names only where a row is made: the row's table and first status."""

_INVOKES = ("lineup.v1.tool.invoke", "lineup.v1.tool.call")


@dataclass(slots=True)
class Told:
    """What the kept entries say of one row. Where they tell its making, they tell all of it."""

    at: str
    made: bool = False
    status: str | None = None
    numbers: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class Trail:
    """What the audit tells, gathered in one pass; each check takes out what it has seen."""

    begins_with: int = 1
    """The first entry that is still kept, as the last sweep said."""
    before: str = ""
    """Entries, acked rows and dedupe rows from before that time may have been dropped."""
    rows: defaultdict[str, dict[Key, Told]] = field(default_factory=lambda: defaultdict(dict))
    receipts: dict[Key, str] = field(default_factory=dict)
    inbox_acks: dict[str, str] = field(default_factory=dict)
    outbox_acks: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))
    enabled: dict[str, bool] = field(default_factory=dict)

    def keeps(self, at: int | str) -> bool:
        """Whether what happened then cannot have been dropped."""
        return (at if isinstance(at, str) else timestamp(at)) >= self.before

    # -- gathering
    def take(self, entry: Any, detail: dict[str, Any]) -> None:
        """Take in one entry, in order."""
        key = (entry.conversation_id or "", entry.subject or "")
        if entry.decision == "refused":
            if entry.action in _INVOKES and entry.code not in ANSWERED_ALONE:
                self.rows[_CALL][key] = Told(entry.at, made=True, status="rejected")
        elif entry.action == "transport.ack" and "acked" in detail:
            self.outbox_acks[entry.at] += detail["acked"]
        elif entry.action == "sdk.inbox.acknowledge":
            self.inbox_acks[key[1]] = entry.at
        elif entry.action == "sweep":
            self.begins_with, self.before = detail["audit_from"], max(self.before, detail["before"])
        elif "enabled" in detail:
            self.enabled[key[1]] = detail["enabled"]
        elif "control_id" in detail:
            self.receipts[key[0], detail["control_id"]] = entry.at
        else:
            self._take_making(key, entry.at, detail)
            self._take_change(key, entry.at, detail)

    def _take_making(self, key: Key, at: str, detail: dict[str, Any]) -> None:
        for name, (noun, status) in _MADE.items():
            if name in detail:
                self.rows[noun][key] = Told(at, made=True, status=status)
                if "app_session_id" in detail:
                    self.rows[_SESSION][key[0], detail["app_session_id"]] = Told(at, made=True, status="open")
        if "capability" in detail and "status" not in detail:
            status = "asking" if "interaction_id" in detail else "requested"
            self.rows[_REQUEST][key] = Told(at, made=True, status=status)

    def _take_change(self, key: Key, at: str, detail: dict[str, Any]) -> None:
        if "status" in detail:
            fitting = [noun for noun, statuses in STATUSES.items() if detail["status"] in statuses]
            for noun in [noun for noun in fitting if key in self.rows[noun]] or fitting:
                told = self._told(noun, key, at)
                told.status = detail["status"]
        for name, noun, column in (
            ("hand_over", _CALL, "handed"),
            ("seq", _CALL, "progress_seq"),
            ("revision", _SURFACE, "revision"),
        ):
            if name in detail:
                self._told(noun, key, at).numbers[column] = detail[name]

    def _told(self, noun: str, key: Key, at: str) -> Told:
        told = self.rows[noun].setdefault(key, Told(at))
        told.at = at
        return told

    # -- comparing
    def faults(self, model: type[SQLModel], key: Key, row: Any, **numbers: int) -> Faults:
        """Where a row and its entries differ; ``numbers`` are columns that the audit counts along, as first written."""
        told = self.rows[noun_of(model)].pop(key, None)
        changed_at = getattr(row, "updated_at", row.created_at)
        if told is None:
            if self.keeps(changed_at):
                yield f"the audit tells nothing of it, although it changed at {timestamp(changed_at)}"
            return
        status = getattr(row, "status", None)
        if told.status is not None and told.status != status:
            yield f"its status is {status}, yet the audit says {told.status}"
        for column, first in numbers.items():
            expected = told.numbers.get(column, first if told.made else None)
            if expected is not None and getattr(row, column) != expected:
                yield f"its {column} is {getattr(row, column)}, yet the audit says {expected}"
        if told.at != timestamp(changed_at):
            yield f"it says that it changed at {timestamp(changed_at)}, the audit says at {told.at}"

    def leftovers(self) -> Faults:
        """What the audit tells of, although the store has no such row."""
        for noun, rows in self.rows.items():
            for (conversation_id, subject), told in rows.items():
                if told.made:
                    yield f"{noun} {subject!r} of {conversation_id!r} was made, yet there is no such row"
        for app_scope in self.enabled:
            yield f"miniapp {app_scope!r} was switched, yet there is no such row"
        for (_conversation_id, control_id), at in self.receipts.items():
            if self.keeps(at):
                yield f"receipt {control_id!r} was written at {at}, yet there is no such row"
        for message_id, at in self.inbox_acks.items():
            if self.keeps(at):
                yield f"inboxmessage {message_id!r} was acknowledged at {at}, yet no row says so"
        for at, count in self.outbox_acks.items():
            if count and self.keeps(at):
                yield f"{count} more outbox rows were acknowledged at {at} than rows say so"
