"""PostgreSQL's own ways: one schema is a store, one session its one owner.

The session that holds the store's advisory lock is the one that writes: who has lost the lock can write no more, and
nobody else writes meanwhile, so that READ COMMITTED is enough. A connection that is lost is not made anew.
"""

from __future__ import annotations

import hashlib
import socket
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import count
from typing import Any, Final

from sidecar.store.address import Server
from sidecar.store.compiled import schema
from sidecar.store.database import SCHEMA_VERSION, StoreError, StoreInUseError, StoreLostError
from sidecar.store.session import connect, one_line, psycopg, refuse_read_only

_KEEPING: Final = (
    "CREATE TABLE storekeeping (name TEXT PRIMARY KEY, value BIGINT NOT NULL)",
    "INSERT INTO storekeeping VALUES ('version', 0), ('audit', 0)",
    "CREATE FUNCTION keep_greatest() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
    "UPDATE storekeeping SET value = NEW.seq WHERE name = 'audit' AND value < NEW.seq; RETURN NULL; END $$",
    "CREATE TRIGGER keep_greatest AFTER INSERT ON audit FOR EACH ROW EXECUTE FUNCTION keep_greatest()",
)
"""What SQLite keeps of itself: the version, and the greatest number that the audit ever had."""

_NO_RIGHT: Final = (
    "SELECT 'create a schema' WHERE NOT EXISTS (SELECT 1 FROM pg_namespace WHERE nspname = ?) "
    "AND NOT has_database_privilege(current_database(), 'CREATE') "
    "UNION ALL SELECT 'create a table' FROM pg_namespace n WHERE nspname = ? "
    "AND NOT has_schema_privilege(oid, 'CREATE') AND NOT EXISTS (SELECT 1 FROM pg_class WHERE relnamespace = n.oid) "
    "UNION ALL SELECT 'write ' || relname FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace "
    "WHERE nspname = ? AND NOT CASE relkind WHEN 'S' THEN has_sequence_privilege(c.oid, 'USAGE') "
    "WHEN 'r' THEN has_table_privilege(c.oid, 'SELECT') AND has_table_privilege(c.oid, 'INSERT') "
    "AND has_table_privilege(c.oid, 'UPDATE') AND has_table_privilege(c.oid, 'DELETE') ELSE true END LIMIT 1"
)
"""The first thing that a store needs of its writer, which the role may not do; each mark is the schema's name."""

_MIGRATIONS: Final[dict[int, tuple[str, ...]]] = {}
"""What leads from each version to the next."""


def own(server: Server) -> PostgresqlDatabase:
    """Become the owner of a store that may not be there yet.

    Raises:
        StoreInUseError: another process owns it.
        StoreError: the database cannot be reached or used.
    """
    database = PostgresqlDatabase(server, connect(server))
    try:
        database.take_lock()
    except BaseException:
        database.close()
        raise
    return database


def look_at(server: Server) -> PostgresqlDatabase:
    """Connect to read a store, also while its owner runs.

    Raises:
        StoreError: the database cannot be reached or has no such store.
    """
    database = PostgresqlDatabase(server, connect(server))
    try:
        if database.version():
            return database
    except BaseException:
        database.close()
        raise
    database.close()
    raise StoreError(f"there is no store at {server.name}: name one with --database")


