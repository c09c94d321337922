"""Standard interactions: whose they are, who answers, how they end, what their owner hears (RULES 5)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from host_bridge.client import Sidecar
from host_bridge.errors import RpcError
from tests.scenarios.conftest import OpenStage
from tests.scenarios.stage import (
    ANSWERS,
    CHOICE,
    CONFIRM,
    DAY,
    FORM,
    HOUR,
    MINUTE,
    NOTICE,
    QUESTIONS,
    Stage,
    begin,
    refused,
    restart,
)

requirement = pytest.mark.requirement

KINDS = ["notice", "choice", "confirm", "input"]
ANSWERABLE = ["choice", "confirm", "input"]


def lifetime_ms(record: dict[str, Any]) -> float:
    """How long a record's question may be answered, in milliseconds."""
    created, expires = (datetime.fromisoformat(record[name]) for name in ("created_at", "expires_at"))
    return (expires - created).total_seconds() * 1_000


async def present(stage: Stage, interaction_id: str) -> str:
    """The user sees it; its status."""
    status: str = (await stage.call("renderer.presented", interaction_id=interaction_id))["status"]
    return status


# -- the Agent's


@requirement("R5-agents-question", "R5-place-agents", "A6", "A7", "C-runtime-finalises")
@pytest.mark.parametrize("kind", ANSWERABLE)
async def test_an_agents_question_is_interacts_and_its_answer_the_agents(stage: Stage, kind: str) -> None:
    call_id, asked = await stage.ask(kind)
    [news] = await stage.heard("renderer.present")
    interact = await stage.instance("chat") or {}
    record = news["item"]["record"]
    assert news["item"]["draft"] is None
    assert {name: record[name] for name in ("kind", "request", "status", "result", "reason", "call_id")} == {
        "kind": kind,
        "request": {"kind": kind, **QUESTIONS[kind]},
        "status": "pending",
        "result": None,
        "reason": None,
        "call_id": call_id,
    }
    assert record["owner"] == {
        "app_scope": "chat",
        "instance_id": interact["instance_id"],
        "conversation_id": stage.conversation_id,
        "source": "agent_tool",
        "app_session_id": None,
        "parent_call_id": None,
        "surface_id": None,
    }
    assert news["item"]["placement"] == {
        "provider": "interact",
        "mode": "im-card",
        "instance_id": interact["instance_id"],
        "overlay_instance_id": None,
    }
    assert await present(stage, asked) == "presented"
    assert await present(stage, asked) == "presented"
    assert await stage.answer(asked, ANSWERS[kind]) == "submitted"
    assert await stage.result(call_id) == {"call_id": call_id, "status": "completed", "result": ANSWERS[kind]}
    assert await stage.heard("renderer.retract") == [{"interaction_id": asked, "status": "submitted", "reason": None}]
    assert await stage.items() == []


@requirement("R5-statuses", "R5-answer-presents", "R5-completed")
async def test_an_answer_presents_first_and_is_completed_by_the_ack(stage: Stage) -> None:
    interact = await stage.mount("chat")
    await interact.sdk("renderer.subscribe")
    _, asked = await stage.ask("confirm")
    await stage.answer(asked, {"approved": False})
    told = [one["record"]["status"] for one in await interact.heard("sdk.renderer.record")]
    assert told == ["pending", "presented", "submitted"]
    records = (await interact.sdk("renderer.subscribe"))["records"]
    assert [(one["status"], one["result"]) for one in records] == [("submitted", {"approved": False})]
    await stage.ack()
    records = (await interact.sdk("renderer.subscribe"))["records"]
    assert [one["status"] for one in records] == ["completed"]


@requirement("R5-agents-channel", "C-both-kinds", "R5-host-answers-alone")
async def test_an_agents_question_passes_no_miniapp(stage: Stage) -> None:
    interact = await stage.mount("chat")
    app = await stage.start()
    for one in (interact, app):
        await one.subscribe()
    await interact.sdk("renderer.subscribe")
    call_id, asked = await stage.ask("confirm")
    for one in (interact, app):
        assert (await one.sdk("tools.get", call_id=call_id))["call"] is None
        assert (await one.sdk("ui.get", interaction_id=asked))["record"] is None
        with refused("interaction_not_found"):
            await one.sdk("ui.cancel", interaction_id=asked)
        with refused("call_not_found"):
            await one.complete(call_id)
        assert await one.messages() == []
        assert await one.take_calls() == []
    await stage.answer(asked, {"approved": True})
    await stage.settle()
    methods = {one.method for one in stage.news if one.method.startswith("sdk.")}
    assert methods == {"sdk.renderer.record", "sdk.context.changed"}


@requirement("R5-agents-channel")
async def test_interact_sees_open_and_recent_ones_of_its_conversation_alone(
    stage: Stage, open_stage: OpenStage
) -> None:
    other = await open_stage(stage.sidecar)
    await other.ask("confirm")
    app = await stage.start()
    await app.ask()
    first, first_id = await stage.ask("confirm")
    await stage.agent.dismiss(first)
    _, second_id = await stage.ask("input")
    interact = await stage.mount("chat")
    records = (await interact.sdk("renderer.subscribe"))["records"]
    assert [(one["interaction_id"], one["status"], one["reason"]) for one in records] == [
        (first_id, "cancelled", "dismissed"),
        (second_id, "pending", None),
    ]
    assert "owner" not in records[0]
    await interact.sdk("renderer.unsubscribe")
    await stage.forget()
    await stage.ask("confirm")
    assert await interact.heard("sdk.renderer.record") == []


