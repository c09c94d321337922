"""Starting on PostgreSQL: one owner a schema, foreign and newer schemas, and words that give no password away."""

from __future__ import annotations

import subprocess
import sys
from contextlib import closing

import psycopg
import pytest

from host_bridge.client import Sidecar
from host_bridge.command import find_sidecar, serve_command
from scripts.postgresql import KEY, KEYED_ROLE, Server
from sidecar.store.engine import open_database
from tests.postgresql.command import PING, PONG, start
from tests.postgresql.conftest import ADDRESS


def test_a_schema_that_is_not_there_is_made_and_found_again(address: str, admin: psycopg.Connection) -> None:
    for _ in range(2):
        ended = start(address)
        assert (ended.returncode, ended.stdout, ended.stderr) == (0, PONG, b"")
    assert admin.execute("SELECT value FROM storekeeping WHERE name = 'version'").fetchone() == (1,)


@pytest.mark.parametrize("word", ["select", "user", "all", "x" * 63])
def test_any_word_of_such_letters_names_a_schema(word: str) -> None:
    address = f"{ADDRESS}&schema={word}"
    for _ in range(2):
        ended = start(address)
        assert (ended.returncode, ended.stdout, ended.stderr) == (0, PONG, b"")


async def test_a_schema_has_one_owner_and_the_next_schema_another(address: str) -> None:
    async with Sidecar(serve_command(address)) as first:
        await first.call("ping")
        second = start(address)
        assert (second.returncode, second.stdout) == (3, b"")
        assert second.stderr.startswith(b"lineup-sidecar: another sidecar is using the store at postgresql://")
        assert start(f"{address}_2").returncode == 0
    assert start(address).returncode == 0


def test_a_newer_store_is_left_alone(address: str, admin: psycopg.Connection) -> None:
    assert start(address).returncode == 0
    admin.execute("UPDATE storekeeping SET value = 9 WHERE name = 'version'")
    ended = start(address)
    assert (ended.returncode, ended.stdout) == (4, b"")
    assert b"has version 9, this program knows 1: use a newer sidecar" in ended.stderr
    for command in (["verify"], ["explain", "x"]):
        told = subprocess.run(
            [*find_sidecar(), *command, "--database", address], capture_output=True, timeout=60, check=False
        )
        assert (told.returncode, told.stdout) == (1, b"")
        assert b"has version 9; this program reads 1" in told.stderr


def test_a_schema_of_something_else_is_left_alone(address: str, admin: psycopg.Connection, schema: str) -> None:
    admin.execute(f"CREATE SCHEMA {schema} CREATE TABLE theirs (a int)")
    ended = start(address)
    assert (ended.returncode, ended.stdout) == (1, b"")
    assert b"has tables of something else: name another schema" in ended.stderr
    tables = admin.execute("SELECT tablename FROM pg_tables WHERE schemaname = %s", (schema,)).fetchall()
    assert tables == [("theirs",)]


def test_a_store_that_is_not_there_is_not_read(address: str) -> None:
    command = [*find_sidecar(), "verify", "--database", address]
    ended = subprocess.run(command, capture_output=True, timeout=60, check=False)
    assert (ended.returncode, ended.stdout) == (1, b"")
    assert ended.stderr.startswith(b"lineup-sidecar: there is no store at postgresql://")


def test_a_password_is_taken_and_told_nobody(server: Server) -> None:
    right = server.keyed_address
    ended = start(right)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, PONG, b"")
    ended = start(right.replace("//keyed:", "//keyed:not-"))
    assert (ended.returncode, ended.stdout) == (1, b"")
    assert b"password authentication failed" in ended.stderr
    assert b"not-" not in ended.stderr
    by_environment = server.address.replace("//lineup@", f"//{KEYED_ROLE}@")
    assert start(by_environment, PGPASSWORD=KEY).returncode == 0


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://user:se/cret@127.0.0.1/db",
        "postgresql://user:se@cret@127.0.0.1/db",
        "postgresql://user:se?cret@127.0.0.1/db",
        "postgresql://user:se#cret@127.0.0.1/db",
        "postgresql://user:12/secret@127.0.0.1/db",
        "postgresql://user:%secret@127.0.0.1/db",
        "postgresql://user:secret@127.0.0.1:port/db",
        "postgresql://user:secret@127.0.0.1:99999/db",
        "postgresql://user:secret@127.0.0.1/db?no_such_option=1",
        "postgresql://user:secret@127.0.0.1/db?schema=pg_catalog",
        "postgresql://user:secret@127.0.0.1/db?schema=a&schema=b",
        "postgresql://user:secret@127.0.0.1/db?schema=Lineup",
        "postgresql://user:secret@127.0.0.1/db?schema=linéup",
        "postgresql://user:secret@127.0.0.1/db?schema=a%22b",
        "postgresql://user:secret@127.0.0.1/db?schema=%22$user%22",
        "postgresql://user:secret@127.0.0.1/db?schema=",
        "postgresql://user:secret@127.0.0.1:1/db",
        "postgresql://user:secret@/db?host=/nowhere",
    ],
)
def test_an_address_that_leads_nowhere_is_told_without_its_password(address: str) -> None:
    ended = start(address)
    assert (ended.returncode, ended.stdout) == (1, b"")
    assert ended.stderr.startswith(b"lineup-sidecar: ")
    assert ended.stderr.count(b"\n") == 1
    assert b"cret" not in ended.stderr


def test_without_the_driver_the_extra_is_named(address: str) -> None:
    code = "import sys; sys.modules['psycopg'] = None; from sidecar.__main__ import main; sys.exit(main(sys.argv[1:]))"
    ended = subprocess.run(
        [sys.executable, "-c", code, "--database", address], input=PING, capture_output=True, timeout=60, check=False
    )
    assert (ended.returncode, ended.stdout) == (1, b"")
    assert b"pip install 'lineup-runtime[postgresql]'" in ended.stderr


def test_whatever_the_role_has_set_commits_are_durable_and_the_session_stays(server: Server) -> None:
    settings = {
        "synchronous_commit": ("off", "on"),
        "idle_session_timeout": ("1000", "0"),
        "idle_in_transaction_session_timeout": ("1000", "0"),
        "statement_timeout": ("1000", "0"),
        "default_transaction_isolation": ("serializable", "read committed"),
        "search_path": ("theirs", "lineup"),
    }
    with psycopg.connect(server.address, autocommit=True) as admin:
        for name, (given, _) in settings.items():
            admin.execute(f"ALTER ROLE {KEYED_ROLE} SET {name} = {given}")
    with closing(open_database(server.keyed_address)) as database:
        found = {name: database.execute(f"SHOW {name}", ()).fetchone()[0] for name in settings}
    assert found == {name: held for name, (_, held) in settings.items()}
