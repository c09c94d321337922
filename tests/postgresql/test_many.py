"""Many Runtimes on one server: each is the owner of its schema, and none of two on one."""

from __future__ import annotations

import asyncio
from asyncio.subprocess import PIPE
from functools import partial
from pathlib import Path

import anyio

from host_bridge.agent import Agent
from host_bridge.client import Sidecar
from host_bridge.command import serve_command
from tests.postgresql.command import PING, PONG, verified
from tests.scenarios.bundles import write_probes
from tests.scenarios.stage import Stage, begin

MANY = 20


async def test_twenty_at_once_begin_and_serve_each_in_its_own_schema(address: str, tmp_path: Path) -> None:
    options = [*write_probes(tmp_path), "--test-clock"]
    addresses = [f"{address}_{number}" for number in range(MANY)]
    owners: dict[str, str] = {}
    all_live = anyio.Event()

    async def live(one: str) -> None:
        async with Sidecar(serve_command(one, *options), timeout=120) as sidecar:
            owners[one] = await loop(sidecar)
            if len(owners) == MANY:
                all_live.set()
            await all_live.wait()
            await loop(sidecar)
            await sidecar.stop()

    async with anyio.create_task_group() as tasks:
        for one in addresses:
            tasks.start_soon(live, one)
    assert len(set(owners.values())) == MANY
    for one in addresses[::5]:
        assert "everything holds" in verified(one)


async def loop(sidecar: Sidecar) -> str:
    """A Tool loop, from the invoke to its result: the instance that did it."""
    await begin(sidecar)
    async with Agent(sidecar, "c", "agent-1", ack=False) as agent:
        stage = Stage(sidecar, agent)
        await stage.open()
        app, call_id = await stage.launch()
        await app.complete(call_id)
        assert (await stage.result(call_id) or {})["status"] == "completed"
        return app.instance_id


async def test_of_two_that_begin_at_once_on_a_new_schema_one_makes_it_and_the_other_says_so(address: str) -> None:
    start = partial(asyncio.create_subprocess_exec, stdin=PIPE, stdout=PIPE, stderr=PIPE)
    both = [await start(*serve_command(address)) for _ in range(2)]
    ends = {asyncio.create_task(one.wait()): one for one in both}
    done, waiting = await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED, timeout=60)
    [loser], [winner] = [ends[one] for one in done], [ends[one] for one in waiting]
    assert loser.returncode == 3
    assert b"another sidecar is using the store at " in (await loser.communicate())[1]
    assert await winner.communicate(PING) == (PONG, b"")
    assert winner.returncode == 0
    assert "everything holds" in verified(address)