@requirement("R5-dismiss", "P1-2")
@pytest.mark.parametrize("presented", [True, False])
async def test_a_dismiss_takes_an_open_question_back(stage: Stage, presented: bool) -> None:
    call_id, asked = await stage.ask("confirm")
    if presented:
        await present(stage, asked)
    receipt = await stage.agent.dismiss(call_id, control_id="k", reason="no need")
    assert receipt == {"control_id": "k", "call_id": call_id, "outcome": "dismissed"}
    told = {"call_id": call_id, "status": "cancelled", "reason": "dismissed", "message": "no need"}
    assert await stage.result(call_id) == told
    retracted = {"interaction_id": asked, "status": "cancelled", "reason": "dismissed"}
    assert await stage.heard("renderer.retract") == [retracted]


@requirement("R5-dismiss", "P1-2", "R1-submitted-is-final")
async def test_a_dismiss_that_comes_too_late_changes_nothing(stage: Stage) -> None:
    answered, first = await stage.ask("confirm")
    await stage.answer(answered and first, {"approved": True})
    dropped, second = await stage.ask("confirm")
    await stage.call("renderer.cancel", interaction_id=second)
    refused_call = "refused"
    await stage.reject("interaction.confirm", {"title": ""}, call_id=refused_call)
    for call_id in (answered, dropped, refused_call):
        assert (await stage.agent.dismiss(call_id))["outcome"] == "already_final"
    assert (await stage.result(answered) or {})["result"] == {"approved": True}
    assert (await stage.result(dropped) or {})["reason"] == "user_cancelled"


@requirement("R5-dismiss", "P1-2")
async def test_a_dismiss_finds_nothing_of_another_peer_or_of_a_miniapp(stage: Stage, open_stage: OpenStage) -> None:
    other = await open_stage(stage.sidecar, agent_id="agent-2")
    app, parent = await stage.launch()
    own = await app.ask(parent_call_id=parent)
    call_id, asked = await stage.ask("confirm")
    for unknown in (parent, own, asked, "nothing"):
        assert (await stage.agent.dismiss(unknown))["outcome"] == "not_found"
    for foreign in (call_id, parent):
        assert (await other.agent.dismiss(foreign))["outcome"] == "not_found"
    assert [one["record"]["interaction_id"] for one in await stage.items()] == [own, asked]


@requirement("A6", "R5-statuses")
async def test_the_user_sends_a_question_away(stage: Stage) -> None:
    call_id, asked = await stage.ask("input")
    cancelled = await stage.call("renderer.cancel", interaction_id=asked, reason="not now")
    assert cancelled == {"status": "cancelled"}
    told = {"call_id": call_id, "status": "cancelled", "reason": "user_cancelled", "message": "not now"}
    assert await stage.result(call_id) == told


@requirement("C-older-call")
@pytest.mark.parametrize("kind", KINDS)
async def test_the_older_form_asks_the_same(stage: Stage, kind: str) -> None:
    call = await stage.agent.ask(kind, QUESTIONS[kind])
    [item] = await stage.items()
    assert item["record"]["request"] == {"kind": kind, **QUESTIONS[kind]}
    asked = item["record"]["interaction_id"]
    await stage.answer(asked, ANSWERS[kind])
    result = {"presented": True} if kind == "notice" else ANSWERS[kind]
    assert await stage.result(call.call_id) == {"call_id": call.call_id, "status": "completed", "result": result}


@requirement("C-older-call")
async def test_the_older_form_reaches_nothing_else(stage: Stage) -> None:
    for payload in (
        {"call_id": "c", "kind": "launch", "request": {}},
        {"call_id": "c", "kind": "probe.launch", "request": {"n": 1}},
        {"call_id": "c", "kind": "confirm", "request": CONFIRM, "inventory_revision": await stage.revision()},
        {"call_id": "c", "kind": "confirm"},
    ):
        assert (await stage.deliver("tool.call", payload))["code"] == "envelope_invalid"
    mixed = {"call_id": "c", "kind": "confirm", "request": {"kind": "notice", **NOTICE}}
    assert (await stage.deliver("tool.call", mixed))["code"] == "tool_input_invalid"
    assert await stage.items() == []


# -- notices of the Agent


@requirement("R5-notice-presented", "C-notice-result", "A6")
async def test_a_notice_is_done_when_it_is_seen_and_its_card_stays(stage: Stage) -> None:
    call_id, asked = await stage.ask("notice")
    assert (await stage.item(asked))["record"]["expires_at"] is None
    assert await stage.result(call_id) is None
    await present(stage, asked)
    assert await stage.result(call_id) == {"call_id": call_id, "status": "completed", "result": {"presented": True}}
    assert (await stage.item(asked))["record"]["status"] == "presented"
    await stage.ack()
    await stage.advance(2 * DAY)
    assert (await stage.item(asked))["record"]["status"] == "presented"


