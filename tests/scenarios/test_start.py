"""Starting where something is amiss: the store, the options, the standard streams (PROTOCOL 1.1 and 9)."""

from __future__ import annotations

import json
import os
import shlex
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from host_bridge.command import find_sidecar, serve_command

PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n'
PONG = {"jsonrpc": "2.0", "id": 1, "result": {}}


def start(database: Path | str, *options: str) -> subprocess.CompletedProcess[bytes]:
    """A sidecar that is pinged once and then left alone."""
    return subprocess.run(serve_command(database, *options), input=PING, capture_output=True, timeout=30, check=False)


@pytest.mark.parametrize(
    "option",
    [
        "--parent-pid=0",
        "--parent-pid=99999999999999999999",
        "--parent-pid=x",
        "--test-clock=-1",
        "--test-clock=999999999999999999",
        "--test-clock=1.5",
        "--no-such-option",
    ],
)
def test_a_wrong_option_ends_it_with_2_and_a_word(tmp_path: Path, option: str) -> None:
    ended = start(tmp_path / "lineup.sqlite", option)
    assert (ended.returncode, ended.stdout) == (2, b"")
    assert option.partition("=")[0].encode() in ended.stderr
    assert b"Traceback" not in ended.stderr


@pytest.mark.sqlite
@pytest.mark.parametrize("version", [-1, -(2**31)])
def test_a_database_of_something_else_is_left_alone(tmp_path: Path, version: int) -> None:
    database = tmp_path / "other.sqlite"
    with sqlite3.connect(database) as connection:
        connection.execute(f"PRAGMA user_version = {version}")
        connection.execute("CREATE TABLE theirs (a)")
    connection.close()
    before = database.read_bytes()
    ended = start(database)
    assert (ended.returncode, ended.stdout) == (1, b"")
    assert b"a database of something else" in ended.stderr
    assert database.read_bytes() == before


@pytest.mark.sqlite
@pytest.mark.parametrize("journal", ["WAL", "DELETE"])
def test_a_store_of_a_newer_program_is_left_byte_for_byte(tmp_path: Path, journal: str) -> None:
    database = tmp_path / "lineup.sqlite"
    start(database)
    with closing(sqlite3.connect(database)) as connection:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        connection.execute(f"PRAGMA journal_mode = {journal}")
        connection.execute(f"PRAGMA user_version = {version + 1}")
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    ended = start(database)
    assert (ended.returncode, ended.stdout) == (4, b"")
    assert f"has version {version + 1}".encode() in ended.stderr
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before
    verify = [*find_sidecar(), "verify", "--database", str(database)]
    ended = subprocess.run(verify, capture_output=True, timeout=30, check=False)
    assert (ended.returncode, ended.stdout) == (1, b"")
    assert f"has version {version + 1}".encode() in ended.stderr
    assert database.read_bytes() == before[database.name]


@pytest.mark.sqlite
@pytest.mark.parametrize("database", ["", "sqlite://", "sqlite:///", "mysql://host/name", "/dev/null"])
def test_what_is_no_store_ends_it_with_a_word(database: str) -> None:
    ended = start(database)
    assert (ended.returncode, ended.stdout) == (1, b"")
    assert ended.stderr.startswith(b"lineup-sidecar: ")
    assert b"Traceback" not in ended.stderr


@pytest.mark.sqlite
def test_a_store_has_one_owner_whichever_link_leads_to_it(tmp_path: Path) -> None:
    (tmp_path / "link.sqlite").symlink_to("lineup.sqlite")
    (tmp_path / "folder").symlink_to(".")
    pipe = subprocess.PIPE
    with subprocess.Popen(serve_command(tmp_path / "lineup.sqlite"), stdin=pipe, stdout=pipe) as first:
        assert first.stdin
        assert first.stdout
        first.stdin.write(PING)
        first.stdin.flush()
        assert json.loads(first.stdout.readline()) == PONG
        for other in ("link.sqlite", "folder/lineup.sqlite"):
            ended = start(tmp_path / other)
            assert (ended.returncode, ended.stdout) == (3, b"")
        first.stdin.close()
    assert first.returncode == 0


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_standard_stream_that_is_closed_is_a_peer_that_is_gone(tmp_path: Path, closed: str) -> None:
    database = tmp_path / "lineup.sqlite"
    command = ["sh", "-c", f"exec {shlex.join(serve_command(database))} {closed}"]
    ended = subprocess.run(command, input=PING, capture_output=True, timeout=30, check=False)
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert ended.stdout == (b"" if closed != "2>&-" else json.dumps(PONG, separators=(",", ":")).encode() + b"\n")
    verify = [*find_sidecar(), "verify", "--database", str(database)]
    assert subprocess.run(verify, stdout=subprocess.DEVNULL, timeout=30, check=False).returncode == 0


