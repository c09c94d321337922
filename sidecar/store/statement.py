"""A SQLAlchemy Core statement, compiled once to the driver's text.

Core writes the SQL (standard, checked against the tables), the driver runs it: measured on this hot path, Core's own
execution costs about as much as the commit it serves. Rows come back as named tuples of the statement's columns.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Table, delete, func, insert, literal_column, select, update
from sqlalchemy.dialects import sqlite
from sqlalchemy.sql.expression import ClauseElement
from sqlmodel import SQLModel

_DIALECT = sqlite.dialect(paramstyle="qmark")


_named_tuple: Callable[..., Any] = namedtuple


class Statement:
    """One statement; compiled at its first use, since a process uses few of all.

    ``columns`` are those that an insert or update takes as parameters of the same names.
    """

    __slots__ = ("_clause", "_columns", "_defaults", "_make", "_names", "_order", "_text")

    def __init__(self, clause: ClauseElement, columns: Sequence[str] = ()) -> None:
        self._clause: ClauseElement | None = clause
        self._columns = columns
        self._text = ""
        self._order: tuple[str, ...] = ()
        self._names: tuple[str, ...] = ()
        self._defaults: dict[str, Any] = {}
        self._make: Callable[[Iterable[Any]], Any] = tuple

    def prepare(self) -> None:
        """Compile it, if it is not."""
        if self._clause is None:
            return
        compiled = self._clause.compile(dialect=_DIALECT, column_keys=self._columns or None)
        self._text = str(compiled)
        self._order = tuple(getattr(compiled, "positiontup", None) or ())
        self._defaults = {name: value for name, value in compiled.params.items() if value is not None}
        columns = getattr(self._clause, "selected_columns", None)
        if columns is not None:
            self._names = tuple(str(column.key) for column in columns)
            self._make = _named_tuple("Row", self._names, rename=True)._make
        self._clause = None

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of what must be given."""
        self.prepare()
        return tuple(name for name in self._order if name not in self._defaults)

    def bind(self, params: dict[str, Any]) -> tuple[str, list[Any]]:
        """The driver's text and its parameters, in their order."""
        if self._clause is not None:
            self.prepare()
        if self._defaults:
            params = {**self._defaults, **params}
        return self._text, [params[name] for name in self._order]

    def row(self, values: Iterable[Any]) -> Any:
        """A fetched row by its columns' names."""
        return self._make(values)

    def row_of(self, columns: dict[str, Any]) -> Any:
        """The row that was just written, as it would be fetched; a counting key, not known here, is None."""
        self.prepare()
        return self._make([columns.get(name) for name in self._names])


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
    return Statement(insert(table), [column.name for column in table.columns if column is not counting])


def set_where(model: type[SQLModel], fields: Sequence[str], *conditions: ColumnElement[bool]) -> Statement:
    """An update of the named columns where the conditions hold."""
    return Statement(update(table_of(model)).where(*conditions), fields)


def delete_where(model: type[SQLModel], *conditions: ColumnElement[bool]) -> Statement:
    """A delete where the conditions hold."""
    return Statement(delete(table_of(model)).where(*conditions))


def rows_where(model: type[SQLModel], *conditions: ColumnElement[bool], order: Sequence[Any] = ()) -> Statement:
    """A select of whole rows where the conditions hold."""
    return Statement(select(table_of(model)).where(*conditions).order_by(*order))


def count_where(model: type[SQLModel], *conditions: ColumnElement[bool]) -> Statement:
    """A count of the rows where the conditions hold."""
    return Statement(select(func.count()).select_from(table_of(model)).where(*conditions))