@requirement("R5-notice-one-row")
@pytest.mark.parametrize("ending", ["submit", "cancel", "dismiss"])
@pytest.mark.parametrize("acked", [True, False])
async def test_a_notice_that_was_seen_ends_without_another_word(stage: Stage, ending: str, acked: bool) -> None:
    call_id, asked = await stage.ask("notice")
    await present(stage, asked)
    if acked:
        await stage.ack()
    match ending:
        case "submit":
            assert await stage.answer(asked, {"acknowledged": True}) == "completed"
        case "cancel":
            await stage.call("renderer.cancel", interaction_id=asked)
        case "dismiss":
            assert (await stage.agent.dismiss(call_id))["outcome"] == "dismissed"
    assert (await stage.result(call_id) or {})["result"] == {"presented": True}
    assert await stage.items() == []
    assert (await stage.agent.dismiss(call_id))["outcome"] == "already_final"


@requirement("R5-notice-presented", "R5-answer-presents")
async def test_acknowledging_a_notice_unseen_counts_as_seeing_it(stage: Stage) -> None:
    call_id, asked = await stage.ask("notice")
    assert await stage.answer(asked, {"acknowledged": True}) == "completed"
    assert (await stage.result(call_id) or {})["result"] == {"presented": True}


@requirement("R5-notice-one-row")
@pytest.mark.parametrize("ending", ["dismiss", "cancel"])
async def test_a_notice_that_nobody_saw_is_cancelled(stage: Stage, ending: str) -> None:
    call_id, asked = await stage.ask("notice")
    if ending == "dismiss":
        await stage.agent.dismiss(call_id)
    else:
        await stage.call("renderer.cancel", interaction_id=asked)
    reason = {"dismiss": "dismissed", "cancel": "user_cancelled"}[ending]
    assert await stage.result(call_id) == {"call_id": call_id, "status": "cancelled", "reason": reason}


@requirement("R5-notice-expires", "R5-expiry-reason")
async def test_a_notice_never_shown_expires_after_a_day(stage: Stage) -> None:
    call_id, asked = await stage.ask("notice")
    await stage.advance(DAY - 1_000)
    assert await stage.result(call_id) is None
    await stage.advance(1_000)
    assert await stage.result(call_id) == {"call_id": call_id, "status": "expired", "reason": "never_presented"}
    assert await stage.heard("renderer.retract") == [
        {"interaction_id": asked, "status": "expired", "reason": "never_presented"}
    ]


# -- MiniApps'


@requirement("R5-miniapps-question", "R5-place-miniapps", "R5-app-is-named", "A7", "C-both-kinds")
@pytest.mark.parametrize("kind", KINDS)
async def test_a_miniapps_question_is_its_instances_and_so_is_the_answer(stage: Stage, kind: str) -> None:
    other = await stage.start("probe-two")
    app, call_id = await stage.launch()
    oldest = await app.open_surface("one")
    await app.open_surface("two")
    for one in (app, other):
        await one.sdk("ui.subscribe")
    asked = await app.ask(kind, parent_call_id=call_id)
    item = await stage.item(asked)
    assert item["record"]["owner"] == {
        "app_scope": "probe",
        "instance_id": app.instance_id,
        "conversation_id": stage.conversation_id,
        "source": "miniapp_tool",
        "app_session_id": (await stage.instance("probe") or {})["app_session_id"],
        "parent_call_id": call_id,
        "surface_id": oldest,
    }
    placement = {"provider": "runtime", "mode": "modal", "instance_id": app.instance_id, "overlay_instance_id": None}
    assert item["placement"] == placement
    assert (item["record"]["call_id"], item["record"]["parent_call_id"]) == (None, call_id)
    before = len(await stage.sent("tool.result"))
    await stage.answer(asked, ANSWERS[kind])
    record = await app.record(asked)
    assert (record["status"], record["result"]) == ("completed", ANSWERS[kind])
    assert [one["record"] for one in await app.heard("sdk.ui.record")] == [record]
    assert await other.heard("sdk.ui.record") == []
    assert len(await stage.sent("tool.result")) == before
    assert (await app.get_call(call_id))["status"] == "running"
    assert await app.messages() == []


@requirement("R5-miniapps-question", "A7", "R1-speaker-then-right")
@pytest.mark.parametrize(
    "extra",
    [
        {"owner": {"app_scope": "chat"}},
        {"app_scope": "chat"},
        {"instance_id": "x"},
        {"conversation_id": "x"},
        {"surface_id": "x"},
        {"source": "agent_tool"},
    ],
)
async def test_nobody_names_an_owner(stage: Stage, extra: dict[str, Any]) -> None:
    app = await stage.start()
    asking = {"context_token": app.token, "request": {"kind": "confirm", **CONFIRM}}
    with pytest.raises(RpcError) as caught:
        await stage.sidecar.request("sdk.ui.request", {**asking, **extra})
    assert caught.value.code == -32602
    with pytest.raises(RpcError) as caught:
        await stage.sidecar.request("sdk.ui.request", {**asking, "options": extra})
    assert caught.value.code == -32602
    with refused("interaction_request_invalid"):
        await app.ask("confirm", {**CONFIRM, **extra})
    assert await stage.items() == []


