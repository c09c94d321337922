"""Statements written with SQLAlchemy Core: standard SQL, checked against the tables, as text for the driver.

For what is made ahead (:mod:`sidecar.store.definitions`) and for the commands that look at a whole store. A serving
sidecar never imports this.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Table, delete, func, insert, literal_column, select, update
from sqlalchemy.engine.default import DefaultDialect
from sqlalchemy.sql.expression import ClauseElement
from sqlmodel import SQLModel

from sidecar.store.statement import Statement

_DIALECT = DefaultDialect(paramstyle="qmark")
"""Standard SQL, which both databases take, with a mark that each driver replaces by its own."""


def statement(clause: ClauseElement, fields: Sequence[str] = ()) -> Statement:
    """Compile a clause; ``fields`` are those that an insert or update takes as parameters of the same names."""
    compiled = clause.compile(dialect=_DIALECT, column_keys=fields or None)
    text = str(compiled).replace(" \n", " ").replace("\n", " ")
    order = tuple(getattr(compiled, "positiontup", None) or ())
    assert text.count("?") == len(order) and "%" not in text  # noqa: S101, PT018 - else no driver could place its marks
    return Statement(
        text,
        order,
        tuple(str(column.key) for column in getattr(clause, "selected_columns", ()) if column.key),
        {name: value for name, value in compiled.params.items() if type(value) in (str, int)},
    )


def condition(sql: str) -> ColumnElement[bool]:
    """A condition as literal SQL, so that the partial index of the same text serves it."""
    untyped: ColumnElement[Any] = literal_column(sql)  # a Boolean would be compared with 1, and match no index
    return untyped


def table_of(model: type[SQLModel]) -> Table:
    """The Core table of a model."""
    table = getattr(model, "__table__")  # noqa: B009 - SQLModel declares no such attribute to the type checker
    assert isinstance(table, Table)  # noqa: S101 - a model without a table is a fault of this program
    return table


def insert_into(model: type[SQLModel]) -> Statement:
    """An insert that takes every column but a counting key by name."""
    table = table_of(model)
    counting = table.autoincrement_column
    return statement(insert(table), [column.name for column in table.columns if column is not counting])


def set_where(model: type[SQLModel], fields: Sequence[str], *conditions: ColumnElement[bool]) -> Statement:
    """An update of the named columns where the conditions hold."""
    return statement(update(table_of(model)).where(*conditions), fields)


def delete_where(model: type[SQLModel], *conditions: ColumnElement[bool]) -> Statement:
    """A delete where the conditions hold."""
    return statement(delete(table_of(model)).where(*conditions))


def rows_where(model: type[SQLModel], *conditions: ColumnElement[bool], order: Sequence[Any] = ()) -> Statement:
    """A select of whole rows where the conditions hold."""
    return statement(select(table_of(model)).where(*conditions).order_by(*order))


def count_where(model: type[SQLModel], *conditions: ColumnElement[bool]) -> Statement:
    """A count of the rows where the conditions hold."""
    return statement(select(func.count()).select_from(table_of(model)).where(*conditions))
