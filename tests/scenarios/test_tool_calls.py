"""The life of a Tool call from the invoke to the ack of its one result (RULES 2)."""

from __future__ import annotations

from typing import Any

import pytest

from host_bridge.errors import RpcError
from tests.scenarios.stage import Stage, refused

requirement = pytest.mark.requirement


async def status(stage: Stage, call_id: str) -> str | None:
    """The status of a call as long as it is open."""
    calls = (await stage.open())["tool_calls"]
    return next((call["status"] for call in calls if call["call_id"] == call_id), None)


# -- routing and focus


@requirement("R2-direct", "R3-enters-at-the-bottom")
async def test_direct_makes_an_instance_in_the_background(stage: Stage) -> None:
    await stage.invoke("probe.direct")
    assert await stage.stack() == ["probe", "chat"]


@requirement("R2-direct")
async def test_direct_comes_forward_where_its_target_says_so(stage: Stage) -> None:
    await stage.invoke("probe.show")
    assert await stage.stack() == ["chat", "probe"]
    await stage.invoke("probe-two.launch")
    await stage.invoke("probe.direct")
    assert await stage.stack() == ["chat", "probe", "probe-two"]
    await stage.invoke("probe.show")
    assert await stage.stack() == ["chat", "probe-two", "probe"]


@requirement("R2-launch", "R3-raise", "R3-stack-holds-all")
async def test_launch_makes_one_or_brings_the_one_forward(stage: Stage) -> None:
    await stage.invoke("probe.launch")
    await stage.invoke("probe-two.launch")
    assert await stage.stack() == ["chat", "probe", "probe-two"]
    first = await stage.instance("probe")
    await stage.invoke("probe.launch")
    assert await stage.stack() == ["chat", "probe-two", "probe"]
    assert await stage.instance("probe") == first


@requirement("R2-foreground")
async def test_foreground_needs_an_instance_and_brings_it_forward(stage: Stage) -> None:
    assert await stage.reject("probe.raise") == "app_instance_not_found"
    assert await stage.stack() == ["chat"]
    await stage.invoke("probe.direct")
    await stage.invoke("probe.raise")
    assert await stage.stack() == ["chat", "probe"]


@requirement("R2-operation")
async def test_operation_needs_an_instance_and_moves_it_only_where_its_target_says_so(stage: Stage) -> None:
    assert await stage.reject("probe.work") == "app_instance_not_found"
    await stage.invoke("probe.direct")
    await stage.invoke("probe.work")
    assert await stage.stack() == ["probe", "chat"]
    await stage.invoke("probe.attend")
    assert await stage.stack() == ["chat", "probe"]


@requirement("R2-interactive", "R5-focus-stays", "P1-3")
async def test_an_interactive_tool_has_no_target_and_moves_nothing(stage: Stage) -> None:
    await stage.invoke("probe.launch")
    assert stage.agent.tools["interaction.confirm"]["target"] is None
    before = await stage.open()
    await stage.ask("confirm")
    after = await stage.open()
    assert (after["focus_stack"], after["instances"]) == (before["focus_stack"], before["instances"])


@requirement("R2-one-instance")
async def test_each_way_to_an_app_leads_to_its_one_instance(stage: Stage) -> None:
    for name in ("direct", "launch", "show", "work", "raise"):
        await stage.invoke(f"probe.{name}")
    opened = await stage.call("miniapp.open", conversation_id=stage.conversation_id, app_scope="probe")
    scopes = [one["app_scope"] for one in (await stage.open())["instances"]]
    assert sorted(scopes) == ["chat", "probe"]
    assert opened["instance_id"] == (await stage.instance("probe") or {})["instance_id"]
    assert len(await stage.sent("app.session.opened")) == 1


