"""``lineup-host`` as a process: it tells what went wrong, and leaves neither a process nor a folder behind."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import anyio
import anyio.lowlevel
import pytest

PEER = str(Path(__file__).parents[1] / "echo_peer.py")
SNAPSHOT = {
    "conversation_id": "conversation-1",
    "agent_id": "agent-1",
    "revision": 1,
    "foreground": None,
    "focus_stack": [],
    "instances": [],
    "surfaces": [],
    "interactions": [],
    "tool_calls": [],
    "capability_requests": [],
}

Environment = Callable[..., dict[str, str]]


@pytest.fixture
def environment(tmp_path: Path) -> Environment:
    """An environment whose sidecar is the peer, and whose temporary folder is the test's own."""
    (tmp_path / "temporary").mkdir()

    def make(*options: str) -> dict[str, str]:
        peer = [sys.executable, PEER, "--answers", json.dumps({"workspace.open": SNAPSHOT}), *options]
        return {**os.environ, "LINEUP_SIDECAR": shlex.join(peer), "TMPDIR": str(tmp_path / "temporary")}

    return make


def leftovers(tmp_path: Path) -> list[str]:
    """What is left in the temporary folder, and processes that were given a store in it."""
    files = [str(one) for one in (tmp_path / "temporary").iterdir()]
    return files + [line for line in command_lines() if str(tmp_path) in line and PEER in line]


def command_lines() -> Iterator[str]:
    """Of every process that there is."""
    for one in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            yield one.read_bytes().decode(errors="replace")


async def run(script: str, env: dict[str, str], command: str = "agent") -> subprocess.CompletedProcess[bytes]:
    """Run the command on a script; what it printed."""
    program = [sys.executable, "-m", "host_bridge", command]
    return await anyio.run_process(program, input=script.encode(), check=False, env=env)


async def test_a_script_runs_to_its_end(environment: Environment, tmp_path: Path) -> None:
    done = await run("help\nquit\nnever reached\n", environment())
    assert (done.returncode, done.stderr) == (0, b"")
    assert "agent> help\n  help                   list the commands\n" in done.stdout.decode()
    assert b"never reached" not in done.stdout
    assert leftovers(tmp_path) == []


async def test_a_command_that_is_wrong_says_so_and_the_next_one_runs(environment: Environment) -> None:
    done = await run("jump\nclose chat\nanswer\n\n", environment())
    assert done.returncode == 1
    printed = done.stdout.decode()
    assert "no such command: jump; type help" in printed
    assert "chat is not open" in printed
    assert "no question is open" in printed


async def test_a_sidecar_that_cannot_start_is_told_without_a_traceback(
    environment: Environment, tmp_path: Path
) -> None:
    done = await run("", environment("--code", "3"))
    assert done.returncode == 1
    assert b"ended with exit code 3" in done.stdout
    assert b"cannot start" in done.stdout
    assert done.stderr == b""
    assert leftovers(tmp_path) == []


async def test_a_sidecar_that_does_not_exist_is_told(environment: Environment) -> None:
    done = await run("", {**environment(), "LINEUP_SIDECAR": "/no/such/sidecar"})
    assert done.returncode == 1
    assert b"cannot run /no/such/sidecar" in done.stdout


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
async def test_a_signal_leaves_nothing_behind(environment: Environment, tmp_path: Path, number: signal.Signals) -> None:
    program = [sys.executable, "-m", "host_bridge", "agent"]
    async with await anyio.open_process(program, env=environment(), start_new_session=True) as process:
        assert process.stdout
        printed = b""
        with anyio.fail_after(20):
            while b"quit to end" not in printed:
                printed += await process.stdout.receive()
            assert len(leftovers(tmp_path)) == 2
            process.send_signal(number)
            assert await process.wait() == 128 + number
    assert leftovers(tmp_path) == []


async def test_keeping_a_show_twice_in_one_folder_is_refused(environment: Environment, tmp_path: Path) -> None:
    (tmp_path / "lineup.sqlite").touch()
    program = [sys.executable, "-m", "host_bridge", "demo", "--keep", str(tmp_path)]
    done = await anyio.run_process(program, check=False, env=environment())
    assert done.returncode == 1
    assert b"name another folder" in done.stdout


async def test_a_reader_that_goes_away_ends_it_quietly(environment: Environment, tmp_path: Path) -> None:
    command = f"yes help | {shlex.join([sys.executable, '-m', 'host_bridge', 'agent'])} | head -3"
    done = await anyio.run_process(command, check=False, env=environment())
    assert done.stdout.count(b"\n") == 3
    assert done.stderr == b""
    assert leftovers(tmp_path) == []
