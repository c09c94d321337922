"""However a sidecar ends, or is ended: soon, once, with its code, and with nothing left of it (PROTOCOL 1.1)."""

from __future__ import annotations

import os
import select
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from host_bridge.command import find_sidecar, serve_command
from tests import stored
from tests.reliability.processes import below
from tests.scenarios.bundles import write_workers
from tests.scenarios.pipes import Pipes

T_EXIT_S = 5.0
IDLE_CPU_S = 0.2
TICKS_A_SECOND = os.sysconf("SC_CLK_TCK")

RELAY = """
import os, subprocess, sys
child = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE)
while data := os.read(0, 65536):
    child.stdin.write(data)
    child.stdin.flush()
"""
"""A Host that holds the sidecar's stdin itself: with it, the input ends."""

WRAPPER = '"$@"; exit $?'
"""A script that only starts the sidecar: its end closes nothing."""

A_HOST = (sys.executable, "-c", RELAY)
A_SCRIPT = ("sh", "-c", WRAPPER, "wrapper")


def cpu_s(pid: int) -> float:
    """How much processor a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS_A_SECOND


def wait_until_gone(pid: int) -> None:
    """Wait until a process has ended, in time and without much ado."""
    until = time.monotonic() + T_EXIT_S
    with suppress(FileNotFoundError, ProcessLookupError):
        before, process = cpu_s(pid), os.pidfd_open(pid)
        try:
            while not select.select([process], [], [], 0.1)[0]:
                assert time.monotonic() < until, f"process {pid} is still there"
                assert cpu_s(pid) - before < IDLE_CPU_S
        finally:
            os.close(process)


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """Where the store is."""
    return tmp_path / "lineup.sqlite"


@pytest.fixture
def start(database: Path) -> Iterator[Callable[..., Pipes]]:
    """Start sidecars on the store; none outlives its test."""
    started: list[Pipes] = []

    def start_(*options: str, **more: Any) -> Pipes:
        started.append(Pipes(database, *options, **more))
        return started[-1]

    yield start_
    for one in started:
        one.close()


def begin_to_hold(pipes: Pipes) -> None:
    """Let a worker hold a call."""
    pipes.begin(["chat", "task-dashboard", "whiteboard"])
    pipes.say("status", "rpc.discover")
    told = [one["params"] for one in pipes.hear_until("status") if one.get("method") == "transport.send"]
    revision = told[0]["envelope"]["payload"]["revision"]
    given = {"call_id": "held", "tool_id": "crew-0.run", "inventory_revision": revision, "input": {"do": "hold"}}
    envelope = {"type": "lineup.v1.tool.invoke", "message_id": "m", "payload": given}
    pipes.say("go", "transport.deliver", peer={"agent_id": "a", "conversation_id": "c"}, envelope=envelope)
    while "calls" not in str(pipes.hear()):  # the worker has told its surface so
        continue


# -- the Host goes


@pytest.mark.parametrize("busy", [False, True], ids=["idle", "at work"])
@pytest.mark.parametrize("way", ["end of input", "Host killed", "script killed"])
def test_a_sidecar_whose_host_has_gone_goes_too(
    start: Callable[..., Pipes], tmp_path: Path, way: str, busy: bool
) -> None:
    through = {"end of input": (), "Host killed": A_HOST, "script killed": A_SCRIPT}[way]
    pipes = start(*write_workers(tmp_path, 1), through=through)
    if busy:
        begin_to_hold(pipes)
    else:
        pipes.begin()
    running = [*([] if through else [pipes.process.pid]), *below(pipes.process.pid)]
    assert len(running) == (2 if busy else 1), "the sidecar and its worker"
    if through:
        pipes.process.kill()
    else:
        pipes.stdin.close()
    for pid in running:
        wait_until_gone(pid)
    if not through:
        assert pipes.process.wait(T_EXIT_S) == 0
    again = start()
    again.say("again", "ping")
    assert again.hear_until("again")[-1]["result"] == {}


# -- a signal


@pytest.mark.parametrize("signals", [[signal.SIGTERM], [signal.SIGINT], [signal.SIGTERM, signal.SIGINT] * 10])
def test_a_signal_ends_it_once_and_quietly(start: Callable[..., Pipes], signals: list[signal.Signals]) -> None:
    pipes = start(stderr=subprocess.PIPE)
    pipes.say(1, "ping")
    pipes.hear_until(1)
    for one in signals:
        pipes.process.send_signal(one)
    assert pipes.process.wait(T_EXIT_S) == 0
    assert pipes.process.stderr
    assert (pipes.stdout.read(), pipes.process.stderr.read()) == (b"", b"")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_a_start_just_as_quietly(start: Callable[..., Pipes], tmp_path: Path, number: int) -> None:
    """The policy is a pipe: the start waits in the midst until somebody opens it, and then for what is in it."""
    policy = tmp_path / "policy.json"
    os.mkfifo(policy)
    pipes = start("--policy", str(policy), stderr=subprocess.PIPE)
    with policy.open("wb"):
        pipes.process.send_signal(number)
        assert pipes.process.wait(T_EXIT_S) == 0
    assert pipes.process.stderr
    assert (pipes.stdout.read(), pipes.process.stderr.read()) == (b"", b"")


# -- a stderr that nobody reads


@pytest.mark.parametrize("ending", ["end of input", "signal", "exit"])
def test_a_stderr_that_nobody_reads_holds_up_neither_answers_nor_the_end(
    start: Callable[..., Pipes], ending: str
) -> None:
    pipes = start("--log-level", "debug", stderr=subprocess.PIPE)
    pipes.begin()
    nothing_was_asked = b'{"jsonrpc":"2.0","id":1,"result":{}}\n'
    pipes.write(nothing_was_asked * 15_000)  # a line of about 120 bytes in the log for each of them
    began = time.monotonic()
    pipes.say("after", "ping")
    pipes.hear_until("after")
    assert time.monotonic() - began < T_EXIT_S
    if ending == "end of input":
        pipes.stdin.close()
    elif ending == "signal":
        pipes.process.terminate()
    else:
        pipes.write(b'{"jsonrpc":"2.0","id":2,"method":"shutdown"}\n{"jsonrpc":"2.0","method":"exit"}\n')
    assert pipes.process.wait(T_EXIT_S) == 0
    assert pipes.process.stderr
    assert b"Fatal" not in pipes.process.stderr.read()


# -- the store is let go


@pytest.mark.parametrize(("ending", "code"), [("shutdown", 0), ("exit", 1), ("end of input", 0), ("signal", 0)])
@pytest.mark.sqlite
def test_it_ends_with_its_code_although_others_look_at_its_store(
    start: Callable[..., Pipes], database: Path, tmp_path: Path, ending: str, code: int
) -> None:
    pipes = start(*write_workers(tmp_path, 1))
    begin_to_hold(pipes)
    with closing(sqlite3.connect(database, isolation_level=None)) as other:
        other.execute("BEGIN")
        assert other.execute("SELECT count(*) FROM toolcall").fetchone() == (1,)
        if ending == "end of input":
            pipes.stdin.close()
        elif ending == "signal":
            pipes.process.terminate()
        else:
            pipes.write(b'{"jsonrpc":"2.0","id":2,"method":"shutdown"}\n' if ending == "shutdown" else b"")
            pipes.write(b'{"jsonrpc":"2.0","method":"exit"}\n')
        assert pipes.process.wait(T_EXIT_S) == code
        again = start()
        again.say("again", "ping")
        assert again.hear_until("again")[-1]["result"] == {}


@pytest.mark.parametrize("damage", ["DROP TABLE toolcall", "ALTER TABLE instance RENAME TO other", "DROP TABLE audit"])
def test_a_start_that_fails_on_what_it_finds_says_so_and_lets_the_store_go(
    start: Callable[..., Pipes], database: Path, damage: str
) -> None:
    first = start()
    first.begin()
    first.end()
    stored.change(database, damage)
    for _ in range(2):
        failed = subprocess.run(serve_command(database), input=b"", capture_output=True, timeout=60, check=False)
        assert (failed.returncode, failed.stdout) == (1, b"")
        assert failed.stderr.startswith(b"lineup-sidecar: the store at ")
        assert failed.stderr.endswith(b"else see lineup-sidecar verify\n")
    verified = subprocess.run(
        [*find_sidecar(), "verify", "--database", str(database)], capture_output=True, timeout=60, check=False
    )
    assert verified.returncode == 1
    assert b"Traceback" not in verified.stderr
