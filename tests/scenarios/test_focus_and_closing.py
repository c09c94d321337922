"""Focus, states and closing: what moves, what does not, and what a close leaves behind (RULES 3)."""

from __future__ import annotations

from pathlib import Path

import pytest

from host_bridge.errors import RpcError
from tests import stored
from tests.scenarios.stage import HOUR, App, Stage, refused

requirement = pytest.mark.requirement

FIRST, SECOND, THIRD = "probe", "probe-two", "probe-three"


async def start_three(stage: Stage) -> tuple[App, App, App]:
    """Three apps above Interact, the third in front."""
    return await stage.start(FIRST), await stage.start(SECOND), await stage.start(THIRD)


# -- states


@requirement("R3-derived-state")
async def test_the_state_follows_from_connection_and_focus(stage: Stage) -> None:
    await stage.invoke("probe.launch")

    async def state() -> str:
        return str((await stage.instance("probe") or {})["state"])

    assert await state() == "starting"
    app = await stage.mount("probe")
    assert (app.context["state"], await state()) == ("foreground", "foreground")
    await app.background()
    assert (await app.state(), await state()) == ("background", "background")
    await app.unmount()
    assert await state() == "suspended"
    await app.foreground()
    assert await state() == "suspended"
    await app.mount()
    assert (app.context["state"], await state()) == ("foreground", "foreground")


@requirement("R3-derived-state")
async def test_each_change_of_state_is_told_to_the_app_once(stage: Stage) -> None:
    app = await stage.start()
    other = await stage.start(SECOND)
    await app.foreground()
    await app.foreground()
    told = [one["context"]["state"] for one in await app.heard("sdk.context.changed")]
    assert told == ["background", "foreground"]
    told = [one["context"]["state"] for one in await other.heard("sdk.context.changed")]
    assert told == ["background"]
    [context] = {str(one["context"]) for one in await other.heard("sdk.context.changed")}
    assert context == str(await other.sdk("context.get"))


@requirement("A1")
async def test_mounted_is_the_containers_and_says_nothing_of_the_logic(stage: Stage) -> None:
    await stage.invoke("probe.launch")
    assert (await stage.instance("probe") or {})["mounted"] is False
    app = await stage.mount("probe")
    instance = await stage.instance("probe") or {}
    assert (instance["mounted"], instance["run_by"], instance["app_version"]) == (True, "host", "1.0.0")
    await app.unmount()
    assert (await stage.instance("probe") or {})["mounted"] is False


# -- moving


@requirement("R3-stack-holds-all", "R3-raise", "R3-user-may-always")
async def test_the_user_brings_any_instance_forward(stage: Stage) -> None:
    first, second, _ = await start_three(stage)
    assert await stage.stack() == ["chat", FIRST, SECOND, THIRD]
    await first.foreground()
    assert await stage.stack() == ["chat", SECOND, THIRD, FIRST]
    await second.foreground()
    assert await stage.stack() == ["chat", THIRD, FIRST, SECOND]
    interact = await stage.mount("chat")
    await interact.foreground()
    assert await stage.stack() == [THIRD, FIRST, SECOND, "chat"]


@requirement("R3-one-down")
async def test_going_back_is_one_place_down(stage: Stage) -> None:
    first, second, third = await start_three(stage)
    await third.sdk("lifecycle.requestBackground")
    assert await stage.stack() == ["chat", FIRST, THIRD, SECOND]
    await third.background()
    assert await stage.stack() == ["chat", THIRD, FIRST, SECOND]
    await first.sdk("lifecycle.requestBackground")
    await first.sdk("lifecycle.requestBackground")
    assert await stage.stack() == [FIRST, "chat", THIRD, SECOND]
    with refused("lifecycle_denied"):
        await first.sdk("lifecycle.requestBackground")
    with refused("lifecycle_denied"):
        await first.background()
    assert await stage.stack() == [FIRST, "chat", THIRD, SECOND]
    assert second.context["state"] == "foreground"


