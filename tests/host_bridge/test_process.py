"""A child's end: asked for, then forced, always whole."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import anyio
import anyio.lowlevel
import pytest

from host_bridge.client import Sidecar


def is_gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"


async def test_a_willing_process_ends_with_code_0(peer: Sidecar) -> None:
    assert await peer.stop() == 0
    assert not peer.alive
    assert await peer.stop() == 0


async def test_a_process_that_ignores_everything_is_killed(start_peer: Any) -> None:
    peer = await start_peer("--deaf", grace=0.2)
    assert await peer.stop() == -signal.SIGKILL


async def test_a_process_that_answers_nothing_ends_with_its_input(start_peer: Any) -> None:
    peer = await start_peer("--silent", grace=0.5)
    await peer.post("ping", {})
    assert await peer.stop() == 0


@pytest.mark.parametrize("crash", [True, False])
async def test_nothing_of_its_group_remains(peer: Sidecar, crash: bool) -> None:
    child = (await peer.request("peer.child", {}))["pid"]
    await (peer.kill() if crash else peer.stop())
    with anyio.fail_after(5):
        while not is_gone(child):
            await anyio.lowlevel.checkpoint()


async def test_leaving_the_block_by_cancellation_leaves_no_process(peer: Sidecar) -> None:
    pid = 0
    with anyio.CancelScope() as scope:
        async with Sidecar(peer.command) as another:
            pid = another.pid
            scope.cancel()
            await anyio.sleep_forever()
    assert pid
    assert is_gone(pid)


async def test_start_while_it_runs_changes_nothing(peer: Sidecar) -> None:
    pid = peer.pid
    await peer.start()
    assert peer.pid == pid
