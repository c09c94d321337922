"""What the commands are given and what they say is told in any locale and on any console."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from host_bridge.command import find_sidecar, serve_command
from tests import stored

NAME = "é漢😀—"
PEER = {"conversation_id": NAME, "agent_id": "agent"}
HOST = {"name": "locale", "version": "1.0.0"}

RunInstalled = Callable[..., subprocess.CompletedProcess[bytes]]


@pytest.fixture(
    params=[
        {"PYTHONIOENCODING": "cp1252"},
        {"PYTHONIOENCODING": "ascii"},
        {"PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"},
    ],
    ids=["cp1252", "ascii", "C"],
)
def run(request: pytest.FixtureRequest) -> RunInstalled:
    """Run the installed command in a locale."""

    def run_(*arguments: str | Path | bytes) -> subprocess.CompletedProcess[bytes]:
        environment = {**os.environ, **request.param}
        command = [*find_sidecar(), *arguments]
        ended = subprocess.run(command, env=environment, capture_output=True, timeout=60, check=False)
        assert b"Traceback" not in ended.stderr
        return ended

    return run_


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store, in a folder and with a conversation of that name."""
    database = tmp_path_factory.mktemp(NAME) / f"{NAME}.sqlite"
    hello: dict[str, Any] = {"protocol_version": "1.0", "host": HOST}
    said = [{"id": 1, "method": "initialize", "params": hello}, {"id": 2, "method": "workspace.open", "params": PEER}]
    given = "".join(json.dumps({"jsonrpc": "2.0", **one}) + "\n" for one in said).encode()
    subprocess.run(serve_command(database), input=given, stdout=subprocess.PIPE, timeout=60, check=True)
    return database


def test_an_id_is_found_as_it_was_typed(run: RunInstalled, store: Path) -> None:
    ended = run("explain", NAME, "--database", store)
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert b"Conversation" in ended.stdout


def test_an_id_that_is_no_text_is_a_wrong_option(run: RunInstalled, store: Path) -> None:
    ended = run("explain", b"\xff", "--database", store)
    assert (ended.returncode, ended.stdout) == (2, b"")
    assert b"an id is text in UTF-8" in ended.stderr


def test_a_fault_is_named_whatever_the_console_can_show(run: RunInstalled, store: Path, tmp_path: Path) -> None:
    copy = stored.take(store).put(tmp_path / store.name)
    stored.change(copy, "UPDATE conversation SET focus_stack = '[]'")
    ended = run("verify", "--database", copy)
    assert (ended.returncode, ended.stderr) == (1, b"")
    assert ended.stdout.splitlines()[-1].startswith(b"does not hold: conversation conversation_id=")


def test_a_manifests_faults_are_told_whatever_the_console_can_show(run: RunInstalled, tmp_path: Path) -> None:
    bundle = tmp_path / NAME
    bundle.mkdir()
    (bundle / "manifest.json").write_text(json.dumps({NAME: 1}), encoding="utf-8")
    ended = run("check-manifest", bundle)
    assert (ended.returncode, ended.stderr) == (1, b"")
    assert b"\\u6f22" in ended.stdout.splitlines()[-1], "what the console cannot show is spelt"
