"""A MiniApp that ends its call when that has long been ended otherwise changes nothing (RULES 1 and 2)."""

from __future__ import annotations

import anyio
import pytest

from tests.faults.house import PATIENCE_S, House

pytestmark = pytest.mark.anyio


async def refusals(house: House, call_id: str) -> list[tuple[str, str]]:
    """What was refused of a call: action and code."""
    entries = await house.audit(conversation_id=house.agent.conversation_id)
    return [(one["action"], one["code"]) for one in entries if one["subject"] == call_id and one["code"]]


@pytest.mark.requirement("R1-first-ending-wins", "R2-timeout", "R2-agent-cancels")
@pytest.mark.parametrize("how", ["complete", "fail", "progress"])
@pytest.mark.parametrize("ended_by", ["the Agent", "the clock"])
async def test_what_comes_late_is_refused_and_recorded_and_changes_nothing(
    house: House, ended_by: str, how: str
) -> None:
    call = await house.invoke("late", how)
    async for progress in call.updates():
        assert progress == {"message": "at work"}
        break
    if ended_by == "the Agent":
        assert (await house.agent.cancel(call.call_id))["outcome"] == "cancelled"
    else:
        await house.call("test.advanceClock", ms=3_600_000)
    ended = await call.result(PATIENCE_S)
    expected = ("cancelled", "agent_cancelled") if ended_by == "the Agent" else ("expired", "timeout")
    assert (ended["status"], ended["reason"], ended.get("result")) == (*expected, None)
    assert (await house.run("late", tool="other"))["status"] == "completed", "its handler has come to its end"
    assert house.agent.received("tool.result", call.call_id) == [ended]
    attempt = {"complete": "complete", "fail": "fail", "progress": "reportProgress"}[how]
    refused = await refusals(house, call.call_id)
    assert refused[0] == (f"sdk.tools.{attempt}", "call_already_final")
    assert {code for _, code in refused} == {"call_already_final"}


@pytest.mark.requirement("R6-others-unaffected", "R2-agent-cancels")
async def test_a_handler_that_never_returns_holds_up_nobody_and_its_call_is_given_up_at_once(house: House) -> None:
    call = await house.invoke("spins")
    async for _ in call.updates():
        break
    [instance] = [one for one in (await house.snapshot())["instances"] if one["app_scope"] == "chat"]
    token = (await house.call("miniapp.mount", instance_id=instance["instance_id"]))["context_token"]
    with anyio.fail_after(10):
        assert await house.call("ping") == {}
        assert (await house.run("steady"))["status"] == "completed"
        assert await house.call("sdk.inbox.list", context_token=token) == {"messages": []}
        assert (await house.agent.cancel(call.call_id))["outcome"] == "cancelled"
        assert (await call.result())["reason"] == "agent_cancelled"
