"""A pooler between a sidecar and its server is refused, and nothing of the sidecar's stays in the shared session."""

from __future__ import annotations

import subprocess
from contextlib import closing

import psycopg
import pytest

from host_bridge.command import find_sidecar
from scripts.postgresql import Server
from sidecar.store.engine import open_database
from tests.postgresql.command import start
from tests.postgresql.pooler import Pooler

LOCKS = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'"
STATE = f"SELECT pg_backend_pid(), current_setting('search_path'), ({LOCKS})"


@pytest.mark.parametrize("mode", ["transaction", "session", "statement"])
def test_a_pooler_in_between_is_refused_and_its_session_left_as_it_was(server: Server, mode: str) -> None:
    with Pooler(server, mode) as pooler:
        before = state(pooler.address)
        for _ in range(3):
            ended = start(pooler.address)
            assert (ended.returncode, ended.stdout) == (1, b"")
            assert b"a pooler stands before postgresql://127.0.0.1" in ended.stderr
            assert b"name the host and port of the server itself" in ended.stderr
        for command in (["verify"], ["explain", "x"]):
            command = [*find_sidecar(), *command, "--database", pooler.address]
            told = subprocess.run(command, capture_output=True, timeout=60, check=False)
            assert (told.returncode, told.stdout) == (1, b"")
            assert b"a pooler stands before" in told.stderr
        assert state(pooler.address) == before
    open_database(server.address).close()  # no lock was left behind


def test_what_is_feared_of_a_pooler_is_true_of_this_one(server: Server) -> None:
    """One client's session state is another's, and a lock is held by nobody that could be named."""
    with Pooler(server, "transaction") as pooler:
        with closing(psycopg.connect(pooler.address, autocommit=True)) as one:
            one.execute("SELECT pg_advisory_lock(1)")
            one.execute("SET search_path = theirs")
        assert state(pooler.address)[1:] == ("theirs", 1)


def state(address: str) -> tuple[object, ...]:
    """The session that a pooler hands out."""
    with closing(psycopg.connect(address, autocommit=True)) as connection:
        found: tuple[object, ...] = connection.execute(STATE).fetchone() or ()
        return found