@requirement("R5-miniapps-question", "A5")
async def test_another_instances_question_is_an_unknown_one(stage: Stage) -> None:
    app, other = await stage.start(), await stage.start("probe-two")
    asked = await app.ask()
    for unknown in (asked, "nothing"):
        assert (await other.sdk("ui.get", interaction_id=unknown))["record"] is None
        with refused("interaction_not_found"):
            await other.sdk("ui.cancel", interaction_id=unknown)
    assert (await other.sdk("ui.subscribe"))["records"] == []
    assert (await app.record(asked))["status"] == "pending"


@requirement("R5-completed")
@pytest.mark.parametrize("by", ["get", "subscribe", "subscription"])
async def test_an_answer_is_completed_when_its_owner_has_it(stage: Stage, by: str) -> None:
    app = await stage.start()
    asked = await app.ask()
    if by == "subscription":
        await app.sdk("ui.subscribe")
    await stage.answer(asked, {"approved": True})
    [decision] = [one for one in await stage.audit() if one["subject"] == asked][-1:]
    assert decision["detail"] == {"status": "completed" if by == "subscription" else "submitted"}
    if by == "subscribe":
        [record] = (await app.sdk("ui.subscribe"))["records"]
    else:
        record = await app.record(asked)
    assert (record["status"], record["result"]) == ("completed", {"approved": True})


@requirement("R5-subscribe-recent")
async def test_a_subscription_begins_with_the_open_ones_and_50_recent_endings(stage: Stage) -> None:
    app = await stage.start()
    old = await app.ask()
    await app.sdk("ui.cancel", interaction_id=old)
    await stage.advance(DAY - HOUR)
    ended = []
    for _ in range(51):
        ended.append(await app.ask())
        await stage.answer(ended[-1], {"approved": True})
        await stage.advance(1)
    opened = await app.ask("notice")
    records = (await app.sdk("ui.subscribe"))["records"]
    assert [one["interaction_id"] for one in records] == [*ended[1:], opened]
    assert {one["status"] for one in records[:-1]} == {"completed"}
    await stage.advance(DAY)
    records = (await app.sdk("ui.subscribe"))["records"]
    assert [one["interaction_id"] for one in records] == [opened]


@requirement("R5-miniapps-question")
async def test_a_miniapp_takes_its_question_back(stage: Stage) -> None:
    app = await stage.start()
    await app.sdk("ui.subscribe")
    asked = await app.ask()
    await app.sdk("ui.cancel", interaction_id=asked, reason="settled")
    retracted = {"interaction_id": asked, "status": "cancelled", "reason": "app_cancelled"}
    assert await stage.heard("renderer.retract") == [retracted]
    assert (await app.record(asked))["reason"] == "app_cancelled"
    [decision] = [one for one in await stage.audit() if one["subject"] == asked][-1:]
    assert (decision["detail"]["reason"], decision["detail"]["message"]) == ("app_cancelled", "settled")
    with refused("interaction_already_final", status="cancelled"):
        await app.sdk("ui.cancel", interaction_id=asked)


@requirement("R5-parent", "A7")
async def test_a_parent_must_be_an_own_call_that_is_not_final(stage: Stage) -> None:
    app, call_id = await stage.launch()
    other, foreign = await stage.launch("probe-two")
    asked, _ = await stage.ask("confirm")
    for unknown in (foreign, asked, "nothing", ""):
        with refused("call_not_found"):
            await app.ask(parent_call_id=unknown)
    await app.complete(call_id)
    with refused("call_already_final", status="submitted"):
        await app.ask(parent_call_id=call_id)
    assert len(await stage.items()) == 1
    await app.sdk("tools.unsubscribe")
    waiting = await stage.invoke("probe.work")
    await app.ask(parent_call_id=waiting)
    assert other.instance_id != app.instance_id


@requirement("R5-parent-ends")
async def test_a_question_outlives_its_parent_call(stage: Stage) -> None:
    app, call_id = await stage.launch()
    asked = await app.ask(parent_call_id=call_id)
    await app.complete(call_id)
    await stage.ack()
    await stage.answer(asked, {"approved": True})
    assert (await app.record(asked))["result"] == {"approved": True}
    await app.close()


# -- where they are shown


@requirement("R5-place-agents", "R5-focus-stays")
async def test_an_app_in_front_is_the_overlay_of_an_agents_question(stage: Stage) -> None:
    _, asked = await stage.ask("confirm")
    app = await stage.start()
    other = await stage.start("probe-two")
    interact = await stage.mount("chat")
    await interact.foreground()
    await other.close()
    overlays = [one["item"]["placement"]["overlay_instance_id"] for one in await stage.heard("renderer.present")]
    assert overlays == [None, app.instance_id, other.instance_id, None]
    places = [one["item"]["placement"] for one in await stage.heard("renderer.present")]
    assert {(one["provider"], one["mode"], one["instance_id"]) for one in places} == {
        ("interact", "im-card", interact.instance_id)
    }
    assert (await stage.item(asked))["placement"] == places[-1]


