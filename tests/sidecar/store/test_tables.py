"""What no row may be is refused by the database itself, however it is written."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import BigInteger, Column, Integer, LargeBinary
from sqlmodel import SQLModel

from sidecar.domain import transitions
from sidecar.store import tables
from sidecar.store.core import insert_into, table_of
from sidecar.store.database import Database

STATUSES: dict[type[SQLModel], tuple[str, transitions.TransitionTable]] = {
    tables.Instance: ("status", transitions.INSTANCE),
    tables.AppSession: ("status", transitions.APP_SESSION),
    tables.ToolCall: ("status", transitions.TOOL_CALL),
    tables.Interaction: ("status", transitions.INTERACTION),
    tables.Surface: ("status", transitions.SURFACE),
    tables.CapabilityRequest: ("status", transitions.CAPABILITY_REQUEST),
}
MODELS = [one for one in vars(tables).values() if isinstance(one, type) and hasattr(one, "__table__")]


@pytest.fixture
def written(store: Database) -> Iterator[Database]:
    """The store, in a transaction that nothing is left of."""
    store.begin()
    yield store
    store.execute("ROLLBACK", ())


def sound(column: Column[Any]) -> Any:
    """A value that the column takes."""
    if isinstance(column.type, LargeBinary):
        return b"x"
    return 1 if isinstance(column.type, Integer | BigInteger) else "x"


def row_of(model: type[SQLModel], **changed: Any) -> dict[str, Any]:
    """A row that the table takes, but for what is changed."""
    row = {column.key: sound(column) for column in table_of(model).columns}
    if model in STATUSES:
        row["status"] = STATUSES[model][1].statuses[0]
    if model is tables.Audit:
        row["decision"] = "refused"
    return {**row, **changed}


def write(store: Database, model: type[SQLModel], row: dict[str, Any]) -> None:
    """Insert it."""
    statement = insert_into(model)
    store.execute(statement.text, [row[name] for name in statement.order])


@pytest.mark.parametrize("model", MODELS)
def test_a_row_with_all_that_it_must_have_is_taken(written: Database, model: type[SQLModel]) -> None:
    write(written, model, row_of(model))


@pytest.mark.parametrize(
    ("model", "name"),
    [(model, column.key) for model in MODELS for column in table_of(model).columns if not column.nullable],
)
def test_a_row_without_what_it_must_have_is_refused(store: Database, model: type[SQLModel], name: str) -> None:
    if name == "seq":
        return  # the database counts by itself
    store.begin()
    with pytest.raises(store.failures):
        write(store, model, row_of(model, **{name: None}))
    store.execute("ROLLBACK", ())


@pytest.mark.parametrize("model", [*STATUSES, tables.Audit])
@pytest.mark.parametrize("status", ["bogus", "", "Completed", "LIVE", "open "])
def test_a_status_that_there_is_not_is_refused(store: Database, model: type[SQLModel], status: str) -> None:
    store.begin()
    with pytest.raises(store.failures):
        write(store, model, row_of(model, **{"decision" if model is tables.Audit else "status": status}))
    store.execute("ROLLBACK", ())
