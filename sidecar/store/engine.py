"""Opening a store: SQLite's own ways, its one owner, its version (RULES 1 and 6, PROTOCOL 9)."""

from __future__ import annotations

import sqlite3
import sys
from pathlib import Path
from typing import IO, Final

from sidecar.store.compiled import schema

SCHEMA_VERSION: Final = 1
"""``PRAGMA user_version`` of a store that this program writes."""

_PRAGMAS: Final = ("page_size=2048", "journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "temp_store=MEMORY")
"""A new store has small pages: a commit writes whole ones and waits for them, and few are full of what it says."""

_MIGRATIONS: Final[dict[int, tuple[str, ...]]] = {}
"""What leads from each version to the next, in one transaction with the version itself."""


class StoreError(Exception):
    """The store cannot be used; the message says what to do."""


class StoreInUseError(StoreError):
    """Another sidecar owns the store."""


class StoreTooNewError(StoreError):
    """A newer program wrote the store."""


class Database:
    """An open store: the driver's connection and the lock that makes this process its one owner."""

    def __init__(self, connection: sqlite3.Connection, lock: IO[bytes] | None) -> None:
        self.connection = connection
        self._lock = lock

    def close(self) -> None:
        """Close the store and give it up."""
        self.connection.close()
        if self._lock is not None:
            self._lock.close()


def open_database(address: str) -> Database:
    """Open a store for writing, made or migrated where needed; ``address`` is a path or ``sqlite:///path``.

    Raises:
        StoreInUseError: another process owns it.
        StoreTooNewError: its version is above ours; it was not touched.
        StoreError: it cannot be opened, or is no store.
    """
    path = path_of(address)
    lock = _own(path)
    try:
        connection = _connect(f"file:{_quoted(path)}", path)
        _bring_up(connection, path)
    except BaseException:
        lock.close()
        raise
    return Database(connection, lock)


def open_to_read(address: str) -> Database:
    """Open a store to look at it, also while its owner runs.

    Raises:
        StoreError: there is none, or it is no store.
    """
    path = path_of(address)
    if not path.is_file():
        raise StoreError(f"there is no store at {path}: name one with --database")
    connection = _connect(f"file:{_quoted(path)}?mode=ro", path)
    try:
        version = _version(connection, path)
    except StoreError:
        connection.close()
        raise
    if version != SCHEMA_VERSION:
        connection.close()
        raise StoreError(f"the store at {path} has version {version}; this program reads {SCHEMA_VERSION}")
    return Database(connection, None)


def check_file(connection: sqlite3.Connection) -> str | None:
    """The first fault that SQLite finds in the file's pages and indexes, or None."""
    try:
        (found,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    except sqlite3.Error as error:
        return str(error)
    return None if found == "ok" else str(found)


def greatest_seq(connection: sqlite3.Connection, table: str) -> int:
    """The greatest counting key that a table ever had, whatever was deleted since; 0 if it never had a row."""
    found = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = ?", (table,)).fetchone()
    return found[0] if found is not None and isinstance(found[0], int) else 0


def path_of(address: str) -> Path:
    """The file that an address names.

    Raises:
        StoreError: the address names another kind of database.
    """
    scheme, separator, rest = address.partition("://")
    if not separator:
        scheme, rest = "sqlite", f"/{address}"
    if scheme != "sqlite" or not rest.startswith("/") or not rest[1:]:
        raise StoreError("the store must be a path or sqlite:///path")
    path = Path(rest[1:]) if separator else Path(rest[1:]).expanduser()
    try:
        return path.resolve()  # whichever link leads to it, it has one owner
    except (OSError, RuntimeError, ValueError) as error:
        raise StoreError(f"cannot find the store at {path}: {error}") from None


def _connect(uri: str, path: Path) -> sqlite3.Connection:
    try:
        connection = sqlite3.connect(uri, uri=True, isolation_level=None, cached_statements=512, timeout=5)
    except sqlite3.Error as error:
        raise StoreError(f"cannot open the store at {path}: {error}") from None
    return connection


def _bring_up(connection: sqlite3.Connection, path: Path) -> None:
    try:
        version = _version(connection, path)
        if version > SCHEMA_VERSION:
            raise StoreTooNewError(
                f"the store at {path} has version {version}, this program knows {SCHEMA_VERSION}: use a newer sidecar"
            )
        for pragma in _PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")
        _migrate(connection, version)
    except sqlite3.Error as error:
        connection.close()
        raise StoreError(f"cannot use the store at {path}: {error}") from None
    except StoreError:
        connection.close()
        raise


def _version(connection: sqlite3.Connection, path: Path) -> int:
    try:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        (objects,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.Error as error:
        raise StoreError(f"the file at {path} is no store: {error}") from None
    if version < 0 or (version == 0 and objects):
        raise StoreError(f"the file at {path} is a database of something else: name another with --database")
    return int(version)


def _migrate(connection: sqlite3.Connection, version: int) -> None:
    if version == SCHEMA_VERSION:
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        steps = schema.STEPS if version == 0 else [s for v in range(version, SCHEMA_VERSION) for s in _MIGRATIONS[v]]
        for step in steps:
            connection.execute(step)
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # SQLite may have ended it itself
            connection.execute("ROLLBACK")
        raise


def _own(path: Path) -> IO[bytes]:
    """Take the lock file beside the store; the operating system gives it back however this process ends."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = path.with_name(path.name + ".lock").open("ab")
    except OSError as error:
        raise StoreError(f"cannot make the store at {path}: {error.strerror}") from None
    try:
        _lock_file(lock)
    except OSError:
        lock.close()
        raise StoreInUseError(f"another sidecar is using the store at {path}: end it, or name another store") from None
    return lock


def _lock_file(lock: IO[bytes]) -> None:
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(lock.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(lock.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)


def _quoted(path: Path) -> str:
    return str(path).replace("%", "%25").replace("?", "%3f").replace("#", "%23")