@requirement("R3-interact-waits", "R3-interact-stays")
async def test_interact_waits_for_the_user(stage: Stage) -> None:
    interact = await stage.mount("chat")
    await interact.sdk("lifecycle.requestForeground")
    with refused("lifecycle_denied"):
        await interact.sdk("lifecycle.requestBackground")
    await stage.start()
    assert await interact.state() == "background"
    with refused("lifecycle_denied"):
        await interact.sdk("lifecycle.requestForeground")
    await interact.foreground()
    await interact.sdk("lifecycle.requestForeground")
    await interact.sdk("lifecycle.requestBackground")
    assert await stage.stack() == ["chat", FIRST]


@requirement("R3-interact-stays")
async def test_interact_is_in_every_stack_and_never_closes(stage: Stage) -> None:
    interact = await stage.mount("chat")
    for _ in range(2):
        with refused("lifecycle_denied"):
            await interact.close()
        with refused("lifecycle_denied"):
            await interact.sdk("lifecycle.requestClose")
        await stage.start()
    assert await stage.stack() == ["chat", FIRST]
    assert interact.context["mode"] == "im"


@requirement("R3-foreground-for-work")
async def test_an_app_comes_forward_by_itself_only_for_unfinished_work(stage: Stage) -> None:
    app = await stage.start()
    await stage.start(SECOND)
    with refused("lifecycle_denied"):
        await app.sdk("lifecycle.requestForeground")
    call_id = await stage.invoke("probe.work")
    await app.sdk("lifecycle.requestForeground")
    assert await stage.stack() == ["chat", SECOND, FIRST]
    await app.complete(call_id)
    await app.sdk("lifecycle.requestBackground")
    await app.sdk("lifecycle.requestForeground")
    await stage.ack()
    await app.sdk("lifecycle.requestBackground")
    with refused("lifecycle_denied"):
        await app.sdk("lifecycle.requestForeground")
    assert await stage.stack() == ["chat", FIRST, SECOND]


async def test_each_change_is_told_whole_and_revisions_grow(stage: Stage) -> None:
    app = await stage.start()
    before = (await stage.open())["revision"]
    await app.background()
    [told] = (await stage.heard("workspace.changed", conversation_id=stage.conversation_id))[-1:]
    snapshot = await stage.open()
    assert {name: snapshot[name] for name in told} == told
    assert told["revision"] > before
    await stage.forget()
    with refused("lifecycle_denied"):
        await app.background()
    assert await stage.heard("workspace.changed") == []
    assert (await stage.open())["revision"] == snapshot["revision"]


# -- who comes to the front when one closes


@requirement("R3-lower-closes")
async def test_closing_a_lower_instance_moves_nothing(stage: Stage) -> None:
    first, _, third = await start_three(stage)
    await first.close()
    assert await stage.stack() == ["chat", SECOND, THIRD]
    assert await third.state() == "foreground"
    assert await third.heard("sdk.context.changed") == []


@requirement("R3-close-focus", "P1-1")
async def test_the_one_below_comes_back(stage: Stage) -> None:
    _, second, third = await start_three(stage)
    await third.sdk("lifecycle.requestClose")
    assert await stage.stack() == ["chat", FIRST, SECOND]
    assert await second.state() == "foreground"
    await second.close()
    assert await stage.stack() == ["chat", FIRST]


@requirement("R3-close-to-interact")
async def test_a_tool_may_say_that_interact_comes_back(stage: Stage) -> None:
    await stage.start(SECOND)
    app, _ = await stage.launch("probe", "drop")
    assert await stage.stack() == ["chat", SECOND, FIRST]
    await app.close()
    assert await stage.stack() == [SECOND, "chat"]


@requirement("R3-close-to-interact")
@pytest.mark.parametrize("raised_by", ["launch", "raise", "user", "open"])
async def test_who_raised_it_last_decides(stage: Stage, raised_by: str) -> None:
    await stage.start(SECOND)
    app, _ = await stage.launch("probe", "drop")
    match raised_by:
        case "user":
            await app.foreground()
        case "open":
            await stage.start()
        case name:
            await stage.invoke(f"probe.{name}")
    await app.close()
    assert await stage.stack() == ["chat", SECOND]


@requirement("R3-close-to-interact")
async def test_what_does_not_raise_it_decides_nothing(stage: Stage) -> None:
    await stage.start(SECOND)
    app, _ = await stage.launch("probe", "drop")
    await stage.invoke("probe.work")
    await stage.invoke("probe.direct")
    await app.sdk("lifecycle.requestBackground")
    await app.sdk("lifecycle.requestForeground")
    await app.close()
    assert await stage.stack() == [SECOND, "chat"]