@requirement("R5-place-deferred", "R5-focus-stays", "A8")
async def test_a_question_waits_until_its_owner_is_in_front(stage: Stage) -> None:
    app = await stage.start()
    asked = await app.ask()
    other = await stage.start("probe-two")
    await app.foreground()
    await app.background()
    assert await stage.stack() == ["chat", "probe", "probe-two"]
    modes = [one["item"]["placement"]["mode"] for one in await stage.heard("renderer.present")]
    assert modes == ["modal", "deferred", "modal", "deferred"]
    hidden = await app.ask("choice", presentation="inline")
    assert (await stage.item(hidden))["placement"]["mode"] == "deferred"
    await stage.answer(asked, {"approved": True})
    await stage.forget()
    await other.close()
    [news] = await stage.heard("renderer.present")
    assert (news["item"]["record"]["interaction_id"], news["item"]["placement"]["mode"]) == (hidden, "card")


@requirement("R5-place-deferred", "R5-expiry")
async def test_the_expiry_of_a_deferred_question_runs(stage: Stage) -> None:
    app = await stage.start()
    await stage.start("probe-two")
    asked = await app.ask()
    await stage.advance(15 * MINUTE)
    record = await app.record(asked)
    assert (record["status"], record["reason"]) == ("expired", "never_presented")


FALL_BACK = [
    (["modal", "sheet", "card"], {"default": "modal", "modal": "modal", "inline": "card"}),
    (["sheet", "card"], {"default": "sheet", "modal": "sheet", "inline": "card"}),
    (["card"], {"default": "card", "modal": "card", "inline": "card"}),
    (["modal", "sheet"], {"default": "modal", "modal": "modal", "inline": "sheet"}),
    (["modal"], {"default": "modal", "modal": "modal", "inline": "modal"}),
    (["sheet"], {"default": "sheet", "modal": "sheet", "inline": "sheet"}),
    (["im-card"], {"default": None, "modal": None, "inline": None}),
    ([], {"default": None, "modal": None, "inline": None}),
]


@requirement("R5-fall-back", "R5-place-miniapps", "R5-place-agents")
async def test_a_mode_that_the_host_lacks_falls_back(own: Sidecar, open_stage: OpenStage) -> None:
    stage = await open_stage(own)
    for number, (renderers, expected) in enumerate(FALL_BACK):
        await begin(own, renderers=renderers)
        app = await stage.start()
        for presentation, mode in expected.items():
            if mode is None:
                with refused("renderer_unavailable"):
                    await app.ask(presentation=presentation)
            else:
                asked = await app.ask(presentation=presentation)
                assert (await stage.item(asked))["placement"]["mode"] == mode
                await app.sdk("ui.cancel", interaction_id=asked)
        if expected["default"] is None:
            with refused("renderer_unavailable"):
                await app.want("probe.asked")
        if "im-card" in renderers:
            await stage.ask("confirm")
        else:
            call_id = f"call {number}"
            assert await stage.reject("interaction.confirm", CONFIRM, call_id=call_id) == "renderer_unavailable"
            [told] = await stage.sent("tool.rejected", call_id)
            assert told["code"] == "renderer_unavailable"
            assert await stage.reject("interaction.confirm", {"title": ""}) == "tool_input_invalid"


@requirement("R5-fall-back")
async def test_a_question_waits_for_a_host_that_can_show_it(own: Sidecar, open_stage: OpenStage) -> None:
    stage = await open_stage(own)
    call_id, asked = await stage.ask("confirm")
    await begin(own, renderers=["modal"])
    assert (await stage.item(asked))["placement"]["mode"] == "deferred"
    await begin(own)
    assert (await stage.item(asked))["placement"]["mode"] == "im-card"
    await stage.answer(asked, {"approved": True})
    assert await stage.result(call_id) is not None


# -- what may be asked and answered


@requirement("P3-1", "C-expires-in-ms")
@pytest.mark.parametrize("kind", ANSWERABLE)
@pytest.mark.parametrize(("asked_for", "lives"), [(None, 900_000), (60_000, 60_000), (86_400_000, 86_400_000)])
async def test_the_expiry_is_the_runtimes(stage: Stage, kind: str, asked_for: int | None, lives: int) -> None:
    given = {} if asked_for is None else {"expires_in_ms": asked_for}
    _, asked = await stage.ask(kind, {**QUESTIONS[kind], **given})
    assert lifetime_ms((await stage.item(asked))["record"]) == lives
    app = await stage.start()
    receipt = await app.sdk("ui.request", request={"kind": kind, **QUESTIONS[kind], **given})
    record = await app.record(receipt["interaction_id"])
    assert (receipt["status"], receipt["expires_at"]) == ("pending", record["expires_at"])
    assert lifetime_ms(record) == lives