@requirement("R2-accepted", "R2-routed", "R2-handed-over")
async def test_a_call_waits_for_the_subscription_and_runs_from_then_on(stage: Stage) -> None:
    call_id = await stage.invoke("probe.launch", {"n": 7, "tag": "x"})
    assert await status(stage, call_id) == "waiting_for_app"
    app = await stage.mount("probe")
    assert await status(stage, call_id) == "waiting_for_app"
    [call] = await app.take_calls()
    assert call == await app.get_call(call_id)
    assert {name: call[name] for name in ("tool_id", "input", "status", "deadline_at", "redelivered")} == {
        "tool_id": "probe.launch",
        "input": {"n": 7, "tag": "x"},
        "status": "running",
        "deadline_at": None,
        "redelivered": False,
    }
    assert await status(stage, call_id) == "running"
    later = await stage.invoke("probe.work")
    [news] = await app.heard("sdk.tools.call")
    assert (news["call"]["call_id"], news["call"]["status"]) == (later, "running")
    assert [entry["decision"] for entry in await stage.audit() if entry["subject"] == call_id] == ["accepted"] * 2


async def test_a_call_says_nothing_of_the_agent(stage: Stage) -> None:
    app, _ = await stage.launch()
    known = str(await app.take_calls()) + str(app.context) + str(await app.sdk("context.get"))
    assert stage.agent.peer["agent_id"] not in known


async def test_an_unsubscribed_app_keeps_its_calls_and_is_handed_no_new_ones(stage: Stage) -> None:
    app, running = await stage.launch()
    await app.sdk("tools.unsubscribe")
    waiting = await stage.invoke("probe.work")
    assert await app.heard("sdk.tools.call") == []
    assert [await status(stage, one) for one in (running, waiting)] == ["running", "waiting_for_app"]
    await app.complete(running)
    await app.complete(waiting)
    assert (await stage.result(waiting) or {})["status"] == "completed"


# -- progress


@requirement("R2-progress-while-running")
async def test_progress_is_taken_only_while_the_call_runs(stage: Stage) -> None:
    call_id = await stage.invoke("probe.launch")
    app = await stage.mount("probe")
    with refused("call_state_invalid", status="waiting_for_app"):
        await app.sdk("tools.reportProgress", call_id=call_id, progress={"percent": 1})
    await app.take_calls()
    await app.sdk("tools.reportProgress", call_id=call_id, progress={"percent": 1, "message": "m", "state": "s"})
    progress = {"percent": 1, "message": "m", "state": "s"}
    assert await stage.sent("tool.progress") == [{"call_id": call_id, "seq": 1, "progress": progress}]
    await app.complete(call_id)
    with refused("call_already_final", status="submitted"):
        await app.sdk("tools.reportProgress", call_id=call_id, progress={"percent": 100})


@requirement("R2-progress-coalesced")
async def test_progress_that_was_sent_stays_and_what_was_not_is_replaced(stage: Stage) -> None:
    app, first = await stage.launch()
    second = await stage.invoke("probe.work")

    async def report(call_id: str, percent: int) -> None:
        await app.sdk("tools.reportProgress", call_id=call_id, progress={"percent": percent})

    await report(first, 1)
    await stage.settle()
    await stage.call("transport.setOnline", online=False)
    for percent in (2, 3, 4):
        await report(first, percent)
        await report(second, percent)
    pending = (await stage.call("transport.setOnline", online=True))["pending"]
    told = [(one["call_id"], one["seq"], one["progress"]["percent"]) for one in await stage.sent("tool.progress")]
    assert told == [(first, 1, 1), (first, 4, 4), (second, 3, 4)]
    await app.complete(first)
    assert [one["seq"] for one in await stage.sent("tool.progress", first)] == [1, 4]
    assert pending >= 3


@requirement("R2-progress-coalesced")
async def test_progress_waits_behind_a_full_window_as_one_row(stage: Stage) -> None:
    app, call_id = await stage.launch()
    for number in range(70):
        await stage.deliver(
            "tool.invoke", {"call_id": f"{number}", "tool_id": "x", "inventory_revision": "r", "input": {}}
        )
    for percent in range(50):
        await app.sdk("tools.reportProgress", call_id=call_id, progress={"percent": percent})
    assert await stage.sent("tool.progress") == []
    while await stage.ack():
        pass
    assert [one["progress"]["percent"] for one in await stage.sent("tool.progress")] == [49]


