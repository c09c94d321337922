"""Calls that the Agent or the clock ends, and the time of people, which is not theirs (RULES 2)."""

from __future__ import annotations

import os
import signal

import anyio
import pytest

from tests.scenarios.stage import DAY, MINUTE, App, Stage, refused

requirement = pytest.mark.requirement


async def status(stage: Stage, call_id: str) -> str | None:
    """The status of a call as long as it is open."""
    calls = (await stage.open())["tool_calls"]
    return next((call["status"] for call in calls if call["call_id"] == call_id), None)


# -- endings by the Agent and by time


@requirement("R2-agent-cancels")
@pytest.mark.parametrize("handed", [True, False])
async def test_the_agent_gives_a_call_up(stage: Stage, handed: bool) -> None:
    call_id = await stage.invoke("probe.launch")
    app = await stage.mount("probe")
    if handed:
        await app.take_calls()
    receipt = await stage.agent.cancel(call_id, control_id="k", reason="changed my mind")
    assert receipt == {"control_id": "k", "call_id": call_id, "outcome": "cancelled"}
    told = {"call_id": call_id, "status": "cancelled", "reason": "agent_cancelled", "message": "changed my mind"}
    assert await stage.result(call_id) == told
    closed = {"instance_id": app.instance_id, "call_id": call_id, "status": "cancelled", "reason": "agent_cancelled"}
    assert await app.heard("sdk.tools.closed") == [closed]
    assert (await app.get_call(call_id))["status"] == "cancelled"


@requirement("R2-cancel-receipt", "R5-dismiss")
async def test_cancel_reaches_ordinary_tools_alone_and_dismiss_interactive_ones(stage: Stage) -> None:
    app, call_id = await stage.launch()
    asked, _ = await stage.ask("confirm")
    assert (await stage.agent.cancel(asked))["outcome"] == "not_found"
    assert (await stage.agent.dismiss(call_id))["outcome"] == "not_found"
    assert (await stage.agent.cancel("no-such-call"))["outcome"] == "not_found"
    assert await status(stage, call_id) == "running"
    assert len(await stage.items()) == 1
    await app.complete(call_id)
    assert (await stage.agent.cancel(call_id))["outcome"] == "already_final"


@requirement("R2-cancel-receipt")
async def test_a_rejected_call_is_final_for_a_cancel(stage: Stage) -> None:
    await stage.reject("probe.launch", {"n": -1}, call_id="bad")
    assert (await stage.agent.cancel("bad"))["outcome"] == "already_final"


@requirement("R2-timeout")
@pytest.mark.parametrize("handed", [True, False])
async def test_a_call_that_takes_too_long_expires(stage: Stage, handed: bool) -> None:
    call_id = await stage.invoke("probe.brief")
    app = await stage.mount("probe")
    if handed:
        await app.take_calls()
    assert (await app.get_call(call_id))["deadline_at"] is not None
    await stage.advance(MINUTE - 1_000)
    assert await stage.result(call_id) is None
    await stage.advance(1_000)
    assert await stage.result(call_id) == {"call_id": call_id, "status": "expired", "reason": "timeout"}
    closed = {"instance_id": app.instance_id, "call_id": call_id, "status": "expired", "reason": "timeout"}
    assert await app.heard("sdk.tools.closed") == [closed]
    with refused("call_already_final", status="expired"):
        await app.complete(call_id)


@requirement("R2-timeout", "R5-expiry", "R1-overdue-first")
async def test_a_deadline_needs_no_request_and_comes_before_one(alone: Stage) -> None:
    call_id = await alone.invoke("probe.blink")
    app = await alone.mount("probe")
    assert (await alone.sidecar.wait_for("sdk.tools.closed"))["call_id"] == call_id
    again = await alone.invoke("probe.blink")
    await app.take_calls()
    os.kill(alone.sidecar.pid, signal.SIGSTOP)
    late = await alone.sidecar.post(
        "sdk.tools.complete", {"context_token": app.token, "call_id": again, "result": {"ok": True}}
    )
    await anyio.sleep(1.1)  # the deadline is the real clock's, and passes while the process stands still
    os.kill(alone.sidecar.pid, signal.SIGCONT)
    with refused("call_already_final", status="expired"):
        await late
    assert (await alone.result(again) or {})["reason"] == "timeout"


@requirement("R2-one-day")
@pytest.mark.parametrize("name", ["launch", "patient"])
async def test_a_call_lives_a_day_at_most(stage: Stage, name: str) -> None:
    app, call_id = await stage.launch(name=name)
    asked = await app.ask(parent_call_id=call_id)
    await stage.advance(DAY - 1_000)
    assert await stage.result(call_id) is None
    assert (await app.record(asked))["status"] == "expired"
    again = await app.ask(parent_call_id=call_id)
    await stage.advance(1_000)
    assert await stage.result(call_id) == {"call_id": call_id, "status": "expired", "reason": "timeout"}
    assert (await app.record(again))["status"] == "pending"


# -- human time


async def deadline(app: App, call_id: str) -> str:
    """The deadline that the app is told."""
    told: str = (await app.get_call(call_id))["deadline_at"]
    return told


@requirement("R2-human-time")
async def test_the_clock_stands_still_while_a_person_is_asked(stage: Stage) -> None:
    app, call_id = await stage.launch(name="brief")
    before = await deadline(app, call_id)
    await stage.advance(30_000)
    asked = await app.ask(parent_call_id=call_id)
    await stage.advance(10 * MINUTE)
    assert await stage.result(call_id) is None
    await stage.answer(asked, {"approved": True})
    assert await deadline(app, call_id) > before
    await stage.advance(29_000)
    assert await stage.result(call_id) is None
    await stage.advance(1_000)
    assert (await stage.result(call_id) or {})["reason"] == "timeout"


@requirement("R2-human-time")
async def test_it_goes_on_when_the_last_of_several_questions_has_ended(stage: Stage) -> None:
    app, call_id = await stage.launch(name="brief")
    first = await app.ask(parent_call_id=call_id)
    await stage.advance(MINUTE)
    second = await app.ask("input", parent_call_id=call_id)
    await stage.call("renderer.cancel", interaction_id=first)
    await stage.advance(5 * MINUTE)
    assert await stage.result(call_id) is None
    await app.sdk("ui.cancel", interaction_id=second)
    await stage.advance(59_000)
    assert await stage.result(call_id) is None
    await stage.advance(1_000)
    assert (await stage.result(call_id) or {})["reason"] == "timeout"


@requirement("R2-human-time")
async def test_a_question_that_expires_starts_the_clock_again(stage: Stage) -> None:
    app, call_id = await stage.launch(name="brief")
    question = {"title": "t", "prompt": "p", "expires_in_ms": 2 * MINUTE}
    asked = await app.ask("confirm", question, parent_call_id=call_id)
    await stage.advance(2 * MINUTE)
    assert (await app.record(asked))["status"] == "expired"
    assert await stage.result(call_id) is None
    await stage.advance(MINUTE)
    assert (await stage.result(call_id) or {})["reason"] == "timeout"


@requirement("R2-human-time")
async def test_a_question_about_something_else_stops_no_clock(stage: Stage) -> None:
    app, call_id = await stage.launch(name="brief")
    other = await stage.invoke("probe.work")
    await app.ask()
    await app.ask(parent_call_id=other)
    await stage.ask("confirm")
    await stage.advance(MINUTE)
    assert (await stage.result(call_id) or {})["reason"] == "timeout"
