"""A session with a PostgreSQL server: connecting, what such a server must be, what is set, how text is written.

Whatever is asked of a server is asked before anything is changed there. No word of this holds a password.
"""

from __future__ import annotations

from typing import Final

from sidecar.store.address import Server
from sidecar.store.database import StoreError

try:
    import psycopg as psycopg  # for the store, which shares this one import
except ImportError:
    raise StoreError(
        "a store in PostgreSQL needs the driver psycopg: pip install 'lineup-runtime[postgresql]', or name a file"
    ) from None

from psycopg.adapt import Buffer, Dumper, Loader
from psycopg.types.numeric import Int8Dumper

_OLDEST_SERVER: Final = 140_000

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
    "lock_timeout": "5000",  # that of an owner which has just died goes with its session, soon
    "statement_timeout": "0",
    "idle_session_timeout": "0",
    "idle_in_transaction_session_timeout": "0",
    "default_transaction_isolation": "read committed",
    "tcp_keepalives_idle": "10",
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "3",
    "cursor_tuple_fraction": "1",
}
"""Whatever the server or the role would have; its keepalives free the store of an owner whose machine is gone."""

_MOST_PREPARED: Final = 1_000

_ADVICE: Final = {
    "password": "set PGPASSWORD or a password file to the role's password",
    "does not exist": "create it, in UTF8, or name another one",
    "starting up": "start again when it takes connections",
    "shutting down": "start again when it takes connections",
    "not accepting connections": "start again when it takes connections, or name another server",
    "too many": "each sidecar needs one connection: allow more, or end another program's",
    "Connection refused": "see that it runs, and that host and port are right",
    "timeout expired": "see that host and port are right and that nothing on the way keeps them apart",
}
"""What to do where a server, which may speak another language, says so."""


def connect(server: Server) -> psycopg.Connection:
    """Begin a session that is fit to be a store's.

    Raises:
        StoreError: there is none to be had; the message says why.
    """
    try:
        given = psycopg.conninfo.conninfo_to_dict(server.conninfo)
    except psycopg.Error:  # whose words may repeat a password
        raise StoreError("libpq knows no such postgresql:// address: see its manual for the options") from None
    try:
        conninfo = psycopg.conninfo.make_conninfo("", **{**_CONNECTION, **given})
        connection = psycopg.connect(conninfo, autocommit=True, prepare_threshold=0)
    except psycopg.Error as error:
        said = one_line(error)
        advice = next((f": {what}" for sign, what in _ADVICE.items() if sign in said), "")
        raise StoreError(f"cannot connect to {server.name}: {said}{advice}") from None
    try:
        _look(connection, server)
        _set_up(connection, server)
    except psycopg.Error as error:
        connection.close()
        raise StoreError(f"cannot use {server.name}: {one_line(error)}") from None
    except BaseException:
        connection.close()
        raise
    return connection


def refuse_read_only(connection: psycopg.Connection, server: Server) -> None:
    """See that the session may write at all.

    Raises:
        StoreError: it may not.
    """
    found = connection.execute("SELECT pg_is_in_recovery(), current_setting('transaction_read_only')").fetchone()
    is_standby, read_only = found or (False, "off")
    if is_standby:
        raise StoreError(
            f"the server of {server.name} is a standby, which takes no writes: name the primary, "
            "or all of them with target_session_attrs=read-write"
        )
    if read_only == "on":
        raise StoreError(
            f"sessions at {server.name} are read-only (default_transaction_read_only): connect as a role that may write"
        )


def one_line(error: Exception) -> str:
    """What an error says, without its line breaks."""
    return " ".join(str(error).split())


def _look(connection: psycopg.Connection, server: Server) -> None:
    """Refuse what is no fit server. A pooler gives a process number of its own, whichever its mode is."""
    [pid] = connection.execute("SELECT pg_backend_pid()", prepare=False).fetchone() or [None]
    if pid != connection.info.backend_pid:
        raise StoreError(
            f"a pooler stands before {server.name}, which may hand the session that owns the store to others: "
            "name the host and port of the server itself, as each sidecar needs one connection of its own"
        )
    if connection.info.server_version < _OLDEST_SERVER:
        raise StoreError(f"the server of {server.name} is too old: PostgreSQL 14 or a newer one is needed")
    if connection.info.parameter_status("server_encoding") != "UTF8":
        raise StoreError(f"the database of {server.name} is not in UTF8: make one with ENCODING 'UTF8'")


def _set_up(connection: psycopg.Connection, server: Server) -> None:
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