def test_a_contract_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    command = [*find_sidecar(), "schema", "openrpc", "--out", str(tmp_path)]
    ended = subprocess.run(command, capture_output=True, timeout=30, check=False)
    assert (ended.returncode, ended.stdout) == (1, b"")
    assert ended.stderr.startswith(b"lineup-sidecar: cannot write ")


def test_who_is_told_to_end_as_soon_as_it_answers_ends_in_order(tmp_path: Path) -> None:
    command = serve_command(tmp_path / "lineup.sqlite")
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as sidecar:
        assert sidecar.stdin is not None
        assert sidecar.stdout is not None
        sidecar.stdin.write(PING)
        sidecar.stdin.flush()
        assert json.loads(sidecar.stdout.readline()) == PONG
        sidecar.terminate()
        assert sidecar.wait(30) == 0


def test_pings_ahead_of_a_request_are_answered_ahead_of_it(tmp_path: Path) -> None:
    request = b'{"jsonrpc":"2.0","id":2,"method":"rpc.discover"}\n'
    ended = subprocess.run(
        serve_command(tmp_path / "lineup.sqlite"),
        input=PING + PING + request + PING,
        capture_output=True,
        timeout=30,
        check=True,
    )
    assert [json.loads(line)["id"] for line in ended.stdout.splitlines()] == [1, 1, 2, 1]


@pytest.mark.parametrize(
    "environment",
    [
        {"PYTHONIOENCODING": "cp1252"},
        {"PYTHONIOENCODING": "ascii"},
        {"PYTHONIOENCODING": "cp932"},
        {"PYTHONUTF8": "0", "LC_ALL": "C"},
    ],
    ids=["cp1252", "ascii", "cp932", "C"],
)
def test_text_is_utf_8_whatever_the_locale(tmp_path: Path, environment: dict[str, str]) -> None:
    hello = {"protocol_version": "1.0", "host": {"name": "é漢😀", "version": "1.0.0"}}
    peer = {"conversation_id": "é漢😀\u2028—", "agent_id": "agent"}
    requests = [("initialize", hello), ("workspace.open", peer)]
    lines = [
        json.dumps({"jsonrpc": "2.0", "id": method, "method": method, "params": params}, ensure_ascii=False).encode()
        for method, params in requests
    ]
    given = b"\n".join([*lines, b"\xff", PING])
    ended = subprocess.run(
        serve_command(tmp_path / "lineup.sqlite"),
        input=given,
        env={**os.environ, **environment},
        capture_output=True,
        timeout=30,
        check=False,
    )
    answers = {one["id"]: one for one in map(json.loads, ended.stdout.splitlines()) if "id" in one}
    assert ended.returncode == 0
    assert answers["workspace.open"]["result"]["conversation_id"] == peer["conversation_id"]
    assert answers[None]["error"]["code"] == -32700
    assert answers[1] == PONG


def test_a_lock_file_that_a_killed_owner_left_locks_nobody_out(tmp_path: Path) -> None:
    database = tmp_path / "lineup.sqlite"
    with subprocess.Popen(serve_command(database), stdin=subprocess.PIPE, stdout=subprocess.PIPE) as owner:
        assert owner.stdin is not None
        assert owner.stdout is not None
        owner.stdin.write(PING)
        owner.stdin.flush()
        assert json.loads(owner.stdout.readline()) == PONG
        assert start(database).returncode == 3
        owner.kill()
    Path(f"{database}.lock").write_text(f"{os.getpid()}\n")
    ended = start(database)
    assert (ended.returncode, json.loads(ended.stdout)) == (0, PONG)