@requirement("R3-close-to-interact", "R3-lower-closes")
async def test_a_lower_instance_gives_the_focus_to_nobody(stage: Stage) -> None:
    app, _ = await stage.launch("probe", "drop")
    await stage.start(SECOND)
    await app.close()
    assert await stage.stack() == ["chat", SECOND]


# -- what a close converges to


@requirement("P1-1", "C-close-accepted", "R2-closed-cancels", "R3-close-calls", "R3-close-session")
@pytest.mark.parametrize("by", ["user", "app"])
async def test_open_calls_are_cancelled_and_submitted_ones_stay(stage: Stage, by: str) -> None:
    app, running = await stage.launch()
    submitted = await stage.invoke("probe.work")
    await app.complete(submitted)
    await app.sdk("tools.unsubscribe")
    waiting = await stage.invoke("probe.work")
    if by == "user":
        await app.close(reason="enough")
    else:
        await app.sdk("lifecycle.requestClose", reason="enough")
    for call_id in (running, waiting):
        told = {"call_id": call_id, "status": "cancelled", "reason": "app_closed"}
        assert await stage.result(call_id) == told
        closed = {"instance_id": app.instance_id, "call_id": call_id, "status": "cancelled", "reason": "app_closed"}
        assert await app.heard("sdk.tools.closed", call_id=call_id) == [closed]
    assert (await stage.result(submitted) or {})["status"] == "completed"
    [session] = await stage.sent("app.session.closed")
    assert session == {
        "app_session_id": (await stage.sent("app.session.opened"))[0]["app_session_id"],
        "app_scope": "probe",
        "reason": "enough",
        "cancelled_call_ids": [running, waiting],
        "pending_interaction_call_ids": [],
    }
    assert (await stage.open())["tool_calls"] == []
    await stage.ack()
    with refused("context_token_invalid"):
        await app.complete(submitted)


@requirement("R3-close-questions", "R3-close-session", "R5-parent-ends", "P1-1", "P1-2")
async def test_own_and_policy_questions_are_cancelled_and_the_agents_stay(stage: Stage) -> None:
    app, call_id = await stage.launch()
    session = (await stage.sent("app.session.opened"))[0]["app_session_id"]
    own = await app.ask(parent_call_id=call_id)
    wanted = await app.want("probe.asked")
    provided = await app.want("probe.allowed")
    linked, linked_id = await stage.ask("confirm", app_session_id=session)
    answered, answered_id = await stage.ask("confirm", app_session_id=session)
    await stage.answer(answered_id, {"approved": True})
    _, unlinked_id = await stage.ask("confirm")
    [policy] = [one for one in await stage.items() if one["record"]["owner"]["source"] == "runtime_policy"]
    await stage.forget()
    await app.close()
    for interaction_id in (own, policy["record"]["interaction_id"]):
        [news] = await stage.heard("renderer.retract", interaction_id=interaction_id)
        assert news == {"interaction_id": interaction_id, "status": "cancelled", "reason": "app_closed"}
    assert [one["record"]["interaction_id"] for one in await stage.items()] == [linked_id, unlinked_id]
    for request_id in (wanted, provided):
        with refused("capability_request_not_found"):
            await stage.call("capability.resolve", request_id=request_id, outcome="granted")
    [closed] = await stage.sent("app.session.closed")
    assert closed["pending_interaction_call_ids"] == [linked]
    assert (await stage.agent.dismiss(linked))["outcome"] == "dismissed"
    assert [one["call_id"] for one in await stage.sent("tool.result")] == [answered, call_id, linked]


@requirement("R3-close-surfaces")
async def test_surfaces_close_and_their_tokens_die(stage: Stage) -> None:
    app = await stage.start()
    surface_ids = [await app.open_surface(key) for key in ("one", "two")]
    tokens = [(await stage.call("surface.attach", surface_id=one))["surface_token"] for one in surface_ids]
    await stage.call("surface.fail", surface_id=surface_ids[1], message="broken")
    await app.close()
    closed = await stage.heard("surface.closed")
    assert closed == [{"surface_id": one, "reason": "app_closed"} for one in surface_ids]
    for surface_id, token in zip(surface_ids, tokens, strict=True):
        with refused("context_token_invalid"):
            await stage.call("sdk.context.get", context_token=token)
        with refused("surface_not_found"):
            await stage.call("surface.attach", surface_id=surface_id)
    assert (await stage.open())["surfaces"] == []