LONG = "x" * 201
ACTION = {"id": "a", "label": "A"}
FIELD = {"id": "f", "label": "F", "type": "text"}
NUMBER = {"id": "f", "label": "F", "type": "number"}
UNSOUND = [
    ("notice", {**NOTICE, "expires_in_ms": MINUTE}),
    ("notice", {**NOTICE, "prompt": "p"}),
    ("notice", {"title": "t"}),
    ("notice", {**NOTICE, "acknowledge_label": ""}),
    ("confirm", {**CONFIRM, "expires_in_ms": MINUTE - 1}),
    ("confirm", {**CONFIRM, "expires_in_ms": DAY + 1}),
    ("confirm", {**CONFIRM, "expires_in_ms": MINUTE + 0.5}),
    ("confirm", {**CONFIRM, "expires_in_ms": "60000"}),
    ("confirm", {**CONFIRM, "expires_in_ms": None}),
    ("confirm", {**CONFIRM, "expires_at": "2030-01-01T00:00:00.000Z"}),
    ("confirm", {**CONFIRM, "title": LONG}),
    ("confirm", {**CONFIRM, "prompt": "x" * 4_001}),
    ("confirm", {**CONFIRM, "approve_label": LONG}),
    ("confirm", {"prompt": "p"}),
    ("choice", {**CHOICE, "prompts": ["p"]}),
    ("choice", {name: CHOICE[name] for name in ("title", "mode", "actions")}),
    ("choice", {**CHOICE, "mode": "radio"}),
    ("choice", {**CHOICE, "actions": []}),
    ("choice", {**CHOICE, "actions": [ACTION, ACTION]}),
    ("choice", {**CHOICE, "actions": [{"id": f"{n}", "label": "L"} for n in range(51)]}),
    ("choice", {**CHOICE, "actions": [{"id": "a"}]}),
    ("choice", {**CHOICE, "actions": [{**ACTION, "url": "https://example.org"}]}),
    ("input", {**FORM, "fields": []}),
    ("input", {**FORM, "fields": [FIELD, FIELD]}),
    ("input", {**FORM, "fields": [{**FIELD, "id": f"{n}"} for n in range(21)]}),
    ("input", {**FORM, "fields": [{**FIELD, "type": "password"}]}),
    ("input", {**FORM, "fields": [{**FIELD, "minimum": 1}]}),
    ("input", {**FORM, "fields": [{**NUMBER, "max_length": 1}]}),
    ("input", {**FORM, "fields": [{**FIELD, "min_length": 3, "max_length": 2}]}),
    ("input", {**FORM, "fields": [{**NUMBER, "minimum": 3, "maximum": 2.5}]}),
    ("input", {**FORM, "fields": [{**FIELD, "min_length": -1}]}),
    ("input", {**FORM, "fields": [{**FIELD, "required": "yes"}]}),
]


@requirement("P3-1", "C-one-prompt", "A4", "A5")
@pytest.mark.parametrize(("kind", "request_"), UNSOUND)
async def test_a_question_that_is_not_allowed_is_not_asked(stage: Stage, kind: str, request_: dict[str, Any]) -> None:
    app = await stage.start()
    assert await stage.reject(f"interaction.{kind}", request_) == "tool_input_invalid"
    older = {"call_id": "older", "kind": kind, "request": request_}
    assert (await stage.deliver("tool.call", older))["code"] == "tool_input_invalid"
    with refused("interaction_request_invalid"):
        await app.ask(kind, request_)
    assert await stage.items() == []


@pytest.mark.parametrize("request_", [None, [], "confirm", {}, {"kind": "video", **CONFIRM}, {"kind": None}], ids=str)
async def test_a_request_of_no_kind_is_a_refusal_too(stage: Stage, request_: object) -> None:
    app = await stage.start()
    with refused("interaction_request_invalid"):
        await app.sdk("ui.request", request=request_)


FIELDS = [
    {"id": "name", "label": "Name", "type": "text", "required": True, "min_length": 2, "max_length": 5},
    {"id": "age", "label": "Age", "type": "number", "minimum": 0, "maximum": 150.5},
    {"id": "note", "label": "Note", "type": "textarea"},
]
FULL_FORM = {"title": "Form", "prompt": "Fill in", "fields": FIELDS}
SINGLE = {**CHOICE, "mode": "single-choice"}
BUTTON = {**CHOICE, "mode": "button"}


@requirement("A6")
@pytest.mark.parametrize(
    ("kind", "request_", "given", "kept"),
    [
        ("choice", CHOICE, {"action_ids": ["c", "a", "c"]}, {"action_ids": ["c", "a"]}),
        ("choice", SINGLE, {"action_ids": ["b", "b"]}, {"action_ids": ["b"]}),
        ("choice", BUTTON, {"action_ids": ["b"]}, {"action_ids": ["b"]}),
        ("confirm", CONFIRM, {"approved": False}, {"approved": False}),
        ("input", FULL_FORM, {"values": {"name": "汉字𝄞𝄞𝄞"}}, {"values": {"name": "汉字𝄞𝄞𝄞"}}),
        ("input", FULL_FORM, {"values": {"age": 150.5, "name": "ab"}}, {"values": {"name": "ab", "age": 150.5}}),
        ("input", FULL_FORM, {"values": {"name": "ab", "note": ""}}, {"values": {"name": "ab", "note": ""}}),
    ],
)
async def test_an_answer_is_kept_in_its_final_form(
    stage: Stage, kind: str, request_: dict[str, Any], given: dict[str, Any], kept: dict[str, Any]
) -> None:
    call_id, asked = await stage.ask(kind, request_)
    await stage.answer(asked, given)
    assert (await stage.result(call_id) or {})["result"] == kept


