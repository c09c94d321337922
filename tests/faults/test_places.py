"""Who runs a MiniApp, and when: no place is lost, no call is forgotten, nobody has two lives (RULES 3 and 6)."""

from __future__ import annotations

from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from host_bridge.agent import Agent
from host_bridge.client import HOST, Sidecar
from host_bridge.command import serve_command
from rpc_schema.limits import MAX_WORKERS
from tests.faults.bundles import write_bundles
from tests.faults.house import PATIENCE_S, House

pytestmark = pytest.mark.anyio


@pytest.mark.requirement("R3-workers-bounded", "R3-nothing-in-memory")
async def test_more_calls_than_places_all_have_their_turn(sidecar: Sidecar) -> None:
    async with AsyncExitStack() as stack:
        count = MAX_WORKERS + 5
        houses = [House(sidecar, await stack.enter_async_context(Agent(sidecar, f"crowd-{n}"))) for n in range(count)]
        for house in houses:
            await house.snapshot()
        calls = [await house.invoke("steady") for house in houses]
        assert [(await call.result(PATIENCE_S))["status"] for call in calls] == ["completed"] * count
        assert (await sidecar.call("runtime.status"))["live_workers"] <= MAX_WORKERS
        for house in houses:
            await house.end()


@pytest.mark.requirement("R3-derived-state")
async def test_logic_whose_first_request_is_refused_is_there_all_the_same(house: House) -> None:
    await house.invoke("eager")
    await house.sidecar.wait_for(
        "workspace.changed",
        lambda news: ("eager", "foreground") in [(one["app_scope"], one["state"]) for one in news["instances"]],
    )
    house.kill("eager")
    await house.sidecar.wait_for(
        "workspace.changed",
        lambda news: ("eager", "suspended") in [(one["app_scope"], one["state"]) for one in news["instances"]],
    )


async def test_a_host_that_takes_logic_over_is_not_joined_by_a_worker(tmp_path: Path) -> None:
    async with Sidecar(serve_command(tmp_path / "lineup.sqlite", *write_bundles(tmp_path))) as sidecar:
        await sidecar.initialize(host_run=["chat"])
        async with Agent(sidecar) as agent:
            house = House(sidecar, agent)
            await house.snapshot()
            payload = {
                "call_id": "c",
                "tool_id": "steady.go",
                "inventory_revision": await agent.revision(),
                "input": {},
            }
            envelope = {"type": "lineup.v1.tool.invoke", "message_id": "m", "payload": payload}
            taking_over = {"protocol_version": "1.0", "host": HOST, "host_run": ["chat", "steady"]}
            delivered, _ = await sidecar.batch(
                [("transport.deliver", {"peer": agent.peer, "envelope": envelope}), ("initialize", taking_over)]
            )
            assert delivered["status"] == "accepted"
            instance = await house.instance("steady")
            token = (await house.call("miniapp.mount", instance_id=instance["instance_id"]))["context_token"]
            assert [one["call_id"] for one in await house.calls(token)] == ["c"]
            await house.invoke("spins")
            await house.until("spins", "foreground")  # long enough for a worker of the other to have come, too
            assert [one["call_id"] for one in await house.calls(token)] == ["c"]
            assert (await house.call("runtime.status"))["live_workers"] == 1
