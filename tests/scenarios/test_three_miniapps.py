"""Interact, Task Dashboard and Whiteboard in their own workers, with a Host and an Agent around them (RULES 10)."""

from __future__ import annotations

import base64
import itertools
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import pytest

from host_bridge.agent import Agent
from host_bridge.client import Sidecar
from host_bridge.command import serve_command
from host_bridge.errors import RpcError
from host_bridge.headless import HeadlessHost
from host_bridge.mirror import ShownSurface, Workspace
from tests.scenarios.stage import ANSWERS, MINUTE, QUESTIONS, refused

requirement = pytest.mark.requirement

_count = itertools.count(1)


@pytest.fixture(scope="module")
async def house(tmp_path_factory: pytest.TempPathFactory, anyio_backend: str) -> AsyncIterator[Sidecar]:
    """A sidecar as it is installed, for all scenarios of this file."""
    database = tmp_path_factory.mktemp("house") / "lineup.sqlite"
    async with Sidecar(serve_command(database, "--test-clock")) as sidecar:
        yield sidecar
    assert not sidecar.faults, "the sidecar or the Host broke the contract:\n" + "\n".join(sidecar.faults)


@dataclass
class Room:
    """A conversation in which a headless Host shows what there is and a scripted Agent speaks."""

    host: HeadlessHost
    agent: Agent
    workspace: Workspace

    @property
    def front(self) -> str:
        """The scope in front."""
        foreground = self.workspace.foreground or ""
        return str(self.workspace.instances[foreground]["app_scope"])

    async def emit(self, surface: ShownSurface, event: str, **payload: Any) -> None:
        """The user does something in a view."""
        await self.host.view(surface, "emit", event=event, payload=payload)

    async def until_front(self, scope: str) -> None:
        """Wait until that app is in front."""
        await self.host.until(lambda screen: self.front == scope)

    async def entry(self, **fields: Any) -> dict[str, Any]:
        """Wait for the entry of the timeline whose fields say so."""

        def find(state: dict[str, Any]) -> dict[str, Any] | None:
            entries = state.get("entries", {}).values()
            return next((one for one in entries if all(one.get(k) == v for k, v in fields.items())), None)

        surface = await self.host.surface("chat", find)
        found = find(surface.state)
        assert found
        assert found["text"]
        return found


@pytest.fixture
async def room(house: Sidecar) -> AsyncIterator[Room]:
    """A new session with a new conversation."""
    conversation_id = f"room-{next(_count)}"
    async with HeadlessHost(house) as host:
        await host.initialize()
        workspace = await host.open(conversation_id, "agent-1")
        async with Agent(house, conversation_id, "agent-1") as agent:
            yield Room(host, agent, workspace)
            await host.settle()
            for instance in list(workspace.instances.values()):
                if instance["app_scope"] != "chat":
                    with suppress(RpcError):  # it may be closing of itself
                        await house.call("miniapp.close", instance_id=instance["instance_id"])


# -- Interact


@requirement("R10-timeline", "A2", "A13", "C-sandboxed")
async def test_the_agents_words_stand_in_the_timeline(room: Room) -> None:
    surface = await room.host.surface("chat")
    assert (surface.container, surface.document, surface.state["mode"]) == ("trusted-dom", None, "im")
    await room.agent.say("**hello**")
    await room.agent.say("as it is", markdown=False)
    assert (await room.entry(text="**hello**"))["format"] == "markdown"
    plain = await room.entry(text="as it is")
    assert (plain["kind"], plain["from"], plain["format"]) == ("message", "agent", "plain")


@requirement("R10-echo", "R10-timeline", "A13")
async def test_the_users_words_are_echoed_and_sent_when_the_agent_has_them(room: Room) -> None:
    surface = await room.host.surface("chat")
    room.agent.ack = False
    await room.emit(surface, "send_text", text="hi **back**")
    entry = await room.entry(text="hi **back**")
    assert (entry["kind"], entry["from"], entry["status"]) == ("message", "user", "sending")
    told = await room.agent.receive("message")
    assert (told["text"], told["format"]) == ("hi **back**", "markdown")
    await room.agent.ack_held()
    assert (await room.entry(text="hi **back**", status="sent"))["at"] == entry["at"]
    assert len(room.agent.received("message")) == 1


def refused_event(state: dict[str, Any]) -> str | None:
    """The event that the timeline says was refused."""
    return (state.get("refusal") or {}).get("event")