@requirement("A5", "R1-refused-reaches-nobody")
@pytest.mark.parametrize(
    ("kind", "request_", "given"),
    [
        ("notice", NOTICE, {"acknowledged": False}),
        ("notice", NOTICE, {"acknowledged": 1}),
        ("notice", NOTICE, {}),
        ("choice", CHOICE, {"action_ids": []}),
        ("choice", CHOICE, {"action_ids": ["a", "z"]}),
        ("choice", CHOICE, {"action_ids": "a"}),
        ("choice", CHOICE, {"action_ids": [1]}),
        ("choice", SINGLE, {"action_ids": ["a", "b"]}),
        ("choice", BUTTON, {"action_ids": ["a", "b"]}),
        ("choice", CHOICE, {"action_ids": ["a"], "more": 1}),
        ("confirm", CONFIRM, {"approved": None}),
        ("confirm", CONFIRM, {"approved": 1}),
        ("confirm", CONFIRM, {"approved": "true"}),
        ("confirm", CONFIRM, {"action_ids": ["a"]}),
        ("confirm", CONFIRM, []),
        ("confirm", CONFIRM, None),
        ("input", FULL_FORM, {"values": {}}),
        ("input", FULL_FORM, {"values": {"name": "x"}}),
        ("input", FULL_FORM, {"values": {"name": "𝄞𝄞𝄞𝄞𝄞𝄞"}}),
        ("input", FULL_FORM, {"values": {"name": None}}),
        ("input", FULL_FORM, {"values": {"name": 5}}),
        ("input", FULL_FORM, {"values": {"name": "abc", "age": "7"}}),
        ("input", FULL_FORM, {"values": {"name": "abc", "age": True}}),
        ("input", FULL_FORM, {"values": {"name": "abc", "age": 150.6}}),
        ("input", FULL_FORM, {"values": {"name": "abc", "age": -0.1}}),
        ("input", FULL_FORM, {"values": {"name": "abc", "other": "x"}}),
        ("input", FULL_FORM, {"values": [["name", "abc"]]}),
    ],
)
async def test_an_answer_that_does_not_fit_leaves_the_question_as_it_was(
    stage: Stage, kind: str, request_: dict[str, Any], given: Any
) -> None:
    call_id, asked = await stage.ask(kind, request_)
    before = await stage.items()
    with refused("interaction_result_invalid"):
        await stage.answer(asked, given)
    assert await stage.items() == before
    assert await stage.result(call_id) is None
    assert await stage.heard("renderer.retract") == []


@requirement("R5-host-answers-alone")
async def test_no_token_answers(stage: Stage) -> None:
    app = await stage.start()
    asked = await app.ask()
    answer = {"interaction_id": asked, "result": {"approved": True}}
    with pytest.raises(RpcError) as caught:
        await stage.sidecar.request("renderer.submit", {**answer, "context_token": app.token})
    assert caught.value.code == -32602
    for method in ("sdk.renderer.submit", "sdk.renderer.presented", "sdk.ui.submit", "sdk.ui.answer", "sdk.ui.present"):
        with pytest.raises(RpcError) as caught:
            await stage.sidecar.request(method, {**answer, "context_token": app.token})
        assert caught.value.code == -32601
    assert (await app.record(asked))["status"] == "pending"


@requirement("R1-first-ending-wins", "R1-submitted-is-final", "A5")
@pytest.mark.parametrize("ending", ["submit", "cancel", "dismiss", "expire"])
async def test_an_ended_question_stays_as_it_ended(stage: Stage, ending: str) -> None:
    call_id, asked = await stage.ask("input")
    match ending:
        case "submit":
            await stage.answer(asked, ANSWERS["input"])
        case "cancel":
            await stage.call("renderer.cancel", interaction_id=asked)
        case "dismiss":
            await stage.agent.dismiss(call_id)
        case "expire":
            await stage.advance(15 * MINUTE)
    before = await stage.result(call_id)
    status = {"submit": "submitted", "cancel": "cancelled", "dismiss": "cancelled", "expire": "expired"}[ending]
    for method, params in [
        ("submit", {"result": {"values": {"name": "Late"}}}),
        ("submit", {"result": {"unsound": True}}),
        ("cancel", {}),
        ("presented", {}),
        ("saveDraft", {"draft": {"values": {}}}),
    ]:
        with refused("interaction_already_final", status=status):
            await stage.call(f"renderer.{method}", interaction_id=asked, **params)
    assert await stage.result(call_id) == before
    assert len(await stage.heard("renderer.retract", interaction_id=asked)) == 1


async def test_an_unknown_question_is_not_found(stage: Stage) -> None:
    for method, params in [
        ("submit", {"result": {}}),
        ("cancel", {}),
        ("presented", {}),
        ("saveDraft", {"draft": {"values": {}}}),
    ]:
        with refused("interaction_not_found"):
            await stage.call(f"renderer.{method}", interaction_id="nothing", **params)
    assert (await stage.call("renderer.list", conversation_id="no-such-conversation"))["items"] == []