# -- endings by the MiniApp


@requirement("R2-outcome-fixed", "R2-final-with-the-ack", "A10")
@pytest.mark.parametrize(
    ("method", "params", "told", "final"),
    [
        ("complete", {"result": {"ok": True, "note": "n"}}, {"result": {"ok": True, "note": "n"}}, "completed"),
        (
            "fail",
            {"failure": {"code": "no_paper", "message": "Empty", "retryable": True, "details": {"tray": 2}}},
            {"error": {"code": "no_paper", "message": "Empty", "retryable": True, "details": {"tray": 2}}},
            "failed",
        ),
        ("fail", {"failure": {"code": "c", "message": "m"}}, {"error": {"code": "c", "message": "m"}}, "failed"),
        ("cancel", {"reason": "no time"}, {"reason": "app_cancelled", "message": "no time"}, "cancelled"),
        ("cancel", {}, {"reason": "app_cancelled"}, "cancelled"),
    ],
)
async def test_an_ending_is_fixed_at_once_and_final_with_the_ack(
    stage: Stage, method: str, params: dict[str, Any], told: dict[str, Any], final: str
) -> None:
    app, call_id = await stage.launch()
    receipt = await app.sdk(f"tools.{method}", call_id=call_id, **params)
    assert receipt["status"] == "accepted"
    assert await stage.result(call_id) == {"call_id": call_id, "status": final, **told}
    assert (await app.get_call(call_id))["status"] == "submitted"
    await stage.ack()
    assert (await app.get_call(call_id))["status"] == final


async def test_a_call_that_was_never_handed_over_may_be_ended(stage: Stage) -> None:
    call_id = await stage.invoke("probe.launch")
    app = await stage.mount("probe")
    await app.complete(call_id)
    assert (await stage.result(call_id) or {})["status"] == "completed"


@requirement("R2-output-schema", "A10")
@pytest.mark.parametrize(
    "result", [{}, {"ok": "yes"}, {"ok": 1}, {"ok": None}, {"ok": True, "more": 1}, [], "ok", None]
)
async def test_a_result_that_does_not_fit_leaves_the_call_running(stage: Stage, result: object) -> None:
    app, call_id = await stage.launch()
    with refused("tool_output_invalid"):
        await app.sdk("tools.complete", call_id=call_id, result=result)
    assert await status(stage, call_id) == "running"
    assert await stage.result(call_id) is None
    await app.complete(call_id)
    assert await stage.result(call_id) == {"call_id": call_id, "status": "completed", "result": {"ok": True}}


@requirement("R2-complete-checks")
async def test_complete_is_checked_from_the_owner_to_the_result(stage: Stage) -> None:
    app, ended = await stage.launch("probe-two")
    open_ = await stage.invoke("probe-two.work")
    other, foreign = await stage.launch("probe")
    await other.complete(foreign)
    await app.complete(ended)
    await stage.call("miniapp.setEnabled", app_scope="probe-two", enabled=False)
    wrong = {"result": {"ok": "no"}}
    for call_id, code in [(foreign, "call_not_found"), (ended, "call_already_final"), (open_, "app_disabled")]:
        with refused(code):
            await app.sdk("tools.complete", call_id=call_id, **wrong)
    await stage.call("miniapp.setEnabled", app_scope="probe-two", enabled=True)
    with refused("tool_output_invalid"):
        await app.sdk("tools.complete", call_id=open_, **wrong)


