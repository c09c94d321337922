"""The first row that does not hold, and how a table is gone through."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from sqlmodel import SQLModel

from rpc_schema.json_text import JsonTextError, read_json
from sidecar.store.capability_requests import CAPABILITY_REQUEST
from sidecar.store.core import table_of
from sidecar.store.inspection import View
from sidecar.store.instances import APP_SESSION, INSTANCE
from sidecar.store.interactions import INTERACTION
from sidecar.store.statement import Statement
from sidecar.store.surfaces import SURFACE
from sidecar.store.tool_calls import TOOL_CALL

Faults = Iterator[str]
"""What is wrong with one row, in words: the first is what is told."""

_IDS = {
    "toolcall": ["conversation_id", "call_id"],
    "delivery": ["conversation_id", "message_id"],
    "receipt": ["conversation_id", "control_id"],
    "inboxmessage": ["message_id"],
    "outboxrow": ["outbox_id"],
}
"""Tables whose primary key only counts, and what names their rows."""


STATUSES = {
    machine.noun: machine.table.statuses
    for machine in (TOOL_CALL, INTERACTION, INSTANCE, APP_SESSION, SURFACE, CAPABILITY_REQUEST)
}
"""What each status may be, by the table's name: a database that is only read leaves its own checks out."""


class Unsound(Exception):  # noqa: N818 - named for what the store is
    """A row does not hold; the words name its table, its key and what is wrong."""

    def __init__(self, table: str, key: str, wrong: str) -> None:
        super().__init__(f"{table} {key}: {wrong}")


def check_rows(view: View, model: type[SQLModel], statement: Statement, faults: Callable[[Any], Faults]) -> int:
    """Go through a table, whose columns come first in the statement; how many rows hold.

    Raises:
        Unsound: at the first that does not.
    """
    count = 0
    kinds = _kinds_of(model)
    for row in view.rows(statement):
        count += 1
        wrong = _mistyped(kinds, row) or _misplaced(model, row) or next(faults(row), None)
        if wrong is not None:
            raise Unsound(noun_of(model), key_of(model, row), wrong)
    return count


def noun_of(model: type[SQLModel]) -> str:
    """A table's name."""
    return table_of(model).name


def key_of(model: type[SQLModel], row: Any) -> str:
    """A row's key as a person would look it up: its ids rather than the number that only counts."""
    names = _IDS.get(noun_of(model)) or [column.name for column in table_of(model).primary_key.columns]
    return " ".join(f"{name}={getattr(row, name)!r}" for name in names)


def object_of(text: str | None) -> dict[str, Any] | None:
    """The JSON object that a column holds, or None where it holds none."""
    try:
        value = read_json((text or "").encode())
    except JsonTextError:
        return None
    return value if isinstance(value, dict) else None


def _kinds_of(model: type[SQLModel]) -> list[tuple[str, tuple[type, ...]]]:
    """What each column may hold: the database itself lets any value into any column."""
    kinds: list[tuple[str, tuple[type, ...]]] = []
    for column in table_of(model).columns:
        kind = column.type.python_type if column.type.python_type in (int, bytes) else str
        kinds.append((column.name, (kind, type(None)) if column.nullable else (kind,)))
    return kinds


def _mistyped(kinds: list[tuple[str, tuple[type, ...]]], row: Any) -> str | None:
    for (name, kind), value in zip(kinds, row, strict=False):
        if type(value) not in kind:
            return f"its {name} holds a value of another kind than it may"
    return None


def _misplaced(model: type[SQLModel], row: Any) -> str | None:
    statuses = STATUSES.get(noun_of(model))
    if statuses is not None and row.status not in statuses:
        return f"its status {row.status!r} is none"
    return None
