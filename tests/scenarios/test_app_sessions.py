"""App sessions: when they open, what the Agent is told of them, and what may be linked to them (RULES 4 and 5)."""

from __future__ import annotations

import pytest

from host_bridge.client import Sidecar
from tests.scenarios.conftest import OpenStage
from tests.scenarios.stage import CONFIRM, NOTICE, QUESTIONS, Stage, restart

requirement = pytest.mark.requirement


async def session_of(stage: Stage, scope: str = "probe") -> str:
    """The newest session of an app that the Agent was told of."""
    told = [one for one in await stage.sent("app.session.opened") if one["app_scope"] == scope]
    session_id: str = told[-1]["app_session_id"]
    return session_id


async def owner_session(stage: Stage, interaction_id: str) -> str | None:
    """The session that a question is linked to."""
    session_id: str | None = (await stage.item(interaction_id))["record"]["owner"]["app_session_id"]
    return session_id


@requirement("R4-session-opens", "R2-routed")
async def test_the_agent_is_told_of_a_session_with_the_call_that_made_it(stage: Stage) -> None:
    call_id = await stage.invoke("probe.launch")
    [told] = await stage.sent("app.session.opened")
    instance = await stage.instance("probe") or {}
    assert told == {"app_session_id": instance["app_session_id"], "app_scope": "probe", "call_id": call_id}
    await stage.invoke("probe.launch")
    assert await stage.sent("app.session.opened") == [told]


@requirement("R4-session-opens")
async def test_the_users_click_opens_one_without_a_call(stage: Stage) -> None:
    opened = await stage.call("miniapp.open", conversation_id=stage.conversation_id, app_scope="probe")
    [told] = await stage.sent("app.session.opened")
    assert told == {"app_session_id": opened["app_session_id"], "app_scope": "probe"}


@requirement("R4-session-opens")
async def test_interact_has_none(stage: Stage) -> None:
    assert (await stage.instance("chat") or {})["app_session_id"] is None
    opened = await stage.call("miniapp.open", conversation_id=stage.conversation_id, app_scope="chat")
    assert opened["app_session_id"] is None
    assert await stage.sent("app.session.opened") == []


@requirement("R4-session-opens", "R6-outbox-again")
async def test_it_is_told_until_it_is_acked_and_its_id_stays(own: Sidecar, open_stage: OpenStage) -> None:
    stage = await open_stage(own)
    await stage.call("transport.setOnline", online=False)
    await stage.invoke("probe.launch")
    session_id = (await stage.instance("probe") or {})["app_session_id"]
    await restart(own)
    assert await session_of(stage) == session_id
    assert (await stage.instance("probe") or {})["app_session_id"] == session_id
    _, asked = await stage.ask("confirm", app_session_id=session_id)
    assert await owner_session(stage, asked) == session_id


@requirement("R4-session-ends", "R3-close-session")
async def test_it_ends_with_its_instance_and_once(stage: Stage) -> None:
    app = await stage.start()
    session_id = await session_of(stage)
    assert await stage.sent("app.session.closed") == []
    await app.unmount()
    await app.mount()
    await app.background()
    assert await stage.sent("app.session.closed") == []
    await app.close()
    [closed] = await stage.sent("app.session.closed")
    assert (closed["app_session_id"], closed["reason"]) == (session_id, "user")


@requirement("R4-no-inner-business")
async def test_it_records_nothing_of_what_the_app_does_inside(stage: Stage) -> None:
    app, call_id = await stage.launch()
    await stage.ack()
    surface_id = await app.open_surface(initial_state={"form": "private words"})
    await app.sdk("surfaces.update", surface_id=surface_id, patch={"form": "more private words"})
    await app.ask("input", {**QUESTIONS["input"], "title": "private question"})
    await app.sdk("tools.reportProgress", call_id=call_id, progress={"percent": 1})
    rows = await stage.heard("transport.send", peer=stage.agent.peer)
    assert "private" not in str(rows)
    assert "private" not in str(await stage.audit())


