"""A MiniApp whose logic raises, ends, spins or hoards harms nobody but itself (RULES 6)."""

from __future__ import annotations

import pytest

from tests.faults.house import House

pytestmark = pytest.mark.anyio


@pytest.mark.requirement("R6-others-unaffected", "C-guarded-logic")
async def test_an_exception_in_a_handler_fails_its_call_and_nothing_else(house: House) -> None:
    ended = await house.run("raises")
    assert (ended["status"], ended["error"]["code"]) == ("failed", "app_error")
    assert "word" not in str(ended), "the words of an exception are for the log"
    assert (await house.run("raises", tool="other"))["status"] == "completed"
    assert (await house.instance("raises"))["state"] == "foreground"


async def test_a_message_that_cannot_be_handled_does_not_come_back(house: House) -> None:
    await house.run("raises", tool="other")
    await house.agent.say("hello", app_scope="raises")
    assert (await house.run("raises", tool="other"))["status"] == "completed"
    assert (await house.call("runtime.status"))["inbox_pending"] == 0


@pytest.mark.requirement("R6-crashed-for-good", "R6-worker-restarts", "R6-others-unaffected")
@pytest.mark.parametrize("scope", ["no-import", "no-app", "no-start"])
async def test_logic_that_cannot_begin_fails_for_good_after_three_tries(house: House, scope: str) -> None:
    call = await house.invoke(scope)
    await house.others_are_well()
    ended = await call.result()
    assert (ended["status"], ended["error"]["code"]) == ("failed", "app_crashed")
    assert (await house.failed(scope))["code"] == "app_crashed"
    assert (await house.instance(scope))["state"] == ("suspended" if scope == "no-start" else "starting")
    assert (await house.instance("steady"))["state"] == "foreground"


@pytest.mark.requirement("R6-starts-anew")
async def test_what_failed_for_good_is_tried_anew_when_it_is_asked_for_again(house: House) -> None:
    for _ in range(2):
        assert (await house.run("no-import"))["error"]["code"] == "app_crashed"
        await house.failed("no-import")


@pytest.mark.requirement("R6-others-unaffected", "R2-timeout")
async def test_an_endless_loop_holds_its_own_call_alone_until_that_expires(house: House) -> None:
    call = await house.invoke("spins")
    async for progress in call.updates():
        assert progress == {"message": "spinning"}
        break
    await house.others_are_well()
    [open_call] = (await house.snapshot())["tool_calls"]
    assert (open_call["call_id"], open_call["status"]) == (call.call_id, "running")
    await house.call("test.advanceClock", ms=3_600_000)
    ended = await call.result()
    assert (ended["status"], ended["reason"]) == ("expired", "timeout")


@pytest.mark.requirement("R3-closed-is-final", "R3-close-calls")
async def test_an_endless_loop_is_closed_like_anything_else(house: House) -> None:
    call = await house.invoke("spins")
    await house.until("spins", "foreground")
    workers = (await house.call("runtime.status"))["live_workers"]
    await house.call("miniapp.close", instance_id=(await house.instance("spins"))["instance_id"])
    ended = await call.result()
    assert (ended["status"], ended["reason"]) == ("cancelled", "app_closed")
    assert (await house.call("runtime.status"))["live_workers"] < workers
    await house.others_are_well()


async def test_a_memory_hog_hits_its_own_bound(house: House) -> None:
    before = (await house.call("runtime.status"))["rss_bytes"]
    call = await house.invoke("hoards")
    await house.others_are_well()
    ended = await call.result()
    assert (ended["status"], ended["error"]["code"]) in (("failed", "app_error"), ("failed", "app_crashed"))
    assert (await house.call("runtime.status"))["rss_bytes"] < before + 50 * 1024 * 1024


@pytest.mark.requirement("R6-crashed-for-good", "R6-others-unaffected")
@pytest.mark.parametrize("how", ["exit", "_exit", "close", "signal"])
async def test_a_process_that_ends_in_every_life_is_given_up(house: House, how: str) -> None:
    call = await house.invoke("leaves", how)
    await house.others_are_well()
    ended = await call.result()
    assert (ended["status"], ended["error"]["code"], ended["error"]["retryable"]) == ("failed", "app_crashed", True)
    assert (await house.failed("leaves"))["app_scope"] == "leaves"
    assert (await house.instance("leaves"))["state"] == "suspended"


@pytest.mark.requirement("R2-redelivery", "R6-worker-restarts")
async def test_a_call_whose_process_died_once_is_handed_over_again_and_never_taken_as_done(house: House) -> None:
    ended = await house.run("leaves", "once")
    assert (ended["status"], ended["result"]) == ("completed", {"ok": True, "note": "redelivered"})
    assert len(house.agent.received("tool.result", ended["call_id"])) == 1


@pytest.mark.requirement("R6-crashed-for-good", "R2-crash-fails", "R6-starts-anew")
async def test_whatever_a_crashed_miniapp_had_open_ends_with_it(house: House) -> None:
    await house.others_are_well()
    call = await house.invoke("crashes")
    asked = await house.sidecar.wait_for("renderer.present", lambda news: _of(news, "miniapp_tool"))
    policy = await house.sidecar.wait_for("renderer.present", lambda news: _of(news, "runtime_policy"))
    crashed = (await house.instance("crashes"))["instance_id"]
    ended = await call.result()
    assert (ended["status"], ended["error"]["code"]) == ("failed", "app_crashed")
    await house.failed("crashes")
    retracted = {news.params["interaction_id"]: news.params for news in house.sidecar.seen("renderer.retract")}
    for question in (asked, policy):
        ended_question = retracted[question["item"]["record"]["interaction_id"]]
        assert (ended_question["status"], ended_question["reason"]) == ("failed", "app_crashed")
    snapshot = await house.snapshot()
    assert [one["status"] for one in snapshot["surfaces"] if one["instance_id"] == crashed] == ["failed"]
    assert snapshot["foreground"] == (await house.instance("steady"))["instance_id"]
    await house.call("miniapp.foreground", instance_id=crashed)
    await house.until("crashes", "foreground")


def _of(news: dict, source: str) -> bool:
    return bool(news["item"]["record"]["owner"]["source"] == source)


@pytest.mark.requirement("R3-disabled-keeps", "R6-worker-restarts")
async def test_an_app_that_is_switched_off_at_work_is_left_in_peace_and_goes_on_when_it_is_switched_on(
    house: House,
) -> None:
    await house.run("steady")
    call = await house.invoke("naps")
    await call.result()
    with house.asleep("naps"):
        call = await house.invoke("naps")
        await house.call("miniapp.setEnabled", app_scope="naps", enabled=False)
    await house.until("naps", "suspended")
    [waiting] = (await house.snapshot())["tool_calls"]
    assert (waiting["call_id"], waiting["status"]) == (call.call_id, "waiting_for_app")
    await house.call("miniapp.setEnabled", app_scope="naps", enabled=True)
    assert (await call.result())["status"] == "completed"
    await house.until("naps", "foreground")
