"""A MiniApp that asks for too much is bounded, and the Host is answered all the while (RULES 6)."""

from __future__ import annotations

import pytest

from tests.faults.house import House

pytestmark = pytest.mark.anyio


@pytest.mark.requirement("R6-bound-events", "R6-bound-questions", "R6-bound-surfaces", "R6-others-unaffected")
@pytest.mark.parametrize(
    ("how", "told"),
    [
        ("progress", "ok=300"),
        ("update", "ok=300"),
        ("emit", "limit_exceeded=100 ok=200"),
        ("ask", "limit_exceeded=22 ok=8"),
        ("want", "limit_exceeded=22 ok=8"),
        ("open", "limit_exceeded=27 ok=3"),
        ("refused", "call_not_found=300"),
    ],
)
async def test_a_flood_of_requests_is_bounded(house: House, how: str, told: str) -> None:
    call = await house.invoke("floods", how)
    await house.others_are_well()
    ended = await call.result(60)
    assert ended["result"] == {"ok": True, "note": told}


@pytest.mark.requirement("R2-progress-coalesced")
async def test_progress_that_the_agent_is_slow_to_take_is_not_kept(house: House) -> None:
    house.agent.ack = False
    before = (await house.call("runtime.status"))["outbox_pending"]
    await house.invoke("floods", "progress")
    await house.at_rest()
    assert (await house.call("runtime.status"))["outbox_pending"] <= before + 64 + 2
    house.agent.ack = True
    await house.agent.ack_held()


async def test_requests_without_end_and_without_reading_end_their_author(house: House) -> None:
    call = await house.invoke("rushes")
    await house.others_are_well()
    ended = await call.result(60)
    assert (ended["status"], ended["error"]["code"]) == ("failed", "app_crashed")
    await house.logged("the worker does not read")
