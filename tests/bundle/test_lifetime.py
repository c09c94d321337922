"""However it ends: no process of it is left, the store is sound, and the next start goes on where it was."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest

from host_bridge.agent import Agent
from host_bridge.client import Sidecar
from tests.bundle.installed import Installed, wait_until_gone
from tests.bundle.probe import write_probe

SHELL = """
import os, signal, subprocess, sys
child = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE)
signal.signal(signal.SIGTERM, lambda *_: sys.exit(child.stdin.close() or child.wait()))
while data := os.read(0, 65536):
    child.stdin.write(data)
    child.stdin.flush()
"""
"""Stands in for an app: what it reads it hands on. SIGTERM makes it close its sidecar's input and wait for the end."""

THROUGH_SHELL = [sys.executable, "-c", SHELL]


@pytest.mark.parametrize("work", ["rest", "spin"])
@pytest.mark.parametrize(
    ("shell", "signal_", "code"),
    [
        pytest.param([], signal.SIGKILL, -signal.SIGKILL, id="killed"),
        pytest.param([], signal.SIGTERM, 0, id="terminated"),
        pytest.param(THROUGH_SHELL, signal.SIGKILL, -signal.SIGKILL, id="parent-killed"),
        pytest.param(THROUGH_SHELL, signal.SIGTERM, 0, id="end-of-input"),
    ],
)
async def test_nothing_is_left_and_nothing_is_lost(
    app: Installed, tmp_path: Path, shell: list[str], signal_: signal.Signals, code: int, work: str
) -> None:
    database = str(tmp_path / "lineup.sqlite")
    command = [*shell, str(app.launcher), "--database", database, *write_probe(tmp_path)]
    async with Sidecar(command) as sidecar, Agent(sidecar) as agent:
        await sidecar.initialize(host_run=["chat"])
        await sidecar.call("workspace.open", **agent.peer)
        call = await agent.invoke(f"probe.{work}", {})
        assert await anext(call.updates()) == {"state": "resting"}
        running = app.processes()
        assert len(running) == 2, "the Runtime and its worker, and nothing between"
        os.kill(sidecar.pid, signal_)
        assert await sidecar.ended() == code
        wait_until_gone(running)
        assert app.processes() == set()
        checked = app.run("verify", "--database", database)
        assert checked.returncode == 0, checked.stderr
        explained = app.run("explain", call.call_id, "--database", database)
        assert (explained.returncode, call.call_id in explained.stdout.decode()) == (0, True), explained.stderr
        await sidecar.start()
        await sidecar.initialize(host_run=["chat"])
        await sidecar.call("workspace.open", **agent.peer)
        assert (await call.result())["result"] == {"text": "again"}


async def test_the_launcher_has_become_the_runtime(app: Installed, tmp_path: Path) -> None:
    async with Sidecar([str(app.launcher), "--database", str(tmp_path / "lineup.sqlite")]) as sidecar:
        await sidecar.call("ping")
        assert Path(f"/proc/{sidecar.pid}/exe").readlink() == app.folder / "sidecar"
        assert app.processes() == {sidecar.pid}