@requirement("R10-modes", "R10-timeline")
async def test_what_cannot_be_done_is_refused_with_a_reason(room: Room) -> None:
    surface = await room.host.surface("chat")
    for event, payload in [
        ("set_mode", {"mode": "audio"}),
        ("send_text", {"text": "x" * 32_001}),
        ("set_mode", {"mode": "video"}),
        ("send_text", {"text": " "}),
        ("set_mode", {"mode": "telepathy"}),
    ]:
        await room.emit(surface, event, **payload)
        shown = await room.host.surface("chat", lambda state, event=event: refused_event(state) == event)
        state = shown.state
        assert state["refusal"]["reason"]
        assert (state["mode"], state["entries"]) == ("im", {})
    await room.emit(surface, "set_mode", mode="im")
    await room.host.surface("chat", lambda state: not state.get("refusal"))
    assert room.agent.received("message") == []


@requirement("R10-timeline", "A6", "R5-agents-channel")
@pytest.mark.parametrize(
    ("kind", "outcome"),
    [("notice", "acknowledged"), ("choice", "chosen"), ("confirm", "approved"), ("input", "filled")],
)
async def test_a_card_has_its_place_and_echoes_its_outcome(room: Room, kind: str, outcome: str) -> None:
    call = await room.agent.invoke(f"interaction.{kind}", QUESTIONS[kind])
    item = await room.host.question(lambda one: one["record"]["call_id"] == call.call_id)
    asked = item["record"]["interaction_id"]
    entry = await room.entry(interaction_id=asked, outcome="open")
    assert (entry["kind"], entry["form"], entry["title"]) == ("interaction", kind, QUESTIONS[kind]["title"])
    await room.host.submit(item, ANSWERS[kind])
    echoed = await room.entry(interaction_id=asked, outcome=outcome)
    assert (echoed["at"], bool(echoed["echo"])) == (entry["at"], True)
    result = {"presented": True} if kind == "notice" else ANSWERS[kind]
    assert (await call.result())["result"] == result


@requirement("R10-timeline", "A6")
@pytest.mark.parametrize("ending", ["dismissed", "cancelled", "expired"])
async def test_a_card_says_how_else_it_ended(room: Room, ending: str) -> None:
    call = await room.agent.ask("confirm", QUESTIONS["confirm"])
    item = await room.host.question(lambda one: one["record"]["call_id"] == call.call_id)
    asked = item["record"]["interaction_id"]
    await room.entry(interaction_id=asked, outcome="open")
    match ending:
        case "dismissed":
            await room.agent.dismiss(call)
        case "cancelled":
            await room.host.dismiss(item)
        case "expired":
            await room.host.sidecar.call("test.advanceClock", ms=15 * MINUTE)
    assert (await room.entry(interaction_id=asked, outcome=ending))["echo"]


@requirement("R10-timeline", "C-unknown-cards", "A13")
async def test_a_task_has_its_row(room: Room) -> None:
    surface = await room.host.surface("chat")
    call = await room.agent.invoke("task-dashboard.open", {"task_id": "t", "title": "Ship it"})
    row = {"call_id": call.call_id, "tool_id": call.tool_id}
    await room.emit(surface, "task", **row, status="running")
    await room.entry(kind="task", call_id=call.call_id, status="running")
    await room.emit(surface, "task", **row, status="completed")
    entry = await room.entry(kind="task", call_id=call.call_id, status="completed")
    assert "completed" in entry["text"]


@requirement("R10-newest-500")
async def test_the_timeline_keeps_the_newest_500_entries(room: Room) -> None:
    surface = await room.host.surface("chat")
    old = {
        f"old-{number:03}": {"kind": "message", "at": f"2020-01-01T00:00:00.{number:03}Z", "text": f"{number}"}
        for number in range(500)
    }
    await room.host.view(surface, "update", patch={"entries": old})
    await room.agent.say("one more")
    await room.agent.say("and another")
    await room.entry(text="and another")
    entries = (await room.host.surface("chat")).state["entries"]
    assert len(entries) == 500
    assert {"old-000", "old-001"} & set(entries) == set()
    assert {"old-002", "old-499"} <= set(entries)


