"""A MiniApp that does not listen, does not acknowledge or does not read costs nobody else anything (RULES 6)."""

from __future__ import annotations

from typing import Any

import pytest

from host_bridge.errors import ToolRejectedError
from rpc_schema.limits import MAX_INBOX_PENDING, MAX_QUEUED_NEWS
from tests.faults.house import PATIENCE_S, House

pytestmark = pytest.mark.anyio


def message_to(scope: str, message_id: str) -> dict[str, Any]:
    """An envelope with a message for an app."""
    envelope = {"type": "lineup.v1.message", "message_id": message_id, "app_scope": scope, "payload": {"text": "t"}}
    return {"envelope": envelope}


@pytest.mark.requirement("R2-handed-over", "R2-timeout")
async def test_calls_of_a_miniapp_that_never_subscribes_wait_and_expire(house: House) -> None:
    call = await house.invoke("deaf")
    await house.others_are_well()
    [open_call] = (await house.snapshot())["tool_calls"]
    assert (open_call["call_id"], open_call["status"]) == (call.call_id, "waiting_for_app")
    await house.call("test.advanceClock", ms=3_600_000)
    assert (await call.result())["reason"] == "timeout"


@pytest.mark.requirement("R6-bound-inbox")
async def test_the_inbox_of_a_miniapp_that_never_acknowledges_is_bounded(house: House) -> None:
    await house.call("miniapp.open", conversation_id=house.agent.conversation_id, app_scope="keeps")
    await house.until("keeps", "foreground")
    said = [message_to("keeps", f"m-{number}") for number in range(MAX_INBOX_PENDING)]
    answers = await house.sidecar.batch(("transport.deliver", {"peer": house.agent.peer, **one}) for one in said)
    assert {answer["status"] for answer in answers} == {"accepted"}
    with pytest.raises(ToolRejectedError) as refused:
        await house.agent.say("one more", app_scope="keeps")
    assert refused.value.code == "limit_exceeded"
    await house.others_are_well()


async def flood_by_view(house: House, scope: str) -> int:
    """Let the view of an app patch more than its logic may leave unread; the revision after it."""
    owner = (await house.until(scope, "foreground", "background"))["instance_id"]
    opened = await house.sidecar.wait_for("surface.opened", lambda news: news["surface"]["instance_id"] == owner)
    surface = opened["surface"]["surface_id"]
    token = (await house.call("surface.attach", surface_id=surface))["surface_token"]
    patch = {"text": "x" * 250_000}
    for _ in range(MAX_QUEUED_NEWS // 250_000 + 5):
        updated = await house.call("sdk.surfaces.update", context_token=token, surface_id=surface, patch=patch)
    return int(updated["revision"])


@pytest.mark.requirement("R6-others-unaffected")
async def test_a_miniapp_that_does_not_read_fills_no_memory(house: House) -> None:
    before = (await house.call("runtime.status"))["rss_bytes"]
    call = await house.invoke("blind")
    await flood_by_view(house, "blind")
    await house.others_are_well()
    assert (await house.call("runtime.status"))["rss_bytes"] < before + 3 * MAX_QUEUED_NEWS
    await house.call("miniapp.close", instance_id=(await house.instance("blind"))["instance_id"])
    assert (await call.result())["reason"] == "app_closed"


async def test_a_miniapp_that_slept_catches_up_with_all_that_was_dropped(house: House) -> None:
    assert await house.note("naps") == "1"
    with house.asleep("naps"):
        revision = await flood_by_view(house, "naps")
        call = await house.invoke("naps")
        await house.others_are_well()
    ended = await call.result(PATIENCE_S)
    assert ended["result"] == {"ok": True, "note": str(revision)}
