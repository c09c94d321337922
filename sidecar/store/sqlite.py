"""SQLite's own ways: a file and, beside it, the lock file that makes this process its one owner (PROTOCOL 9)."""

from __future__ import annotations

import errno
import os
import sqlite3
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any, Final

from sidecar.store.compiled import schema
from sidecar.store.database import SCHEMA_VERSION, StoreError, StoreInUseError

_PRAGMAS: Final = (
    "page_size=2048",
    "fullfsync=ON",
    "journal_mode=WAL",
    "synchronous=FULL",
    "foreign_keys=ON",
    "temp_store=MEMORY",
)
"""A new store has small pages: a commit writes whole ones and waits for them, and few are full of what it says.
``fullfsync`` is for macOS alone: a plain sync waits there until the disk was told, not until it has what it was told.
"""

_MIGRATIONS: Final[dict[int, tuple[str, ...]]] = {}
"""What leads from each version to the next."""


def own(path: Path) -> SqliteDatabase:
    """Become the owner of a store that may not be there yet.

    Raises:
        StoreInUseError: another process owns it.
        StoreError: it cannot be opened.
    """
    lock = _take_lock(path)
    try:
        _refuse_second_name(path)
        return SqliteDatabase(path, _connect(f"file:{_quoted(path)}", path), lock)
    except BaseException:
        lock.close()
        raise


def look_at(path: Path) -> SqliteDatabase:
    """Open a store to read it, also while its owner runs.

    Raises:
        StoreError: there is none.
    """
    if not path.is_file():
        raise StoreError(f"there is no store at {path}: name one with --database")
    return SqliteDatabase(path, _connect(f"file:{_quoted(path)}?mode=ro", path))


class SqliteDatabase:
    """An open file."""

    product = "SQLite"
    failures: type[Exception] = sqlite3.Error
    descriptor: int | None = None

    def __init__(self, path: Path, connection: sqlite3.Connection, lock: IO[bytes] | None = None) -> None:
        self.name = str(path)
        self.execute: Callable[..., sqlite3.Cursor] = connection.cursor().execute
        self._connection = connection
        self._lock = lock

    def stream(self, text: str, values: Sequence[Any]) -> Iterator[Any]:
        """Yield rows from a cursor of their own."""
        yield from self._connection.execute(text, values)

    def begin(self) -> None:
        """Take SQLite's write lock at once: a transaction that reads first and then writes may find it taken."""
        self.execute("BEGIN IMMEDIATE")

    def begin_view(self) -> None:
        """Begin a transaction that takes no lock which its owner would wait for."""
        self.execute("BEGIN")

    def commit(self) -> None:
        """Commit, durably: ``synchronous=FULL``."""
        self.execute("COMMIT")

    @property
    def in_transaction(self) -> bool:
        """Whether one is under way: after some failures, SQLite has ended it."""
        return self._connection.in_transaction

    def version(self) -> int:
        """``PRAGMA user_version``."""
        try:
            (version,) = self.execute("PRAGMA user_version").fetchone()
            (objects,) = self.execute("SELECT count(*) FROM sqlite_master").fetchone()
        except sqlite3.Error as error:
            raise StoreError(f"the file at {self.name} is no store: {error}") from None
        if version < 0 or (version == 0 and objects):
            raise StoreError(f"the file at {self.name} is a database of something else: name another with --database")
        return int(version)

    def prepare(self) -> None:
        """Set the pragmas, which hold for this connection or, once written, for the file."""
        for pragma in _PRAGMAS:
            self.execute(f"PRAGMA {pragma}")
        self.begin()  # SQLite opens what it may not write, too, and says so only where that is tried
        self.set_version(self.version())
        self.execute("ROLLBACK")

    def steps(self, version: int) -> Sequence[str]:
        """The whole schema, or what changed since."""
        if version == 0:
            return schema.SQLITE
        return [step for one in range(version, SCHEMA_VERSION) for step in _MIGRATIONS[one]]

    def set_version(self, version: int) -> None:
        """Write ``PRAGMA user_version``, which is part of the transaction."""
        self.execute(f"PRAGMA user_version = {version}")

    def greatest_seq(self, table: str) -> int:
        """What AUTOINCREMENT keeps."""
        found = self.execute("SELECT seq FROM sqlite_sequence WHERE name = ?", (table,)).fetchone()
        return found[0] if found is not None and isinstance(found[0], int) else 0

    def fault(self) -> str | None:
        """The first fault in the file's pages, indexes and constraints."""
        try:
            (found,) = self.execute("PRAGMA integrity_check(1)").fetchone()
        except sqlite3.Error as error:
            return str(error)
        return None if found == "ok" else str(found)

    def check(self) -> None:
        """Do nothing: a file stays open."""

    def close(self) -> None:
        """Close the file and let the lock go."""
        self._connection.close()
        if self._lock is not None:
            self._lock.close()


def _connect(uri: str, path: Path) -> sqlite3.Connection:
    try:
        return sqlite3.connect(uri, uri=True, isolation_level=None, cached_statements=512, timeout=5)
    except sqlite3.Error as error:
        raise StoreError(f"cannot open the store at {path}: {error}") from None


def _refuse_second_name(path: Path) -> None:
    """SQLite keeps what is newest beside the file, under its name: by another name it would be missed."""
    try:
        names = path.stat().st_nlink
    except OSError:
        return  # not there yet, or not to be opened: what opens it says so
    if names > 1:
        raise StoreError(f"the store at {path} has another name, too (a hard link): remove one, or copy the file")


def _take_lock(path: Path) -> IO[bytes]:
    """Take the lock file beside the store; the operating system gives it back however this process ends."""
    try:
        if not path.exists():
            _make_folder(path.parent)
        lock = path.with_name(path.name + ".lock").open("ab")
    except OSError as error:
        raise StoreError(f"cannot make the store at {path}: {error.strerror}") from None
    try:
        _lock_file(lock)
    except OSError:
        lock.close()
        raise StoreInUseError(f"another sidecar is using the store at {path}: end it, or name another store") from None
    return lock


def _make_folder(folder: Path) -> None:
    """Have the folder of a new store, durably: SQLite syncs the names in it, but not that of the folder itself.

    The innermost one that is there may have been made by a process that was killed before it had synced that.
    """
    if not folder.is_dir():
        _make_folder(folder.parent)
        folder.mkdir(exist_ok=True)
    _sync_names(folder.parent)


def _sync_names(folder: Path) -> None:
    """Wait until the disk has the names in a folder, where the system lets anybody wait for that."""
    if sys.platform == "win32":
        return
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except PermissionError:  # where nobody may look, no folder of ours was made
        return
    try:
        _wait_for_disk(descriptor)
    except OSError as error:
        if error.errno != errno.EINVAL:  # a file system without such a sync
            raise
    finally:
        os.close(descriptor)


def _wait_for_disk(descriptor: int) -> None:
    if sys.platform == "darwin":
        import fcntl

        fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
    else:
        os.fsync(descriptor)


def _lock_file(lock: IO[bytes]) -> None:
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(lock.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(lock.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)


def _quoted(path: Path) -> str:
    return str(path).replace("%", "%25").replace("?", "%3f").replace("#", "%23")