class PostgresqlDatabase:
    """A session. Its transactions are begun and ended in words, as SQLite's are."""

    product = "PostgreSQL"
    failures: type[Exception] = psycopg.Error

    def __init__(self, server: Server, connection: psycopg.Connection) -> None:
        self.name = server.name
        self._watched = socket.fromfd(connection.fileno(), socket.AF_INET, socket.SOCK_STREAM)
        """Another handle of the same connection: libpq closes its own with the loss, and a closed one tells nobody."""
        self.descriptor: int | None = self._watched.fileno()
        self._loss: StoreLostError | None = None
        self._server = server
        self._connection = connection
        self._cursor = connection.cursor()
        self._views = count(1)

    def execute(self, text: str, values: Sequence[Any] = ()) -> psycopg.Cursor:
        """Run one statement, prepared at its first run."""
        try:
            return self._cursor.execute(_placed(text), values)
        except psycopg.Error as error:
            raise self._lost(error) or error from None

    def stream(self, text: str, values: Sequence[Any]) -> Iterator[Any]:
        """Yield rows from a cursor that the server keeps."""
        try:
            with self._connection.cursor(f"view_{next(self._views)}") as cursor:
                yield from cursor.execute(_placed(text), values)
        except psycopg.Error as error:
            raise self._lost(error) or error from None

    def begin(self) -> None:
        """Begin; the lock that was taken at the start keeps all others out."""
        self.execute("BEGIN")

    def begin_view(self) -> None:
        """Begin with a snapshot that stays."""
        self.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")

    def commit(self) -> None:
        """Commit, durably. The server answers a failed transaction by rolling back, which is no error to it."""
        if self.execute("COMMIT").statusmessage != "COMMIT":
            raise psycopg.DatabaseError("a statement had failed, nothing was committed")

    @property
    def in_transaction(self) -> bool:
        """Whether one is under way, sound or failed."""
        return self._connection.info.transaction_status != psycopg.pq.TransactionStatus.IDLE

    # -- the store as a whole
    def take_lock(self) -> None:
        """Own the store for as long as the session lives.

        Raises:
            StoreInUseError: another session does.
        """
        refuse_read_only(self._connection, self._server)
        digest = hashlib.sha256(f"lineup {self._server.schema}".encode()).digest()
        key = int.from_bytes(digest[:8], "big", signed=True)
        try:
            self.execute("SELECT pg_advisory_lock(?)", (key,))  # it is the database's own
        except psycopg.errors.LockNotAvailable:
            raise StoreInUseError(
                f"another sidecar is using the store at {self.name}{self._holder(key)}: end it, or name another schema"
            ) from None

    def _holder(self, key: int) -> str:
        """Which of the server's processes has the lock."""
        found = self.execute(
            "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted AND database = "
            "(SELECT oid FROM pg_database WHERE datname = current_database()) "
            "AND classid::bigint = ? AND objid::bigint = ? AND objsubid = 1",
            (key >> 32 & 0xFFFFFFFF, key & 0xFFFFFFFF),
        ).fetchone()
        return "" if found is None else f" (the server's process {found[0]} is its session)"

    def version(self) -> int:
        """What the store's own keeping says."""
        found = self.execute(
            "SELECT has_schema_privilege(oid, 'USAGE'), "
            "to_regclass('storekeeping') IS NOT NULL, "
            "EXISTS (SELECT 1 FROM pg_class WHERE relnamespace = n.oid) FROM pg_namespace n WHERE nspname = ?",
            (self._server.schema,),
        ).fetchone()
        may_use, is_store, has_objects = found or (True, False, False)
        if not may_use:
            raise StoreError(f"the role may not use {self.name}: connect as its owner, or GRANT USAGE to the role")
        if not is_store and has_objects:
            raise StoreError(f"{self.name} has tables of something else: name another schema with --database")
        if not is_store:
            return 0
        (version,) = self.execute("SELECT value FROM storekeeping WHERE name = 'version'").fetchone() or (0,)
        return int(version)

    def prepare(self) -> None:
        """See that the role may write: the session is set already.

        Raises:
            StoreError: it may not.
        """
        name = self._server.schema
        found = self.execute(_NO_RIGHT, (name, name, name)).fetchone()
        if found is not None:
            raise StoreError(
                f"the role may not {found[0]} at {self.name}: connect as its owner, or GRANT it to the role"
            )

    def steps(self, version: int) -> Sequence[str]:
        """The whole schema, or what changed since."""
        if version:
            return [step for one in range(version, SCHEMA_VERSION) for step in _MIGRATIONS[one]]
        name = self._server.schema
        there = self.execute("SELECT 1 FROM pg_namespace WHERE nspname = ?", (name,)).fetchone()
        return [*([] if there else [f'CREATE SCHEMA "{name}"']), *schema.POSTGRESQL, *_KEEPING]

    def set_version(self, version: int) -> None:
        """Write it into the store's own keeping."""
        self.execute("UPDATE storekeeping SET value = ? WHERE name = 'version'", (version,))

    def greatest_seq(self, table: str) -> int:
        """What the trigger keeps."""
        found = self.execute("SELECT value FROM storekeeping WHERE name = ?", (table,)).fetchone()
        return 0 if found is None else int(found[0])

    def fault(self) -> str | None:
        """An index that does not hold: what should be unique might not be."""
        found = self.execute(
            "SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid "
            "WHERE c.relnamespace = to_regnamespace(?) AND NOT (i.indisvalid AND i.indisready AND i.indislive) "
            "ORDER BY 1 LIMIT 1",
            (self._server.schema,),
        ).fetchone()
        return None if found is None else f"the index {found[0]} is invalid: REINDEX it"

    # -- the connection
    def check(self) -> None:
        """Take in what the server said of its own accord, which may be its farewell."""
        try:
            self._connection.pgconn.consume_input()
        except psycopg.Error as error:
            raise self._lost(error) or error from None

    def close(self) -> None:
        """End the session, and with it the ownership."""
        self._connection.close()
        self._watched.close()

    def _lost(self, error: psycopg.Error) -> StoreLostError | None:
        ends = error.diag.severity_nonlocalized in ("FATAL", "PANIC")
        if self._loss is None and self._connection.pgconn.status == psycopg.pq.ConnStatus.OK and not ends:
            return None
        self._loss = self._loss or StoreLostError(
            f"the connection to the store at {self.name} was lost, and with it the ownership; "
            f"what was answered is kept: start again ({one_line(error)})"
        )
        return self._loss


@cache
def _placed(text: str) -> str:
    """A statement with psycopg's placeholders; the export sees to it that these two characters mean nothing else."""
    return text.replace("%", "%%").replace("?", "%s")
