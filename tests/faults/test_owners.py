"""Two sidecars and one store: whichever name leads to it and whatever became of its owner (PROTOCOL 9)."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from host_bridge.command import serve_command
from tests.faults.namespaces import CANNOT_MOUNT, in_mounts

PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n'
PONG = {"jsonrpc": "2.0", "id": 1, "result": {}}
IN_USE = 3
REQUESTS = [
    ("initialize", {"protocol_version": "1.0", "host": {"name": "owner", "version": "1.0.0"}}),
    ("workspace.open", {"conversation_id": "kept", "agent_id": "a"}),
]


def start(command: list[str], cwd: Path | None = None) -> subprocess.CompletedProcess[bytes]:
    """Run a sidecar to the end of its input."""
    return subprocess.run(command, input=PING, cwd=cwd, capture_output=True, timeout=60, check=False)


@contextmanager
def owner(database: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A sidecar that owns the store, and has opened a conversation."""
    pipe = subprocess.PIPE
    with subprocess.Popen(serve_command(database), stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL) as process:
        assert process.stdin
        assert process.stdout
        for method, params in REQUESTS:
            line = {"jsonrpc": "2.0", "id": method, "method": method, "params": params}
            process.stdin.write(json.dumps(line).encode() + b"\n")
            process.stdin.flush()
            while json.loads(process.stdout.readline()).get("id") != method:
                continue
        yield process
        process.kill()


def refused(ended: subprocess.CompletedProcess[bytes]) -> bool:
    """It said that another owns the store, and did nothing."""
    return (ended.returncode, ended.stdout) == (IN_USE, b"") and b"another sidecar is using the store" in ended.stderr


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """Where the store is."""
    (tmp_path / "home").mkdir()
    return tmp_path / "home" / "lineup.sqlite"


def test_a_relative_path_and_a_link_of_a_link_lead_to_the_same_owner(database: Path, tmp_path: Path) -> None:
    (tmp_path / "one.sqlite").symlink_to(database)
    (tmp_path / "two.sqlite").symlink_to("one.sqlite")
    with owner(database):
        assert refused(start(serve_command("lineup.sqlite"), cwd=database.parent))
        assert refused(start(serve_command("../home/./lineup.sqlite"), cwd=database.parent))
        assert refused(start(serve_command(tmp_path / "two.sqlite")))
        assert refused(start(serve_command(f"sqlite:///{database}")))


@pytest.mark.skipif(bool(CANNOT_MOUNT), reason=CANNOT_MOUNT)
def test_another_mount_of_the_folder_leads_to_the_same_owner(database: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    with owner(database):
        mount = f'mount --bind "{database.parent}" "{elsewhere}"'
        assert refused(start(in_mounts(mount, serve_command(elsewhere / "lineup.sqlite"))))


def test_a_file_of_two_names_is_no_store_for_either(database: Path, tmp_path: Path) -> None:
    """What is newest lies beside the file under one of its names: by the other it would be missed."""
    other = tmp_path / "other.sqlite"
    with owner(database):
        os.link(database, other)
        ended = start(serve_command(other))
        assert (ended.returncode, ended.stdout) == (1, b"")
        assert b"remove one, or copy the file" in ended.stderr
        assert not list(tmp_path.glob("other.sqlite-*")), "nothing was written beside it"
    assert start(serve_command(database)).returncode == 1
    other.unlink()
    assert start(serve_command(database)).returncode == 0
    with closing(sqlite3.connect(database)) as store:
        assert store.execute("SELECT conversation_id FROM conversation").fetchall() == [("kept",)]


def test_an_owner_that_is_stopped_is_one_still_and_one_that_is_killed_is_none(database: Path) -> None:
    with owner(database) as process:
        process.send_signal(signal.SIGSTOP)
        assert refused(start(serve_command(database)))
        process.send_signal(signal.SIGCONT)
        assert refused(start(serve_command(database)))
        process.send_signal(signal.SIGSTOP)
        process.kill()
        process.wait()
        ended = start(serve_command(database))
        assert (ended.returncode, json.loads(ended.stdout)) == (0, PONG)


def test_of_many_that_start_at_once_one_becomes_the_owner(database: Path) -> None:
    pipe = subprocess.PIPE
    many = [subprocess.Popen(serve_command(database), stdin=pipe, stdout=pipe, stderr=pipe) for _ in range(8)]
    answered = []
    for one in many:
        assert one.stdin
        assert one.stdout
        try:
            one.stdin.write(PING)
            one.stdin.flush()
        except BrokenPipeError:
            pass
        answered.append(one.stdout.readline())
    for one in many:
        one.communicate()
    assert sorted(map(bool, answered)) == [False] * 7 + [True]
    assert sorted(one.returncode for one in many) == [0] + [IN_USE] * 7
    with closing(sqlite3.connect(database)) as store:
        assert store.execute("PRAGMA integrity_check").fetchone() == ("ok",)
