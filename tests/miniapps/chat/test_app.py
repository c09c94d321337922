"""Interact in a real sidecar: what is said, what is asked, what is refused (RULES 10)."""

from __future__ import annotations

from typing import Any

import pytest

from host_bridge.agent import Agent
from host_bridge.headless import HeadlessHost

CONFIRM = {"title": "Sure?", "prompt": "Delete it?"}


def entries(state: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    found = [entry for entry in state["entries"].values() if entry["kind"] == kind]
    return sorted(found, key=lambda entry: str(entry["at"]))


async def entry(host: HeadlessHost, kind: str, **fields: Any) -> dict[str, Any]:
    """Wait for the entry of that kind that has those values."""

    def found(state: dict[str, Any]) -> list[dict[str, Any]]:
        return [one for one in entries(state, kind) if fields.items() <= one.items()]

    return found((await host.surface("chat", found)).state)[-1]


async def test_the_timeline_is_trusted_dom_and_begins_empty_and_in_im(
    lineup_host: HeadlessHost, lineup_agent: Agent
) -> None:
    surface = await lineup_host.surface("chat")
    assert (surface.container, surface.document) == ("trusted-dom", None)
    assert surface.state == {"mode": "im", "entries": {}}


async def test_what_the_agent_says_is_kept_as_text(lineup_host: HeadlessHost, lineup_agent: Agent) -> None:
    await lineup_agent.say("**hello** <img src=x onerror=alert(1)>")
    await lineup_agent.say("plain", markdown=False)
    said = await entry(lineup_host, "message", format="plain")
    assert said["from"] == "agent"
    told = await entry(lineup_host, "message", format="markdown")
    assert told["text"] == "**hello** <img src=x onerror=alert(1)>"


async def test_what_the_user_says_is_echoed_at_once_and_marked_when_it_has_arrived(
    lineup_host: HeadlessHost, lineup_agent: Agent, emit: Any
) -> None:
    lineup_agent.ack = False
    await emit("chat", "send_text", text="hi **there**")
    await entry(lineup_host, "message", **{"from": "user", "status": "sending", "text": "hi **there**"})
    sent = await lineup_agent.receive("message")
    assert (sent["text"], sent["format"]) == ("hi **there**", "markdown")
    await lineup_agent.ack_held()
    await entry(lineup_host, "message", **{"from": "user", "status": "sent"})


async def test_a_text_that_is_under_way_when_all_dies_is_sent_once_and_marked(
    lineup_host: HeadlessHost, lineup_agent: Agent, emit: Any, restart: Any
) -> None:
    lineup_agent.ack = False
    await emit("chat", "send_text", text="once")
    await lineup_agent.receive("message")
    await restart()
    await lineup_agent.ack_held()
    await entry(lineup_host, "message", status="sent", text="once")
    assert len(lineup_agent.received("message")) == 1


@pytest.mark.parametrize("text", ["", "   ", None, 7])
async def test_what_is_no_text_is_refused_with_a_reason_that_goes_with_the_next_success(
    lineup_host: HeadlessHost, lineup_agent: Agent, emit: Any, text: object
) -> None:
    await emit("chat", "send_text", text=text)
    surface = await lineup_host.surface("chat", lambda state: state.get("refusal"))
    assert surface.state["refusal"] == {
        "event": "send_text",
        "code": "no_text",
        "reason": "There is no text to send.",
    }
    await emit("chat", "send_text", text="better")
    await entry(lineup_host, "message", text="better")
    await lineup_host.surface("chat", lambda state: "refusal" not in state)


async def test_audio_and_video_are_refused_and_after_a_restart_it_is_im(
    lineup_host: HeadlessHost, lineup_agent: Agent, emit: Any, restart: Any
) -> None:
    await emit("chat", "set_mode", mode="video")
    surface = await lineup_host.surface("chat", lambda state: state.get("refusal"))
    assert surface.state["refusal"] == {
        "event": "set_mode",
        "code": "no_video",
        "reason": "Video is not part of this version.",
    }
    assert surface.state["mode"] == "im"
    await restart()
    surface = await lineup_host.surface("chat", lambda state: "refusal" not in state)
    assert surface.state["mode"] == "im"


@pytest.mark.parametrize(
    ("kind", "request_", "result", "echo"),
    [
        ("confirm", {**CONFIRM, "approve_label": "Delete"}, {"approved": True}, ("approved", "Delete")),
        ("confirm", CONFIRM, {"approved": False}, ("declined", "Declined")),
        (
            "choice",
            {
                "title": "Fruit",
                "prompt": "Which?",
                "mode": "multi-choice",
                "actions": [{"id": "a", "label": "Apple"}, {"id": "b", "label": "Pear"}],
            },
            {"action_ids": ["b", "a"]},
            ("chosen", "Pear, Apple"),
        ),
        (
            "input",
            {"title": "Who", "prompt": "Name?", "fields": [{"id": "n", "label": "Name", "type": "text"}]},
            {"values": {"n": "Ada"}},
            ("filled", "Name: Ada"),
        ),
        (
            "notice",
            {"title": "Done", "message": "All is well."},
            {"acknowledged": True},
            ("acknowledged", "Acknowledged"),
        ),
    ],
)
async def test_a_question_has_its_place_and_its_outcome_is_echoed(
    lineup_host: HeadlessHost, lineup_agent: Agent, kind: str, request_: Any, result: Any, echo: Any
) -> None:
    await lineup_agent.invoke(f"interaction.{kind}", request_)
    question = await lineup_host.question()
    card = await entry(lineup_host, "interaction", form=kind, outcome="open")
    assert card["interaction_id"] == question["record"]["interaction_id"]
    await lineup_host.submit(question, result)
    card = await entry(lineup_host, "interaction", outcome=echo[0])
    assert card["echo"] == echo[1]


async def test_endings_without_an_answer_are_told_apart(lineup_host: HeadlessHost, lineup_agent: Agent) -> None:
    dismissed = await lineup_agent.invoke("interaction.confirm", CONFIRM)
    await lineup_host.question()
    await lineup_agent.dismiss(dismissed)
    await entry(lineup_host, "interaction", outcome="dismissed")
    await lineup_agent.invoke("interaction.confirm", CONFIRM)
    await lineup_host.dismiss(await lineup_host.question())
    await entry(lineup_host, "interaction", outcome="cancelled", echo="You dismissed this")
    await lineup_agent.invoke("interaction.confirm", {**CONFIRM, "expires_in_ms": 60_000})
    await lineup_host.question()
    await lineup_host.settle()
    await lineup_host.sidecar.call("test.advanceClock", ms=61_000)
    await entry(lineup_host, "interaction", outcome="expired", echo="No answer in time")


async def test_an_answer_given_while_the_worker_is_dead_is_echoed(
    lineup_host: HeadlessHost, lineup_agent: Agent, kill_workers: Any
) -> None:
    await lineup_agent.invoke("interaction.confirm", CONFIRM)
    question = await lineup_host.question()
    await entry(lineup_host, "interaction", outcome="open")
    assert kill_workers() == 1
    await lineup_host.submit(question, {"approved": True})
    await entry(lineup_host, "interaction", outcome="approved")


async def test_a_task_row_is_what_the_container_tells(
    lineup_host: HeadlessHost, lineup_agent: Agent, emit: Any
) -> None:
    await emit("chat", "task", call_id="c-1", tool_id="whiteboard.open", status="running")
    first = await entry(lineup_host, "task", call_id="c-1", status="running")
    await lineup_host.sidecar.call("test.advanceClock", ms=1_000)
    await emit("chat", "task", call_id="c-1", tool_id="whiteboard.open", status="completed")
    last = await entry(lineup_host, "task", call_id="c-1", status="completed")
    assert (last["at"], last["text"]) == (first["at"], "whiteboard.open: completed")
    await emit("chat", "task", call_id="c-1", tool_id="whiteboard.open", status="on fire")
    surface = await lineup_host.surface("chat", lambda state: state.get("refusal"))
    assert surface.state["refusal"]["event"] == "task"
