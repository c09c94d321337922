"""The Agent's questions: whose they are, who answers, how they end, what the Agent hears (RULES 5)."""

from __future__ import annotations

import pytest

from tests.scenarios.conftest import OpenStage
from tests.scenarios.stage import (
    ANSWERS,
    CONFIRM,
    DAY,
    NOTICE,
    QUESTIONS,
    Stage,
    refused,
)

requirement = pytest.mark.requirement

KINDS = ["notice", "choice", "confirm", "input"]
ANSWERABLE = ["choice", "confirm", "input"]


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


@requirement("C-older-call")
async def test_only_the_older_form_may_say_its_kind_again(stage: Stage) -> None:
    assert await stage.reject("interaction.confirm", {"kind": "confirm", **CONFIRM}) == "tool_input_invalid"
    older = {"call_id": "older", "kind": "confirm", "request": {"kind": "confirm", **CONFIRM}}
    assert (await stage.deliver("tool.call", older))["status"] == "accepted"


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
