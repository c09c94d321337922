"""PostgreSQL's own ways: one schema is a store, one session its one owner. The only user of psycopg.

The session that holds the store's advisory lock is the one that writes: who has lost the lock can write no more, and
nobody else writes meanwhile, so that READ COMMITTED is enough. A connection that is lost is not made anew.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import count
from typing import Any, Final

from sidecar.store.address import Server
from sidecar.store.compiled import schema
from sidecar.store.database import SCHEMA_VERSION, StoreError, StoreInUseError, StoreLostError

try:
    import psycopg
except ImportError:
    raise StoreError(
        "a store in PostgreSQL needs the driver psycopg: pip install 'lineup-runtime[postgresql]', or name a file"
    ) from None

from psycopg.adapt import Buffer, Dumper, Loader
from psycopg.types.numeric import Int8Dumper

_OLDEST_SERVER: Final = 140_000
_WAIT_MS: Final = 5_000
"""How long somebody else's lock is waited for: that of an owner which has just died goes with its session, soon."""

_CONNECTION: Final[dict[str, str | int]] = {
    "connect_timeout": 10,
    "client_encoding": "UTF8",
    "fallback_application_name": "lineup-sidecar",
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 25_000,
}
"""What the address does not say of itself: a server that is gone without a word shows within half a minute."""

_SESSION: Final = {
    "lock_timeout": str(_WAIT_MS),
    "statement_timeout": "0",
    "idle_session_timeout": "0",
    "idle_in_transaction_session_timeout": "0",
    "tcp_keepalives_idle": "10",
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "3",
    "cursor_tuple_fraction": "1",
}
"""Whatever the server or the role would have; its keepalives free the store of an owner whose machine is gone."""

_MOST_PREPARED: Final = 1_000

_KEEPING: Final = (
    "CREATE TABLE storekeeping (name TEXT PRIMARY KEY, value BIGINT NOT NULL)",
    "INSERT INTO storekeeping VALUES ('version', 0), ('audit', 0)",
    "CREATE FUNCTION keep_greatest() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
    "UPDATE storekeeping SET value = NEW.seq WHERE name = 'audit' AND value < NEW.seq; RETURN NULL; END $$",
    "CREATE TRIGGER keep_greatest AFTER INSERT ON audit FOR EACH ROW EXECUTE FUNCTION keep_greatest()",
)
"""What SQLite keeps of itself: the version, and the greatest number that the audit ever had."""

_MIGRATIONS: Final[dict[int, tuple[str, ...]]] = {}
"""What leads from each version to the next."""


def own(server: Server) -> PostgresqlDatabase:
    """Become the owner of a store that may not be there yet.

    Raises:
        StoreInUseError: another process owns it.
        StoreError: the database cannot be reached or used.
    """
    database = _open(server)
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
    database = _open(server)
    if database.version():
        return database
    database.close()
    raise StoreError(f"there is no store at {server.name}: name one with --database")


class PostgresqlDatabase:
    """A session. Its transactions are begun and ended in words, as SQLite's are."""

    product = "PostgreSQL"
    failures: type[Exception] = psycopg.Error

    def __init__(self, server: Server, connection: psycopg.Connection) -> None:
        self.name = server.name
        self.descriptor: int | None = connection.fileno()
        self._schema = server.schema
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
        digest = hashlib.sha256(f"lineup {self._schema}".encode()).digest()
        key = int.from_bytes(digest[:8], "big", signed=True)
        try:
            self.execute("SELECT pg_advisory_lock(?)", (key,))  # it is the database's own
        except psycopg.errors.LockNotAvailable:
            raise StoreInUseError(
                f"another sidecar is using the store at {self.name}: end it, or name another schema"
            ) from None
        if self.execute("SELECT pg_backend_pid()").fetchone() != (self._connection.info.backend_pid,):
            raise StoreError(f"a pooler stands before {self.name}: connect to the server itself, which keeps a session")

    def version(self) -> int:
        """What the store's own keeping says."""
        found = self.execute(
            "SELECT to_regclass('storekeeping') IS NOT NULL AND to_regclass('audit') IS NOT NULL, "
            "EXISTS (SELECT 1 FROM pg_class WHERE relnamespace = to_regnamespace(?))",
            (self._schema,),
        ).fetchone()
        is_store, has_objects = found or (False, False)
        if not is_store and has_objects:
            raise StoreError(f"{self.name} has tables of something else: name another schema with --database")
        if not is_store:
            return 0
        (version,) = self.execute("SELECT value FROM storekeeping WHERE name = 'version'").fetchone() or (0,)
        return int(version)

    def prepare(self) -> None:
        """Do nothing: the session is set."""

    def steps(self, version: int) -> Sequence[str]:
        """The whole schema, or what changed since."""
        if version:
            return [step for one in range(version, SCHEMA_VERSION) for step in _MIGRATIONS[one]]
        there = self.execute("SELECT to_regnamespace(?) IS NOT NULL", (self._schema,)).fetchone() == (True,)
        return [*([] if there else [f"CREATE SCHEMA {self._schema}"]), *schema.POSTGRESQL, *_KEEPING]

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
            (self._schema,),
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

    def _lost(self, error: psycopg.Error) -> StoreLostError | None:
        ends = error.diag.severity_nonlocalized in ("FATAL", "PANIC")
        if self._connection.pgconn.status == psycopg.pq.ConnStatus.OK and not ends:
            return None
        return StoreLostError(
            f"the connection to the store at {self.name} was lost, and with it the ownership; "
            f"what was answered is kept: start again ({_first_line(error)})"
        )


