"""The scripted Agent against a peer that plays the Runtime's outbox."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import anyio
import pytest

from host_bridge.agent import Agent, Call
from host_bridge.client import Sidecar
from host_bridge.errors import ToolRejectedError

ACCEPTED = {"status": "accepted", "code": None, "message": None, "receipt": None}
ANSWERS = json.dumps({"transport.deliver": ACCEPTED, "transport.ack": {"acked": 1}})
StartPeer = Callable[..., Awaitable[Sidecar]]
INVENTORY = {"revision": "inv_1", "tools": [], "apps": [], "capabilities": []}
PEER = {"agent_id": "agent-1", "conversation_id": "conv-1"}


def row(outbox_id: str, type_: str, payload: dict[str, Any], peer: dict[str, str] = PEER) -> tuple[str, dict[str, Any]]:
    envelope = {
        "type": f"lineup.v1.{type_}",
        "message_id": outbox_id,
        "conversation_id": peer["conversation_id"],
        "payload": payload,
        "sent_at": "2026-01-01T00:00:00.000Z",
    }
    return "transport.send", {"outbox_id": outbox_id, "peer": peer, "envelope": envelope}


async def send(sidecar: Sidecar, *rows: tuple[str, dict[str, Any]]) -> None:
    await sidecar.request("peer.say", {"notifications": rows})


@pytest.fixture
async def runtime(start_peer: StartPeer) -> Sidecar:
    return await start_peer("--answers", ANSWERS)


@pytest.fixture
async def agent(runtime: Sidecar) -> AsyncIterator[Agent]:
    async with Agent(runtime) as agent:
        await send(runtime, row("o-1", "client.inventory", INVENTORY))
        yield agent
        assert not runtime.faults


async def launch(agent: Agent) -> Call:
    return await agent.invoke("probe.launch", {"n": 1}, call_id="call-1")


async def test_a_call_ends_with_its_result(runtime: Sidecar, agent: Agent) -> None:
    call = await launch(agent)
    result = {"call_id": "call-1", "status": "completed", "result": {"ok": True}}
    await send(runtime, row("o-2", "tool.result", result))
    assert await call.result() == result


async def test_progress_comes_as_a_stream_that_ends_with_the_call(runtime: Sidecar, agent: Agent) -> None:
    call = await launch(agent)
    for n in (1, 2):
        progress = {"call_id": "call-1", "seq": n, "progress": {"percent": n}}
        await send(runtime, row(f"p-{n}", "tool.progress", progress))
    await send(runtime, row("o-2", "tool.result", {"call_id": "call-1", "status": "expired", "reason": "timeout"}))
    assert [update["percent"] async for update in call.updates()] == [1, 2]


async def test_a_row_that_is_sent_again_counts_once_and_is_acked_again(runtime: Sidecar, agent: Agent) -> None:
    agent.ack = False
    again = row("o-2", "message", {"text": "hi", "format": "plain", "client_message_id": "m"})
    await send(runtime, again, again)
    assert len(agent.received("message")) == 1
    assert agent.held.count("o-2") == 1
    await agent.ack_held()
    await send(runtime, again)
    assert len(agent.received("message")) == 1
    assert agent.held == ["o-2"]


async def test_a_row_of_another_peer_is_not_its_own(runtime: Sidecar, agent: Agent) -> None:
    other = {"agent_id": "agent-2", "conversation_id": "conv-1"}
    await send(runtime, row("o-2", "message", {"text": "hi", "format": "plain", "client_message_id": "m"}, other))
    assert agent.received("message") == []


async def test_a_rejection_is_an_error_with_its_code(start_peer: Any) -> None:
    refused = {**ACCEPTED, "status": "rejected", "code": "tool_not_advertised", "message": "no such Tool"}
    runtime = await start_peer("--answers", json.dumps({"transport.deliver": refused}))
    async with Agent(runtime) as agent:
        with pytest.raises(ToolRejectedError) as caught:
            await agent.invoke("probe.nothing", {}, revision="inv_1")
    assert caught.value.code == "tool_not_advertised"
    assert caught.value.answer == refused


async def test_a_call_that_is_rejected_later_has_no_result(runtime: Sidecar, agent: Agent) -> None:
    call = await launch(agent)
    rejection = {"call_id": "call-1", "code": "limit_exceeded", "message": "full", "inventory_revision": "inv_1"}
    await send(runtime, row("o-2", "tool.rejected", rejection))
    with pytest.raises(ToolRejectedError, match="limit_exceeded: full"):
        await call.result()


async def test_no_result_in_time_is_a_timeout_that_names_the_call(agent: Agent) -> None:
    call = await launch(agent)
    with pytest.raises(TimeoutError, match=r"no result of probe.launch \(call-1\) within 0 s"):
        await call.result(timeout=0)


async def test_a_control_is_answered_with_its_receipt(start_peer: StartPeer) -> None:
    receipt = {"control_id": "d-1", "call_id": "call-1", "outcome": "not_found"}
    answers = {"transport.deliver": {**ACCEPTED, "receipt": receipt}}
    runtime = await start_peer("--answers", json.dumps(answers))
    async with Agent(runtime) as agent:
        assert await agent.cancel("call-1", control_id="d-1", reason="enough") == receipt
        assert await agent.dismiss("call-1", control_id="d-1") == receipt
    heard = [params["envelope"] for _, params in await runtime.request("peer.heard", {"method": "transport.deliver"})]
    assert [one["type"] for one in heard] == ["lineup.v1.tool.cancel", "lineup.v1.interaction.dismiss"]
    assert heard[0]["payload"] == {"control_id": "d-1", "call_id": "call-1", "reason": "enough"}


async def test_a_call_may_name_its_app_session(runtime: Sidecar, agent: Agent) -> None:
    await agent.ask("confirm", {"title": "t", "prompt": "p"}, call_id="call-1", app_session_id="session-1")
    [[_, params]] = await runtime.request("peer.heard", {"method": "transport.deliver"})
    assert params["envelope"]["payload"] == {
        "call_id": "call-1",
        "kind": "confirm",
        "request": {"title": "t", "prompt": "p"},
        "app_session_context": {"app_session_id": "session-1"},
    }


async def test_a_second_agent_of_the_peer_hears_what_was_sent_before(runtime: Sidecar, agent: Agent) -> None:
    async with Agent(runtime) as another:
        assert await another.revision() == "inv_1"


async def test_an_ack_that_is_refused_is_a_fault(start_peer: StartPeer) -> None:
    refusals = {"transport.ack": "permission_denied"}
    runtime = await start_peer("--refusals", json.dumps(refusals))
    async with Agent(runtime):
        await send(runtime, row("o-1", "client.inventory", INVENTORY))
        with anyio.fail_after(5):
            while not runtime.faults:
                await anyio.wait_all_tasks_blocked()
    assert list(runtime.faults) == ["transport.ack: permission_denied: no"]


async def test_a_lost_ack_is_no_fault_since_the_row_comes_again(runtime: Sidecar, agent: Agent) -> None:
    agent.ack = False
    await send(runtime, row("o-2", "message", {"text": "hi", "format": "plain", "client_message_id": "m"}))
    await runtime.kill()
    agent.ack = True
    await runtime.start()
    await send(runtime, row("o-2", "message", {"text": "hi", "format": "plain", "client_message_id": "m"}))
    with anyio.fail_after(5):
        while agent.held:
            await anyio.wait_all_tasks_blocked()
    assert len(agent.received("message")) == 1
