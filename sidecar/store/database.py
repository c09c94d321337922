"""An open store, as its writer and the commands see it: all that differs from one kind of database to the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

SCHEMA_VERSION = 1
"""The version of a store that this program writes."""


class StoreError(Exception):
    """The store cannot be used; the message says what to do."""


class StoreInUseError(StoreError):
    """Another sidecar owns the store."""


class StoreTooNewError(StoreError):
    """A newer program wrote the store."""


class StoreLostError(BaseException):
    """The database went away, and with it the ownership of the store: whether a commit under way took place is unknown.

    No ``except Exception`` may take this for the failure of one request: nothing may be answered any more.
    """


class Cursor(Protocol):
    """What a statement found."""

    @property
    def rowcount(self) -> int:
        """How many rows it touched."""

    def fetchone(self) -> Any:
        """The next row, or None."""

    def fetchall(self) -> list[Any]:
        """All rows that were not fetched."""


class Database(Protocol):
    """One connection to a store. Statements are Core's text (:mod:`sidecar.store.core`), with a mark for each value."""

    product: str
    """Whose words its faults are."""

    name: str
    """Which store it is, for whoever reads a message; no secret is in it."""

    failures: type[Exception]
    """What is raised where the database refuses a statement, a :meth:`commit` or a :meth:`stream`."""

    descriptor: int | None
    """Becomes readable where the connection may be lost, which :meth:`check` finds out; None if it cannot be."""

    @property
    def execute(self) -> Callable[[str, Sequence[Any]], Cursor]:
        """Run one statement. What it found is there until the next one runs."""

    def stream(self, text: str, values: Sequence[Any]) -> Iterator[Any]:
        """Run one query and yield its rows as they are read; several may be under way."""

    # -- transactions
    def begin(self) -> None:
        """Begin to write."""

    def begin_view(self) -> None:
        """Begin to read: until the end everything is seen as it is at the first read."""

    def commit(self) -> None:
        """Make durable what was written."""

    @property
    def in_transaction(self) -> bool:
        """Whether one is under way; a database may have ended it itself."""

    # -- the store as a whole
    def version(self) -> int:
        """The version of the store, 0 where nothing is there yet. Raises StoreError where something else is."""

    def prepare(self) -> None:
        """Set what a store that is written to needs."""

    def steps(self, version: int) -> Sequence[str]:
        """The statements that lead from that version to ours, the writing of the version left out."""

    def set_version(self, version: int) -> None:
        """Write the version."""

    def greatest_seq(self, table: str) -> int:
        """The greatest counting key that a table ever had, whatever was deleted since; 0 if it never had a row."""

    def fault(self) -> str | None:
        """The first fault that the database finds in its own keeping of the store, or None."""

    # -- the connection
    def check(self) -> None:
        """Find out whether the connection lives. Raises StoreLostError where it does not."""

    def close(self) -> None:
        """Close the store and give it up."""
