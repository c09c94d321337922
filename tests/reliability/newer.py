"""A newer program than there is: its store has another version, and a migration leads there."""

from __future__ import annotations

import sqlite3
from functools import partial
from typing import Any

from sidecar.store import database, engine, sqlite

STEPS = (
    "ALTER TABLE conversation ADD COLUMN colour TEXT NOT NULL DEFAULT 'none'",
    "UPDATE conversation SET colour = 'grey'",
    "CREATE TABLE palette (colour TEXT PRIMARY KEY)",
    "INSERT INTO palette SELECT DISTINCT colour FROM conversation",
)


class Statements(sqlite3.Cursor):
    """A cursor whose statements can be counted."""

    def execute(self, *statement: Any) -> sqlite3.Cursor:
        """Run one."""
        return super().execute(*statement)


class Watched(sqlite3.Connection):
    """A connection that has no other cursors."""

    def cursor(self, *_given: Any) -> Any:
        """One whose statements can be counted."""
        return super().cursor(Statements)

    def execute(self, *statement: Any) -> sqlite3.Cursor:
        """Run one."""
        return Statements(self).execute(*statement)


def plant() -> None:
    """Be that program, and let its statements be counted."""
    older = database.SCHEMA_VERSION
    for module in (database, engine, sqlite):
        vars(module)["SCHEMA_VERSION"] = older + 1
    vars(sqlite)["_MIGRATIONS"] = {**sqlite._MIGRATIONS, older: STEPS}
    vars(sqlite3)["connect"] = partial(sqlite3.connect, factory=Watched)