@requirement("R6-bound-questions")
async def test_questions_of_an_instance_and_of_a_conversation_are_bounded(stage: Stage) -> None:
    app, other = await stage.start(), await stage.start("probe-two")
    await app.want("probe.asked")
    own = [await app.ask() for _ in range(7)]
    for again in range(2):
        with refused("limit_exceeded", limit="open_interactions_of_instance", bound=8, actual=8):
            await (app.ask() if again else app.want("probe.asked"))
    await stage.invoke_many("interaction.confirm", [CONFIRM] * 42)
    for one in (app, other):
        with refused("limit_exceeded", limit="open_interactions", bound=50, actual=50):
            await one.ask()
    await stage.answer(own[0], {"approved": True})
    await other.ask()


# -- expiry


@requirement("R5-expiry", "R5-expiry-reason", "A6")
@pytest.mark.parametrize("presented", [True, False])
async def test_a_question_expires_and_says_whether_it_was_seen(stage: Stage, presented: bool) -> None:
    app = await stage.start()
    await app.sdk("ui.subscribe")
    own = await app.ask()
    call_id, asked = await stage.ask("confirm")
    if presented:
        await present(stage, own)
        await present(stage, asked)
    reason = "no_answer" if presented else "never_presented"
    await stage.advance(15 * MINUTE - 1_000)
    assert await stage.result(call_id) is None
    await stage.advance(1_001)
    assert await stage.result(call_id) == {"call_id": call_id, "status": "expired", "reason": reason}
    [news] = await app.heard("sdk.ui.record")
    assert (news["record"]["status"], news["record"]["reason"]) == ("expired", reason)
    assert await stage.items() == []


@requirement("R5-expiry")
async def test_an_expiry_needs_no_request_to_be_noticed(stage: Stage) -> None:
    call_id, asked = await stage.ask("confirm", {**CONFIRM, "expires_in_ms": MINUTE})
    await stage.advance(MINUTE - 400)
    news = await stage.sidecar.wait_for("renderer.retract", lambda one: one["interaction_id"] == asked, timeout=1.4)
    assert news["status"] == "expired"
    assert (await stage.result(call_id) or {})["reason"] == "never_presented"


@requirement("R5-expiry", "R6-expire-at-start")
async def test_an_expiry_survives_a_restart(alone: Stage) -> None:
    short, _ = await alone.ask("confirm", {**CONFIRM, "expires_in_ms": MINUTE})
    _, long = await alone.ask("confirm", {**CONFIRM, "expires_in_ms": HOUR})
    before = (await alone.item(long))["record"]
    await alone.advance(MINUTE - 1_000)
    await restart(alone.sidecar, ahead_ms=MINUTE + 1_000)
    assert (await alone.result(short) or {})["status"] == "expired"
    [item] = await alone.items()
    assert item["record"] == before


# -- drafts


@requirement("R5-drafts", "A6")
async def test_a_draft_is_kept_until_the_end(stage: Stage) -> None:
    _, asked = await stage.ask("input", FULL_FORM)
    for values in ({"name": "half"}, {"name": "x", "age": 7, "unknown": "y"}, {}):
        await stage.call("renderer.saveDraft", interaction_id=asked, draft={"values": values})
        assert (await stage.item(asked))["draft"] == {"values": values}
    _, other = await stage.ask("confirm")
    with refused("interaction_result_invalid"):
        await stage.call("renderer.saveDraft", interaction_id=other, draft={"values": {}})
    with refused("limit_exceeded", limit="draft_bytes"):
        big = {"values": {"name": "x" * 64 * 1024}}
        await stage.call("renderer.saveDraft", interaction_id=asked, draft=big)
    assert (await stage.item(asked))["draft"] == {"values": {}}


@requirement("R5-drafts", "R6-killed-anywhere", "A11")
async def test_a_draft_survives_reload_and_restart(own: Sidecar, open_stage: OpenStage) -> None:
    stage = await open_stage(own)
    _, asked = await stage.ask("input", FULL_FORM)
    draft = {"values": {"name": "half"}}
    await stage.call("renderer.saveDraft", interaction_id=asked, draft=draft)
    await begin(own)
    assert (await stage.item(asked))["draft"] == draft
    await restart(own)
    assert (await stage.item(asked))["draft"] == draft
    assert (await stage.open())["interactions"][0]["draft"] == draft


# -- what is wrong with a question


@pytest.mark.parametrize(
    ("question", "path"),
    [
        ({"kind": "confirm", **CONFIRM, "expires_in_ms": 1}, "expires_in_ms"),
        ({"kind": "input", **FORM, "fields": [{"id": "a", "label": "A", "type": "secret-kind"}]}, "fields.0.type"),
        ({"kind": "secret-kind", **CONFIRM}, "kind"),
        ({"kind": ["secret-kind"], **CONFIRM}, "kind"),
        (CONFIRM, "kind"),
        ("secret-kind", ""),
    ],
    ids=["bound", "field", "kind", "kind's type", "no kind", "no object"],
)
async def test_a_fault_of_a_question_is_named_by_its_place_and_repeats_nothing(
    stage: Stage, question: Any, path: str
) -> None:
    app, _ = await stage.launch()
    with pytest.raises(RpcError) as caught:
        await app.sdk("ui.request", request=question)
    assert caught.value.refusal == "interaction_request_invalid"
    assert [error["path"] for error in caught.value.data["errors"]] == [path]
    assert "secret-kind" not in str(caught.value.data)
