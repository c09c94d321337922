"""Few acts that are heavy: what is open fits into one message, and what was refused weighs nothing (RULES 6)."""

from __future__ import annotations

from typing import Any

import pytest

from host_bridge.errors import RpcError, ToolRejectedError
from rpc_schema.json_text import write_json
from rpc_schema.limits import (
    MAX_CAPABILITY_REQUESTS,
    MAX_CAPABILITY_RESULT,
    MAX_INBOX_BYTES,
    MAX_INBOX_PENDING,
    MAX_OPEN_CALLS,
    MAX_OPEN_CALLS_BYTES,
    MAX_OPEN_INTERACTIONS_BYTES,
    MAX_RESULT,
    SMALL_INPUT,
)
from tests.faults.house import PATIENCE_S, House
from tests.faults.watch import MIB, forget_peak, peak_of, resident, watched

pytestmark = pytest.mark.anyio

LONG = "\N{GRINNING FACE}" * 32_000
"""The longest message, of what takes most bytes on the wire."""


def question(size: int) -> dict[str, Any]:
    """A choice of about that many bytes."""
    actions = [{"id": f"{number}", "label": "L", "description": "x" * (size // 50)} for number in range(50)]
    return {"title": "T", "prompt": "P", "mode": "button", "actions": actions}


async def refusal_of(house: House, **envelope: Any) -> str:
    """What the Agent is told of a message that is refused."""
    with pytest.raises(ToolRejectedError) as refused:
        await house.agent.say(**envelope)
    assert refused.value.code == "limit_exceeded"
    return str(refused.value)


@pytest.mark.requirement("R6-bound-inbox", "R6-others-unaffected")
async def test_long_messages_to_an_app_that_sleeps_do_not_kill_it(house: House) -> None:
    await house.run("raises", tool="other")
    async with watched(house):
        with house.asleep("raises"):
            accepted = 0
            while (await house.agent.deliver("message", {"text": LONG}, app_scope="raises"))["status"] == "accepted":
                accepted += 1
            told = await refusal_of(house, text=LONG, app_scope="raises")
            house.kill("raises")
    assert accepted == MAX_INBOX_BYTES // (12 * len(LONG))
    assert f"of {MAX_INBOX_BYTES})" in told
    assert "(inbox_pending_bytes: " in told
    assert "send less" in told
    assert (await house.run("raises", tool="other"))["status"] == "completed", "it lives, and has read what waited"
    await house.agent.say("short", app_scope="raises")


@pytest.mark.requirement("R6-bound-calls", "R6-others-unaffected")
async def test_large_inputs_to_an_app_that_sleeps_do_not_kill_it(house: House) -> None:
    await house.note("naps")
    large, calls = "x" * 900_000, []
    async with watched(house):
        with house.asleep("naps"):
            for _ in range(4):
                calls.append(await house.invoke("naps", large))
            with pytest.raises(ToolRejectedError) as refused:
                await house.invoke("naps", large)
            calls += [await house.invoke("naps", "x" * (SMALL_INPUT - 100)) for _ in range(MAX_OPEN_CALLS - 4)]
            with pytest.raises(ToolRejectedError) as full:
                await house.invoke("naps", "x")
            house.kill("naps")
    assert refused.value.code == full.value.code == "limit_exceeded"
    assert f"of {MAX_OPEN_CALLS_BYTES})" in str(refused.value)
    assert f"(open_calls: {MAX_OPEN_CALLS} of {MAX_OPEN_CALLS})" in str(full.value)
    assert {(await call.result(PATIENCE_S))["status"] for call in calls} == {"completed"}


@pytest.mark.requirement("R6-bound-questions")
async def test_large_questions_and_drafts_can_always_be_listed(house: House) -> None:
    asked = MAX_OPEN_INTERACTIONS_BYTES // len(write_json({"kind": "choice", **question(100_000)}))
    for _ in range(asked):
        await house.agent.ask("choice", question(100_000))
    with pytest.raises(ToolRejectedError) as refused:
        await house.agent.ask("choice", question(100_000))
    assert "(open_interactions_bytes: " in str(refused.value)
    assert f"of {MAX_OPEN_INTERACTIONS_BYTES})" in str(refused.value)
    form = {"title": "F", "prompt": "P", "fields": [{"id": "a", "label": "A", "type": "textarea"}]}
    await house.agent.ask("input", form)
    items = (await house.call("renderer.list", conversation_id=house.agent.conversation_id))["items"]
    assert len(items) == len((await house.snapshot())["interactions"]) == asked + 1
    *questions, asking = (item["record"]["interaction_id"] for item in items)
    draft = {"values": {"a": "\N{GRINNING FACE}" * 16_000}}
    with pytest.raises(RpcError) as no_room:
        await house.call("renderer.saveDraft", interaction_id=asking, draft=draft)
    told = no_room.value.data
    assert (told["code"], told["limit"]) == ("limit_exceeded", "open_interactions_bytes")
    assert told["actual"] > told["bound"] == MAX_OPEN_INTERACTIONS_BYTES
    for interaction_id in questions[:2]:
        await house.call("renderer.cancel", interaction_id=interaction_id)
    for _ in range(3):  # one draft takes the place of the other
        await house.call("renderer.saveDraft", interaction_id=asking, draft=draft)
    for interaction_id in (*questions[2:], asking):
        await house.call("renderer.cancel", interaction_id=interaction_id)


async def test_large_questions_that_have_ended_keep_no_app_from_its_next_life(house: House) -> None:
    async with watched(house):
        assert 0 < int(await house.note("heavy", "ask")) < 50
        house.kill("heavy")
        assert await house.note("heavy") == ""


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ("result", f"tool_output_invalid result_bytes {MAX_RESULT} "),
        ("failure", "-32602 [{'path': 'failure.details', "),
    ],
)
async def test_an_ending_that_would_not_reach_the_agent_is_refused_and_the_call_goes_on(
    house: House, how: str, told: str
) -> None:
    note = await house.note("heavy", how)
    assert note.startswith(told)
    assert str(MAX_RESULT) in note


@pytest.mark.requirement("R6-outbox-again")
async def test_large_results_for_an_agent_that_is_away_are_not_read_all_at_once(house: House) -> None:
    await house.note("heavy")
    before = resident(house.sidecar.pid)
    await house.call("transport.setOnline", online=False)
    calls = [await house.invoke("heavy", tool="other") for _ in range(24)]
    await house.at_rest()
    forget_peak(house.sidecar.pid)
    await house.call("transport.setOnline", online=True)
    assert [len((await call.result(PATIENCE_S))["result"]["note"]) for call in calls] == [3_000_000] * 24
    assert peak_of(house.sidecar.pid) - before < 80 * MIB, "of 72 MB that waited, and twice that as they are read"


@pytest.mark.requirement("R1-refused-is-audited")
async def test_what_was_refused_is_not_kept_in_memory(house: House) -> None:
    before = resident(house.sidecar.pid)
    forget_peak(house.sidecar.pid)
    for _ in range(30):
        with pytest.raises(ToolRejectedError) as refused:
            await house.agent.invoke("steady.go", {"unknown": "x" * 6_000_000})
        assert refused.value.code == "tool_input_invalid"
    assert peak_of(house.sidecar.pid) - before < 80 * MIB, "of 180 MB that were refused"


@pytest.mark.requirement("R6-bound-inbox", "R8-chain")
async def test_a_capability_is_not_asked_for_where_its_outcome_would_have_no_room(house: House) -> None:
    opened = await house.call("miniapp.open", conversation_id=house.agent.conversation_id, app_scope="keeps")
    await house.until("keeps", "foreground")
    await house.sidecar.initialize(host_run=["chat", "keeps"], capability_providers=["probe.allowed", "probe.asked"])
    await house.snapshot()
    token = (await house.call("miniapp.mount", instance_id=opened["instance_id"]))["context_token"]
    wanted = {"context_token": token, "capability": "probe.allowed", "reason": "r", "arguments": {}}
    for _ in range(MAX_INBOX_PENDING // MAX_CAPABILITY_REQUESTS):
        requests = [("sdk.capabilities.request", wanted)] * MAX_CAPABILITY_REQUESTS
        asked = [one["request_id"] for one in await house.sidecar.batch(requests)]
        granted = [("capability.resolve", {"request_id": one, "outcome": "granted"}) for one in asked]
        assert await house.sidecar.batch(granted) == [{}] * MAX_CAPABILITY_REQUESTS
    with pytest.raises(RpcError) as refused:
        await house.call("sdk.capabilities.request", **wanted)
    assert refused.value.data == {
        "code": "limit_exceeded",
        "limit": "inbox_pending",
        "bound": MAX_INBOX_PENDING,
        "actual": MAX_INBOX_PENDING,
    }
    [first, *_] = (await house.call("sdk.inbox.list", context_token=token))["messages"]
    await house.call("sdk.inbox.acknowledge", context_token=token, message_id=first["message_id"])
    request_id = (await house.call("sdk.capabilities.request", **wanted))["request_id"]
    much = {"all": "x" * MAX_CAPABILITY_RESULT}
    with pytest.raises(RpcError) as too_large:
        await house.call("capability.resolve", request_id=request_id, outcome="granted", result=much)
    assert (too_large.value.code, too_large.value.data["errors"][0]["path"]) == (-32602, "result")
    await house.call("capability.resolve", request_id=request_id, outcome="granted", result={"fits": True})
    await house.sidecar.initialize(host_run=["chat"], capability_providers=["probe.allowed", "probe.asked"])
    await house.snapshot()
