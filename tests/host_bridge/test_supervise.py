"""A supervised sidecar comes back by itself, is made ready each time, and is given up when it never stays."""

from __future__ import annotations

from typing import Any

import anyio
import pytest

from host_bridge.client import Sidecar
from host_bridge.errors import ConnectionLostError
from host_bridge.supervise import Backoff, supervise

AT_ONCE = Backoff(delays=(0.0, 0.0), steady=60.0)


async def test_a_crashed_process_is_started_again_and_made_ready(peer: Sidecar) -> None:
    first = peer.pid
    ready = anyio.Event()

    async def make_ready() -> None:
        await peer.initialize()
        ready.set()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(supervise, peer, make_ready, AT_ONCE)
        await anyio.wait_all_tasks_blocked()
        await peer.kill()
        with anyio.fail_after(5):
            await ready.wait()
        assert peer.pid != first
        assert peer.session
        await peer.stop()


async def test_it_ends_when_the_process_is_stopped_on_purpose(peer: Sidecar) -> None:
    with anyio.fail_after(5):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(supervise, peer, peer.initialize, AT_ONCE)
            await anyio.wait_all_tasks_blocked()
            await peer.stop()
    assert not peer.alive


async def test_it_gives_up_when_the_process_never_stays(start_peer: Any) -> None:
    peer = await start_peer("--code", "3")
    with pytest.raises(ConnectionLostError, match=r"ended 3 times; giving up\ncannot start"):
        await supervise(peer, peer.initialize, AT_ONCE)


async def test_a_process_that_cannot_be_made_ready_counts_as_one_that_ended(peer: Sidecar) -> None:
    async def refuse() -> None:
        await peer.request("peer.refuse", {})

    await peer.kill()
    with pytest.raises(ConnectionLostError, match="giving up"):
        await supervise(peer, refuse, AT_ONCE)


async def test_a_process_that_stayed_up_begins_the_delays_again(peer: Sidecar) -> None:
    started = 0

    async def make_ready() -> None:
        nonlocal started
        started += 1
        if started < 4:
            await peer.kill()
        else:
            await peer.stop()

    await peer.kill()
    await supervise(peer, make_ready, Backoff(delays=(0.0,), steady=0.0))
    assert started == 4
