"""What stories are made of: rows and audit entries of one view of the store."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, cast

from sqlmodel import SQLModel

from sidecar.commands.stories.story import Event
from sidecar.commands.stories.text import quote
from sidecar.store import inspection, tables


@dataclass(frozen=True)
class Entry:
    """An audit entry, its detail read."""

    row: Any

    @cached_property
    def detail(self) -> dict[str, Any]:
        """What it says besides its columns."""
        return dict(json.loads(self.row.detail)) if self.row.detail else {}

    @cached_property
    def at(self) -> int:
        """Its time, in milliseconds."""
        return round(datetime.fromisoformat(self.row.at).timestamp() * 1_000)

    def event(self, text: str, repeat: str = "") -> Event:
        """What it tells, as a part of a story."""
        return Event(self.at, text, self.row.seq, repeat)

    @property
    def status(self) -> str | None:
        """The status that it led to, if it led to one."""
        return None if self.refused else self.detail.get("status")

    @property
    def refused(self) -> bool:
        """Whether it tells of a refusal."""
        return bool(self.row.decision == "refused")


class Archive:
    """The store, as stories ask it."""

    def __init__(self, view: inspection.View) -> None:
        self.view = view
        self._agents: dict[str, str] = {}

    def rows(self, model: type[SQLModel], **columns: Any) -> list[Any]:
        """The rows of a table with these values: few, since they are the same thing's."""
        return list(self.each(model, **columns))

    def each(self, model: type[SQLModel], **columns: Any) -> Iterator[Any]:
        """Each row of a table with these values, as it is read, where there may be very many."""
        return inspection.found_by(self.view, model, **columns)

    def row(self, model: type[SQLModel], **columns: Any) -> Any:
        """The one row of a table with these values, or None."""
        return next(iter(self.rows(model, **columns)), None)

    def about(self, subject: str, conversation_id: str | None = None) -> list[Entry]:
        """The entries about an id, oldest first."""
        return [Entry(row) for row in inspection.entries_about(self.view, subject, conversation_id)]

    def of_instance(self, instance: tables.Instance) -> Iterator[Entry]:
        """The entries about an instance and all that it owns, oldest first."""
        rows = inspection.entries_of_instance(self.view, instance.conversation_id, instance.instance_id)
        return (Entry(row) for row in rows)

    def agent(self, conversation_id: str | None) -> str:
        """The Agent of a conversation, by name."""
        if conversation_id is None:
            return "an Agent"
        if conversation_id not in self._agents:
            row = self.row(tables.Conversation, conversation_id=conversation_id)
            self._agents[conversation_id] = "an Agent" if row is None else f"the Agent {quote(row.agent_id)}"
        return self._agents[conversation_id]

    def told(self, conversation_id: str, unique_key: str) -> tables.OutboxRow | None:
        """What an Agent is told once, while it is kept."""
        row = self.row(tables.OutboxRow, conversation_id=conversation_id, unique_key=unique_key)
        return cast("tables.OutboxRow | None", row)

    def is_off(self, app_scope: str) -> bool:
        """Whether the user has switched a MiniApp off."""
        return self.row(tables.MiniApp, app_scope=app_scope, enabled=0) is not None