@requirement("R10-timeline", "R10-modes", "A6", "A11", "A13")
async def test_interact_comes_back_as_it_was(room: Room) -> None:
    await room.agent.say("before")
    await room.entry(text="before")
    call = await room.agent.ask("confirm", QUESTIONS["confirm"])
    item = await room.host.question()
    await room.entry(interaction_id=item["record"]["interaction_id"], outcome="open")
    await room.host.sidecar.kill()
    await room.host.sidecar.start()
    await room.host.initialize()
    await room.agent.say("after")
    await room.entry(text="after")
    assert (await room.entry(text="before"))["from"] == "agent"
    await room.host.submit(await room.host.question(), {"approved": False})
    assert (await call.result())["result"] == {"approved": False}
    entry = await room.entry(interaction_id=item["record"]["interaction_id"], outcome="declined")
    assert entry["echo"]


# -- Task Dashboard


async def open_task(room: Room, task_id: str = "t-1") -> tuple[Any, ShownSurface]:
    """Open a task; its call and the dashboard."""
    call = await room.agent.invoke("task-dashboard.open", {"task_id": task_id, "title": "Ship it"})
    surface = await room.host.surface("task-dashboard", lambda state: f"task:{task_id}" in state.get("tasks", {}))
    return call, surface


async def update(room: Room, **change: Any) -> dict[str, Any]:
    """Update the task; the payload of the result."""
    call = await room.agent.invoke("task-dashboard.update", {"task_id": "t-1", **change})
    return await call.result()


@requirement("R10-dashboard", "A8", "A2", "A10", "A13", "P3-2", "C-nobody-closes-itself")
@pytest.mark.parametrize("ending", ["completed", "failed", "cancelled"])
async def test_a_task_lives_with_its_call_until_an_update_ends_it(room: Room, ending: str) -> None:
    call, surface = await open_task(room)
    assert (room.front, surface.container) == ("task-dashboard", "sandboxed-iframe")
    summary = (await update(room, progress=50, note="half way"))["result"]
    assert (summary["task_id"], summary["progress"], summary["note"]) == ("t-1", 50, "half way")
    assert call.progress[-1] == {"percent": 50, "state": "running", "message": "half way"}
    assert call.outcome is None
    assert (await update(room, state=ending))["result"]["state"] == ending
    assert (await call.result())["result"] == {"status": ending}
    assert room.front == "task-dashboard"
    assert (await update(room, progress=60))["error"]["code"] == "task_finished"
    await room.host.sidecar.call("miniapp.close", instance_id=surface.instance_id)
    await room.until_front("chat")


@requirement("R10-dashboard")
async def test_an_unknown_task_and_a_known_one_again_are_errors(room: Room) -> None:
    call, _ = await open_task(room)
    other = await room.agent.invoke("task-dashboard.update", {"task_id": "other", "progress": 1})
    assert (await other.result())["error"]["code"] == "task_unknown"
    again = await room.agent.invoke("task-dashboard.open", {"task_id": "t-1", "title": "Again"})
    assert (await again.result())["error"]["code"] == "task_exists"
    assert call.outcome is None


@requirement("R10-dashboard-closes", "A8", "A7", "R5-focus-stays")
@pytest.mark.parametrize("agreed", [True, False])
async def test_closing_an_unfinished_task_asks_first(room: Room, agreed: bool) -> None:
    call, surface = await open_task(room)
    await room.emit(surface, "close")
    item = await room.host.question()
    owner, placement = item["record"]["owner"], item["placement"]
    assert (item["record"]["kind"], owner["source"]) == ("confirm", "miniapp_tool")
    assert (owner["instance_id"], owner["parent_call_id"]) == (surface.instance_id, call.call_id)
    assert (placement["mode"], placement["instance_id"]) == ("modal", surface.instance_id)
    assert room.front == "task-dashboard"
    await room.host.submit(item, {"approved": agreed})
    if agreed:
        assert (await call.result())["result"] == {"status": "cancelled"}
        await room.until_front("chat")
        closed = await room.agent.receive("app.session.closed")
        assert closed["cancelled_call_ids"] == []
    else:
        await update(room, progress=10)
        assert (room.front, call.outcome) == ("task-dashboard", None)


@requirement("R10-dashboard-closes")
async def test_closing_with_nothing_unfinished_asks_nobody(room: Room) -> None:
    call, surface = await open_task(room)
    await update(room, state="completed")
    await call.result()
    await room.emit(surface, "close")
    await room.until_front("chat")
    assert room.host.screen.questions == {}