@requirement("R1-submitted-is-final", "R2-final-with-the-ack")
async def test_what_is_submitted_counts_as_final(stage: Stage) -> None:
    app, call_id = await stage.launch()
    before = (await stage.call("runtime.status"))["tool_calls_open"]
    await app.complete(call_id)
    assert (await stage.call("runtime.status"))["tool_calls_open"] == before - 1
    assert await status(stage, call_id) is None
    assert await app.take_calls() == []
    with refused("call_already_final", status="submitted"):
        await app.ask(parent_call_id=call_id)
    answer = await stage.agent.cancel(call_id, control_id="k")
    assert answer["outcome"] == "already_final"
    assert await stage.reject("probe.launch", call_id=call_id) == "call_already_final"
    await app.sdk("lifecycle.requestBackground")
    await app.sdk("lifecycle.requestForeground")
    await stage.ack()
    await app.sdk("lifecycle.requestBackground")
    with refused("lifecycle_denied"):
        await app.sdk("lifecycle.requestForeground")


@requirement("R2-ends-the-tool-alone", "P3-2", "C-nobody-closes-itself")
@pytest.mark.parametrize("method", ["complete", "fail", "cancel"])
async def test_the_end_of_a_tool_ends_nothing_else(stage: Stage, method: str) -> None:
    app, call_id = await stage.launch()
    await app.open_surface()
    asked = await app.ask(parent_call_id=call_id)
    before = await stage.open()
    params = {"complete": {"result": {"ok": True}}, "fail": {"failure": {"code": "c", "message": "m"}}, "cancel": {}}
    await app.sdk(f"tools.{method}", call_id=call_id, **params[method])
    await stage.ack()
    after = await stage.open()
    for part in ("foreground", "focus_stack", "instances", "surfaces"):
        assert after[part] == before[part]
    assert [one["record"]["interaction_id"] for one in after["interactions"]] == [asked]
    assert await stage.sent("app.session.closed") == []


@requirement("R1-first-ending-wins", "A5", "P1-1")
@pytest.mark.parametrize("first", ["complete", "fail", "cancel", "agent", "close"])
async def test_of_endings_that_arrive_together_the_first_wins(stage: Stage, first: str) -> None:
    app, call_id = await stage.launch()
    named = {"context_token": app.token, "call_id": call_id}
    control = {"control_id": f"k {first}", "call_id": call_id}
    envelope = {"type": "lineup.v1.tool.cancel", "message_id": f"m {first}", "payload": control}
    endings: dict[str, tuple[str, dict[str, Any]]] = {
        "complete": ("sdk.tools.complete", {**named, "result": {"ok": True}}),
        "fail": ("sdk.tools.fail", {**named, "failure": {"code": "c", "message": "m"}}),
        "cancel": ("sdk.tools.cancel", named),
        "agent": ("transport.deliver", {"peer": stage.agent.peer, "envelope": envelope}),
        "close": ("miniapp.close", {"instance_id": app.instance_id}),
    }
    rest = [ending for name, ending in endings.items() if name not in (first, "close")]
    answers = await stage.sidecar.batch([endings[first], *rest, endings["close"]])
    assert not isinstance(answers[0], RpcError)
    told = {"complete": "completed", "fail": "failed"}.get(first, "cancelled")
    assert (await stage.result(call_id) or {})["status"] == told
    late = {one.refusal for one in answers[1:] if isinstance(one, RpcError)}
    assert late <= {"call_already_final", "context_token_invalid", "app_instance_not_found"}


async def test_a_second_ending_is_refused_and_audited(stage: Stage) -> None:
    app, call_id = await stage.launch()
    await app.complete(call_id)
    for method, params in [
        ("complete", {"result": {"ok": False}}),
        ("fail", {"failure": {"code": "c", "message": "m"}}),
        ("cancel", {}),
    ]:
        with refused("call_already_final"):
            await app.sdk(f"tools.{method}", call_id=call_id, **params)
    refusals = [one["action"] for one in await stage.audit() if one["code"] == "call_already_final"]
    assert refusals == ["sdk.tools.complete", "sdk.tools.fail", "sdk.tools.cancel"]
    assert (await stage.result(call_id) or {})["result"] == {"ok": True}