@requirement("R3-close-inbox", "R3-close-no-new-calls")
async def test_what_was_not_acknowledged_is_kept_and_never_delivered_again(alone: Stage, lineup_database: Path) -> None:
    app, _ = await alone.launch()
    await app.subscribe()
    await alone.say("unread")
    await app.close()
    again, call_id = await alone.launch()
    assert again.instance_id != app.instance_id
    assert await again.messages() == []
    assert [call["call_id"] for call in await again.take_calls()] == [call_id]
    assert await app.heard("sdk.tools.call") == []
    await alone.sidecar.kill()
    kept = stored.rows(lineup_database, "SELECT instance_id, payload, acked_at FROM inboxmessage")
    assert [row[0] for row in kept] == [app.instance_id]
    assert "unread" in kept[0][1]
    assert kept[0][2] is None


@requirement("R3-closing-heard")
@pytest.mark.parametrize("subscribed", [True, False])
async def test_the_logic_hears_of_it_last_and_its_token_is_dead_already(stage: Stage, subscribed: bool) -> None:
    app, _ = await stage.launch()
    if subscribed:
        await app.subscribe()
    await app.ask()
    await stage.forget()
    await app.close(reason="bye")
    await stage.settle()
    mine = [one for one in stage.news if one.method.startswith("sdk.")]
    assert mine[-1].method == "sdk.lifecycle.closing"
    assert mine[-1].params == {"instance_id": app.instance_id, "reason": "bye", "deadline_ms": 2_000}
    with refused("context_token_invalid"):
        await app.sdk("context.get")


@requirement("R3-close-again", "R3-closed-is-final")
async def test_nothing_can_be_done_with_a_closed_instance(stage: Stage) -> None:
    app, _ = await stage.launch()
    await app.close()
    before = (await stage.open())["revision"]
    for method in ("close", "foreground", "background", "mount", "unmount"):
        with refused("app_instance_not_found"):
            await stage.call(f"miniapp.{method}", instance_id=app.instance_id)
    assert len(await stage.sent("app.session.closed")) == 1
    assert len(await stage.sent("tool.result")) == 1
    assert (await stage.open())["revision"] == before
    assert await stage.reject("probe.work") == "app_instance_not_found"


@requirement("R3-close-again", "R1-first-ending-wins", "P1-1")
async def test_of_two_closes_that_arrive_together_one_counts(stage: Stage) -> None:
    app, call_id = await stage.launch()
    named = {"instance_id": app.instance_id}
    first, second, third = await stage.sidecar.batch(
        [
            ("miniapp.close", named),
            ("miniapp.close", named),
            ("sdk.lifecycle.requestClose", {"context_token": app.token}),
        ]
    )
    assert first["status"] == "accepted"
    assert isinstance(second, RpcError)
    assert second.refusal == "app_instance_not_found"
    assert isinstance(third, RpcError)
    assert third.refusal == "context_token_invalid"
    assert await stage.result(call_id) is not None
    assert len(await stage.sent("app.session.closed")) == 1


@requirement("P1-1", "R3-closed-is-final")
async def test_a_new_instance_is_another_one_with_a_session_of_its_own(stage: Stage) -> None:
    app, _ = await stage.launch()
    await app.open_surface()
    await app.close()
    again, _ = await stage.launch()
    opened = await stage.sent("app.session.opened")
    assert len({one["app_session_id"] for one in opened}) == 2
    assert again.instance_id != app.instance_id
    assert await again.mount() == []


@requirement("R3-close-calls", "R2-human-time")
async def test_a_close_outruns_the_clock_of_a_question(stage: Stage) -> None:
    app, call_id = await stage.launch(name="brief")
    await app.ask(parent_call_id=call_id)
    await app.close()
    await stage.advance(HOUR)
    assert (await stage.result(call_id) or {})["reason"] == "app_closed"
    assert await stage.items() == []