@requirement("R5-main-im", "P1-3")
async def test_in_front_is_not_in_context(stage: Stage) -> None:
    await stage.start("whiteboard")
    for kind in ("notice", "choice", "confirm", "input"):
        _, asked = await stage.ask(kind)
        item = await stage.item(asked)
        assert item["record"]["owner"]["app_session_id"] is None
        assert item["record"]["owner"]["app_scope"] == "chat"


@requirement("R5-session-context", "P1-3")
@pytest.mark.parametrize("form", ["tool.invoke", "tool.call"])
async def test_a_context_links_a_question_to_its_session(stage: Stage, form: str) -> None:
    await stage.start()
    session_id = await session_of(stage)
    if form == "tool.invoke":
        _, asked = await stage.ask("confirm", app_session_id=session_id)
    else:
        call = await stage.agent.ask("confirm", CONFIRM, app_session_id=session_id)
        [asked] = [
            one["record"]["interaction_id"] for one in await stage.items() if one["record"]["call_id"] == call.call_id
        ]
    assert await owner_session(stage, asked) == session_id
    owner = (await stage.item(asked))["record"]["owner"]
    interact = await stage.instance("chat") or {}
    assert (owner["app_scope"], owner["instance_id"], owner["source"]) == (
        "chat",
        interact["instance_id"],
        "agent_tool",
    )


@requirement("R5-session-context", "R4-session-ends", "P1-3")
async def test_a_closed_session_is_history_that_may_be_named(stage: Stage) -> None:
    app = await stage.start()
    session_id = await session_of(stage)
    await app.close()
    await stage.start()
    _, asked = await stage.ask("notice", NOTICE, app_session_id=session_id)
    assert await owner_session(stage, asked) == session_id
    assert session_id != await session_of(stage)
    assert len((await stage.open())["instances"]) == 2


@requirement("R5-session-context", "P1-3", "R1-refused-reaches-nobody")
async def test_a_session_of_another_conversation_is_an_unknown_one(stage: Stage, open_stage: OpenStage) -> None:
    await stage.start()
    session_id = await session_of(stage)
    same_agent = await open_stage(stage.sidecar)
    other_agent = await open_stage(stage.sidecar, agent_id="agent-2")
    messages = set()
    for other in (same_agent, other_agent):
        for wrong in (session_id, "no-such-session"):
            assert await other.reject("interaction.confirm", CONFIRM, app_session_id=wrong) == "app_session_invalid"
        messages |= {one["message"] for one in await other.sent("tool.rejected")}
        assert await other.items() == []
    assert len(messages) == 1


@requirement("R4-session-ends", "R5-session-context")
async def test_a_question_outlives_the_session_it_is_linked_to(stage: Stage) -> None:
    app = await stage.start()
    call_id, asked = await stage.ask("confirm", app_session_id=await session_of(stage))
    await app.close()
    [closed] = await stage.sent("app.session.closed")
    assert closed["pending_interaction_call_ids"] == [call_id]
    await stage.answer(asked, {"approved": True})
    assert await stage.result(call_id) == {"call_id": call_id, "status": "completed", "result": {"approved": True}}


@requirement("R3-close-session", "P1-2")
async def test_a_notice_whose_card_stays_is_open_too(stage: Stage) -> None:
    app = await stage.start()
    session_id = await session_of(stage)
    shown, shown_id = await stage.ask("notice", app_session_id=session_id)
    unseen, _ = await stage.ask("notice", app_session_id=session_id)
    await stage.call("renderer.presented", interaction_id=shown_id)
    await app.close()
    [closed] = await stage.sent("app.session.closed")
    assert closed["pending_interaction_call_ids"] == [shown, unseen]
    assert (await stage.agent.dismiss(shown))["outcome"] == "dismissed"