def _open(server: Server) -> PostgresqlDatabase:
    """Connect and set the session."""
    try:
        given = psycopg.conninfo.conninfo_to_dict(server.conninfo)
    except psycopg.Error:  # whose words may repeat a password
        raise StoreError("libpq knows no such postgresql:// address: see its manual for the options") from None
    try:
        conninfo = psycopg.conninfo.make_conninfo("", **{**_CONNECTION, **given})
        connection = psycopg.connect(conninfo, autocommit=True, prepare_threshold=0)
    except psycopg.Error as error:
        raise StoreError(f"cannot connect to {server.name}: {_first_line(error)}") from None
    try:
        _set_up(connection, server)
        return PostgresqlDatabase(server, connection)
    except psycopg.Error as error:
        connection.close()
        raise StoreError(f"cannot use {server.name}: {_first_line(error)}") from None
    except BaseException:
        connection.close()
        raise


def _set_up(connection: psycopg.Connection, server: Server) -> None:
    if connection.info.server_version < _OLDEST_SERVER:
        raise StoreError(f"the server of {server.name} is too old: PostgreSQL 14 or a newer one is needed")
    if connection.info.parameter_status("server_encoding") != "UTF8":
        raise StoreError(f"the database of {server.name} is not in UTF8: make one with ENCODING 'UTF8'")
    connection.prepared_max = _MOST_PREPARED
    connection.adapters.register_dumper(str, _TextDumper)
    connection.adapters.register_dumper(int, Int8Dumper)  # one type for all, so that a statement is prepared once
    connection.adapters.register_loader("text", _TextLoader)
    settings = {"search_path": server.schema, **_SESSION}
    texts = [text for setting in settings.items() for text in setting]
    connection.execute(f"SELECT {', '.join(['set_config(%s, %s, false)'] * len(settings))}", texts)
    connection.execute(
        "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'"
    )


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0]


@cache
def _placed(text: str) -> str:
    """A statement with psycopg's placeholders; the export sees to it that these two characters mean nothing else."""
    return text.replace("%", "%%").replace("?", "%s")


# -- text
_NUL, _ESCAPE = "\0", "\1"
_ESCAPED_NUL, _ESCAPED_ESCAPE = "\1\2", "\1\3"
"""PostgreSQL takes no NUL in a text: it is written as two characters that sort as it does. JSON has its own way."""


class _TextDumper(Dumper):
    """Text, its type left to the server, so that null is of the same type."""

    def dump(self, obj: str) -> bytes:
        """Write it in UTF-8."""
        if _NUL in obj or _ESCAPE in obj:
            obj = obj.replace(_ESCAPE, _ESCAPED_ESCAPE).replace(_NUL, _ESCAPED_NUL)
        return obj.encode()


class _TextLoader(Loader):
    """What a :class:`_TextDumper` wrote."""

    def load(self, data: Buffer) -> str:
        """Read it back."""
        text = bytes(data).decode()
        if _ESCAPE in text:
            text = text.replace(_ESCAPED_NUL, _NUL).replace(_ESCAPED_ESCAPE, _ESCAPE)
        return text