@requirement("R10-dashboard-note", "A8")
async def test_a_note_is_asked_for_and_told(room: Room) -> None:
    call, surface = await open_task(room)
    await room.emit(surface, "note")
    item = await room.host.question()
    assert (item["record"]["kind"], item["record"]["owner"]["app_scope"]) == ("input", "task-dashboard")
    await room.host.submit(item, {"values": {"note": "mind the gap"}})
    await room.host.surface("task-dashboard", lambda state: state["tasks"]["task:t-1"]["note"] == "mind the gap")
    assert (await update(room))["result"]["note"] == "mind the gap"
    assert call.progress[-1]["message"] == "mind the gap"


@requirement("A8", "A11", "R10-dashboard")
async def test_the_dashboard_goes_on_after_a_crash(room: Room) -> None:
    call, surface = await open_task(room)
    await room.emit(surface, "close")
    await room.host.question()
    await room.host.sidecar.kill()
    await room.host.sidecar.start()
    await room.host.initialize()
    assert room.front == "task-dashboard"
    await room.host.submit(await room.host.question(), {"approved": False})
    assert (await update(room, state="completed"))["result"]["state"] == "completed"
    assert (await call.result())["result"] == {"status": "completed"}


# -- Whiteboard

STROKE = {"points": [[0, 0], [10, 10], [20, 5]], "color": "#112233", "width": 3}


async def open_board(room: Room, **more: Any) -> tuple[Any, ShownSurface]:
    """Put a board up; its call and its surface."""
    call = await room.agent.invoke("whiteboard.open", {"board_id": "b-1", "title": "Sketch", **more})
    surface = await room.host.surface("whiteboard", lambda state: state.get("call_id") == call.call_id)
    return call, surface


@requirement("R10-whiteboard", "A9", "A2", "A13", "P3-2", "C-nobody-closes-itself")
async def test_strokes_are_patches_and_handing_in_makes_a_picture(room: Room) -> None:
    call, surface = await open_board(room, strokes=[{"points": [[1, 1]], "color": "#aabbcc"}])
    assert (surface.container, surface.state["title"]) == ("sandboxed-iframe", "Sketch")
    assert len(surface.state["strokes"]) == 1
    await room.host.view(surface, "update", patch={"strokes": {"s1": STROKE}})
    submit = await room.agent.invoke("whiteboard.submit", {"board_id": "b-1", "request": "please"})
    result = (await submit.result())["result"]
    stored = await room.host.sidecar.call("artifact.get", artifact_id=result["artifact_id"])
    picture = base64.b64decode(stored["content_base64"]).decode()
    assert stored["media_type"] == "image/svg+xml"
    assert all(part in picture for part in ("<svg", "#112233", "#aabbcc"))
    assert "<script" not in picture
    assert (room.front, call.outcome, room.host.screen.questions) == ("whiteboard", None, {})


@requirement("R10-whiteboard", "A9")
async def test_the_user_hands_the_board_in(room: Room) -> None:
    call, surface = await open_board(room)
    await room.host.view(surface, "update", patch={"strokes": {"s1": STROKE}})
    await room.emit(surface, "submit")
    result = (await call.result())["result"]
    assert (await room.host.sidecar.call("artifact.get", artifact_id=result["artifact_id"]))["byte_size"] > 0
    assert room.front == "whiteboard"
    unknown = await room.agent.invoke("whiteboard.submit", {"board_id": "other", "request": "x"})
    assert (await unknown.result())["status"] == "failed"


@requirement("R10-whiteboard-denied", "R8-default-deny", "R8-nothing-handed-out", "A9")
async def test_the_clipboard_is_denied_and_the_denial_is_shown(room: Room) -> None:
    _, surface = await open_board(room)
    await room.host.view(surface, "update", patch={"strokes": {"s1": STROKE}})
    await room.emit(surface, "copy")
    shown = (await room.host.surface("whiteboard", lambda state: "clipboard" in state)).state["clipboard"]
    assert (shown["outcome"], shown["reason"]) == ("denied", "policy")
    assert room.host.sidecar.seen("capability.requested") == []


@requirement("A9", "A11", "R6-surfaces-stay")
async def test_the_board_is_there_after_a_crash(room: Room) -> None:
    call, surface = await open_board(room)
    await room.host.view(surface, "update", patch={"strokes": {"s1": STROKE}})
    old = surface.surface_token
    await room.host.sidecar.kill()
    await room.host.sidecar.start()
    await room.host.initialize()
    with refused("context_token_invalid"):
        await room.host.sidecar.call("sdk.context.get", context_token=old)
    again = await room.host.surface("whiteboard", lambda state: "s1" in state["strokes"])
    await room.emit(again, "submit")
    assert (await call.result())["result"]["artifact_id"]
