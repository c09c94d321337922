"""A server, a database or a role that a store cannot be kept with: each has its word, and what to do about it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import psycopg
import pytest

from host_bridge.client import Sidecar
from host_bridge.command import find_sidecar, serve_command
from scripts.postgresql import Server
from tests.postgresql.command import PING, refused, start
from tests.postgresql.conftest import ADDRESS


def run(admin: psycopg.Connection, sql: str, schema: str) -> None:
    """Run statements about a schema and the role of the same name."""
    admin.execute(sql.replace("{schema}", schema).encode())


@pytest.fixture
def role(admin: psycopg.Connection, schema: str) -> str:
    """A role that owns nothing."""
    admin.execute(f"CREATE ROLE {schema} LOGIN")
    return schema


@pytest.fixture
def address_of_role(address: str, role: str) -> str:
    """The store's address, for that role."""
    return address.replace("//lineup@", f"//{role}@")


# -- the role

NO_STORE = {
    "no schema, and none may be made": ("", "the role may not create a schema at postgresql://"),
    "a schema that it may not look into": ("CREATE SCHEMA {schema}", "the role may not use postgresql://"),
    "a schema that it may only look into": (
        "CREATE SCHEMA {schema}; GRANT USAGE ON SCHEMA {schema} TO {schema}",
        "the role may not create a table at postgresql://",
    ),
}
TABLES = "GRANT USAGE ON SCHEMA {schema} TO {schema}; GRANT ALL ON ALL TABLES IN SCHEMA {schema} TO {schema}"
ALL = TABLES + "; GRANT ALL ON ALL SEQUENCES IN SCHEMA {schema} TO {schema}"
STORE = {
    "a store that it may not look into": ("", "the role may not use postgresql://"),
    "a store that it may only read": (
        "GRANT USAGE ON SCHEMA {schema} TO {schema}; GRANT SELECT ON ALL TABLES IN SCHEMA {schema} TO {schema}",
        "the role may not write ",
    ),
    "a store of which it may not count": (TABLES, "the role may not write delivery_seq_seq at postgresql://"),
    "a store in which it may not delete": (
        ALL + "; REVOKE DELETE ON toolcall FROM {schema}",
        "the role may not write toolcall at postgresql://",
    ),
}


@pytest.mark.parametrize("case", NO_STORE)
def test_a_role_without_rights_makes_no_store(
    admin: psycopg.Connection, address_of_role: str, schema: str, case: str
) -> None:
    sql, words = NO_STORE[case]
    run(admin, sql, schema)
    refused(address_of_role, words, "connect as its owner, or GRANT ")


@pytest.mark.parametrize("case", STORE)
def test_a_role_without_rights_does_not_take_a_store_that_is_there(
    admin: psycopg.Connection, address: str, address_of_role: str, schema: str, case: str
) -> None:
    assert start(address).returncode == 0
    sql, words = STORE[case]
    run(admin, sql, schema)
    refused(address_of_role, words, "connect as its owner, or GRANT ")
    run(admin, ALL, schema)
    assert start(address_of_role).returncode == 0


def test_a_role_that_may_only_read_reads_and_serves_nobody(
    admin: psycopg.Connection, address: str, address_of_role: str, schema: str
) -> None:
    assert start(address).returncode == 0
    run(admin, f"{ALL}; ALTER ROLE {{schema}} SET default_transaction_read_only = on", schema)
    refused(address_of_role, "are read-only (default_transaction_read_only): connect as a role that may write")
    verify = [*find_sidecar(), "verify", "--database", address_of_role]
    assert b"everything holds" in subprocess.run(verify, capture_output=True, timeout=60, check=True).stdout


def test_a_role_with_no_connection_left_is_told_what_each_sidecar_needs(
    admin: psycopg.Connection, address_of_role: str, schema: str
) -> None:
    admin.execute(f"ALTER ROLE {schema} CONNECTION LIMIT 0")
    refused(address_of_role, "too many connections", "each sidecar needs one connection")


# -- the database and the server


def test_a_database_that_is_not_there_is_to_be_made() -> None:
    assert ADDRESS
    refused(ADDRESS.replace("/postgres?", "/nowhere?"), 'database "nowhere" does not exist: create it, in UTF8')


@pytest.mark.parametrize("encoding", ["LATIN1", "SQL_ASCII"])
def test_a_database_in_another_encoding_is_refused(admin: psycopg.Connection, encoding: str) -> None:
    name = encoding.lower()
    admin.execute(f"CREATE DATABASE {name} TEMPLATE template0 ENCODING '{encoding}' LOCALE_PROVIDER libc LOCALE 'C'")
    assert ADDRESS
    refused(ADDRESS.replace("/postgres?", f"/{name}?"), "is not in UTF8: make one with ENCODING 'UTF8'")


def test_a_server_that_is_too_old_is_refused(address: str) -> None:
    code = (
        "import sys; from sidecar.store import session; session._OLDEST_SERVER = 990_000; "
        "from sidecar.__main__ import main; sys.exit(main(sys.argv[1:]))"
    )
    command = [sys.executable, "-c", code, "--database", address]
    ended = subprocess.run(command, input=PING, capture_output=True, timeout=60, check=False)
    assert (ended.returncode, ended.stdout) == (1, b"")
    assert b"is too old: PostgreSQL 14 or a newer one is needed" in ended.stderr


def test_a_standby_serves_nobody_and_the_primary_is_asked_for(server: Server) -> None:
    assert start(server.address).returncode == 0
    server.stop()
    (server.data / "standby.signal").touch()
    server.start()
    refused(server.address, "is a standby, which takes no writes", "target_session_attrs=read-write")
    refused(f"{server.address}&target_session_attrs=read-write", "session is read-only")
    verify = [*find_sidecar(), "verify", "--database", server.address]
    assert b"everything holds" in subprocess.run(verify, capture_output=True, timeout=60, check=True).stdout
    server.stop()
    server.start("hot_standby=off", ready=b"entering standby mode")
    refused(server.address, "start again when it takes connections")
    server.stop()
    refused(server.address, "cannot connect to postgresql://")
    (server.data / "standby.signal").unlink()
    server.start()
    assert start(server.address).returncode == 0


# -- another owner


async def test_an_owner_that_is_frozen_is_an_owner_and_can_be_named(address: str, admin: psycopg.Connection) -> None:
    async with Sidecar(serve_command(address)) as owner:
        await owner.initialize()
        [(session,)] = admin.execute("SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted").fetchall()
        os.kill(owner.pid, signal.SIGSTOP)
        try:
            second = start(address)
        finally:
            os.kill(owner.pid, signal.SIGCONT)
        assert (second.returncode, second.stdout) == (3, b"")
        assert f"(the server's process {session} is its session): end it" in second.stderr.decode()
        assert (await owner.call("workspace.open", conversation_id="c", agent_id="a"))["revision"]
