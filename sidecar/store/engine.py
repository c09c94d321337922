"""Opening a store: which one an address names, its one owner, its version (RULES 1 and 6, PROTOCOL 9)."""

from __future__ import annotations

from pathlib import Path

from sidecar.store import sqlite
from sidecar.store.address import read_address
from sidecar.store.database import SCHEMA_VERSION, Database, StoreError, StoreTooNewError


def open_database(address: str) -> Database:
    """Open a store for writing, made or migrated where needed; for ``address`` see :mod:`sidecar.store.address`.

    Raises:
        StoreInUseError: another process owns it.
        StoreTooNewError: its version is above ours; it was not touched.
        StoreError: it cannot be opened, or is no store.
    """
    named = read_address(address)
    if isinstance(named, Path):
        database: Database = sqlite.own(named)
    else:
        from sidecar.store import postgresql

        database = postgresql.own(named)
    try:
        _bring_up(database)
    except database.failures as error:
        database.close()
        raise StoreError(f"cannot use the store at {database.name}: {error}") from None
    except BaseException:
        database.close()
        raise
    return database


def open_to_read(address: str) -> Database:
    """Open a store to look at it, also while its owner runs.

    Raises:
        StoreError: there is none, or it is no store.
    """
    named = read_address(address)
    if isinstance(named, Path):
        database: Database = sqlite.look_at(named)
    else:
        from sidecar.store import postgresql

        database = postgresql.look_at(named)
    try:
        version = database.version()
    except BaseException:
        database.close()
        raise
    if version != SCHEMA_VERSION:
        database.close()
        raise StoreError(f"the store at {database.name} has version {version}; this program reads {SCHEMA_VERSION}")
    return database


def _bring_up(database: Database) -> None:
    version = database.version()
    if version > SCHEMA_VERSION:
        known = f"has version {version}, this program knows {SCHEMA_VERSION}"
        raise StoreTooNewError(f"the store at {database.name} {known}: use a newer sidecar")
    database.prepare()
    _migrate(database, version)


def _migrate(database: Database, version: int) -> None:
    """Lead the store to our version, in one transaction with the version itself."""
    if version == SCHEMA_VERSION:
        return
    database.begin()
    try:
        for step in database.steps(version):
            database.execute(step, ())
        database.set_version(SCHEMA_VERSION)
        database.commit()
    except BaseException:
        if database.in_transaction:  # the database may have ended it itself
            database.execute("ROLLBACK", ())
        raise
