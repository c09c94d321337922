"""Looking at a whole store, also while its owner runs: one consistent view, read in streams; nothing is written."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlalchemy import bindparam, or_, select
from sqlmodel import SQLModel

from sidecar.store.core import rows_where, statement, table_of
from sidecar.store.database import Database, StoreError, StoreLostError
from sidecar.store.statement import Statement
from sidecar.store.tables import Audit


class View:
    """The store as it was at the first read, whatever is written meanwhile."""

    def __init__(self, database: Database) -> None:
        self._database = database
        database.begin_view()

    def rows(self, statement: Statement, **params: Any) -> Iterator[Any]:
        """Each row, as it is read.

        Raises:
            StoreError: the store cannot be read any further.
        """
        text, bound = statement.bind(params)
        try:
            for values in self._database.stream(text, bound):
                yield statement.row(values)
        except (self._database.failures, StoreLostError) as error:
            raise StoreError(f"the store cannot be read: {error}") from None

    def one(self, statement: Statement, **params: Any) -> Any:
        """The first row, or None."""
        return next(self.rows(statement, **params), None)

    @property
    def product(self) -> str:
        """Whose words :meth:`fault` is."""
        return self._database.product

    def fault(self) -> str | None:
        """What the database itself finds wrong with the store, or None."""
        return self._database.fault()

    def greatest_audit_seq(self) -> int:
        """The greatest sequence number that the audit ever had."""
        return self._database.greatest_seq("audit")


_A = table_of(Audit).c
AUDIT = rows_where(Audit, order=[_A.seq])
_OF_SUBJECT = rows_where(Audit, _A.subject == bindparam("subject"), order=[_A.seq])
_OF_SUBJECT_IN = rows_where(
    Audit,
    _A.subject == bindparam("subject"),
    or_(_A.conversation_id == bindparam("conversation_id"), _A.conversation_id.is_(None)),
    order=[_A.seq],
)
_OF_INSTANCE = rows_where(
    Audit,
    _A.conversation_id == bindparam("conversation_id"),
    _A.instance_id == bindparam("instance_id"),
    order=[_A.seq],
)


def entries_about(view: View, subject: str, conversation_id: str | None = None) -> list[Any]:
    """The audit entries about an id, oldest first; of one conversation, or of all."""
    if conversation_id is None:
        return list(view.rows(_OF_SUBJECT, subject=subject))
    return list(view.rows(_OF_SUBJECT_IN, subject=subject, conversation_id=conversation_id))


def entries_of_instance(view: View, conversation_id: str, instance_id: str) -> Iterator[Any]:
    """The audit entries of what an instance did and of what was done to it and all that it owns, oldest first."""
    return view.rows(_OF_INSTANCE, conversation_id=conversation_id, instance_id=instance_id)


def found_by(view: View, model: type[SQLModel], **columns: Any) -> Iterator[Any]:
    """The rows of a table whose columns have these values, in the order of their keys, each as it is read.

    Not every column has an index: a big table may be read through, which is for a person who asks, not for a service.
    """
    table = table_of(model)
    conditions = [
        table.c[name].is_(None) if value is None else table.c[name] == bindparam(name)
        for name, value in columns.items()
    ]
    found = statement(select(table).where(*conditions).order_by(*table.primary_key.columns))
    return view.rows(found, **{name: value for name, value in columns.items() if value is not None})
