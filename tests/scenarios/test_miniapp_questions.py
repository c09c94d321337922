"""Questions of MiniApps, and where questions are shown (RULES 5)."""

from __future__ import annotations

from typing import Any

import pytest

from host_bridge.client import Sidecar
from host_bridge.errors import RpcError
from tests.scenarios.conftest import OpenStage
from tests.scenarios.stage import (
    ANSWERS,
    CONFIRM,
    DAY,
    HOUR,
    MINUTE,
    Stage,
    begin,
    refused,
)

requirement = pytest.mark.requirement

KINDS = ["notice", "choice", "confirm", "input"]


async def present(stage: Stage, interaction_id: str) -> str:
    """The user sees it; its status."""
    status: str = (await stage.call("renderer.presented", interaction_id=interaction_id))["status"]
    return status


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
