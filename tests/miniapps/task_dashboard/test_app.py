"""Task Dashboard in a real sidecar: tasks from open to end, questions, and what survives a crash (RULES 10)."""

from __future__ import annotations

from typing import Any

import pytest

from host_bridge.agent import Agent, Call
from host_bridge.headless import HeadlessHost

SCOPE = "task-dashboard"


async def open_task(agent: Agent, task_id: str = "t-1", **more: Any) -> Call:
    return await agent.invoke("task-dashboard.open", {"task_id": task_id, "title": f"Ship {task_id}", **more})


async def update(agent: Agent, task_id: str = "t-1", **changes: Any) -> dict[str, Any]:
    return await (await agent.invoke("task-dashboard.update", {"task_id": task_id, **changes})).result()


def task(state: dict[str, Any], task_id: str = "t-1") -> dict[str, Any]:
    found: dict[str, Any] = state["tasks"][f"task:{task_id}"]
    return found


async def test_a_task_reports_its_progress_until_the_update_that_ends_it(
    lineup_host: HeadlessHost, lineup_agent: Agent
) -> None:
    opened = await open_task(lineup_agent)
    assert (await update(lineup_agent, progress=40, note="Packing"))["result"] == {
        "task_id": "t-1",
        "title": "Ship t-1",
        "state": "running",
        "progress": 40,
        "note": "Packing",
    }
    ended = await update(lineup_agent, state="completed")
    assert ended["result"]["progress"] == 100
    assert (await opened.result())["result"] == {"status": "completed"}
    assert {"percent": 40, "state": "running", "message": "Packing"} in opened.progress
    surface = await lineup_host.surface(SCOPE, lambda state: task(state)["state"] == "completed")
    assert surface.container == "sandboxed-iframe"
    assert surface.document is not None


async def test_several_tasks_are_followed_and_each_has_one_call(lineup_host: HeadlessHost, lineup_agent: Agent) -> None:
    first, second = await open_task(lineup_agent, "a"), await open_task(lineup_agent, "b", state="running", progress=5)
    double = await (await open_task(lineup_agent, "a")).result()
    assert (double["status"], double["error"]["code"]) == ("failed", "task_exists")
    await update(lineup_agent, "a", state="failed", note="No disk")
    assert (await first.result())["result"] == {"status": "failed"}
    assert second.outcome is None
    late = await update(lineup_agent, "a", progress=1)
    assert (late["status"], late["error"]["code"]) == ("failed", "task_finished")
    again = await open_task(lineup_agent, "a")
    await lineup_host.surface(SCOPE, lambda state: task(state, "a")["call_id"] == again.call_id)


async def test_a_task_that_is_over_when_it_is_opened_ends_at_once(lineup_agent: Agent) -> None:
    opened = await open_task(lineup_agent, state="cancelled")
    assert (await opened.result())["result"] == {"status": "cancelled"}


async def test_a_call_that_the_agent_takes_back_cancels_its_task(
    lineup_host: HeadlessHost, lineup_agent: Agent
) -> None:
    opened = await open_task(lineup_agent)
    await lineup_host.surface(SCOPE, lambda state: state["tasks"])
    await lineup_agent.cancel(opened)
    surface = await lineup_host.surface(SCOPE, lambda state: task(state)["state"] == "cancelled")
    assert task(surface.state)["ended"] == "cancelled"


async def test_what_is_finished_closes_without_a_question(
    lineup_host: HeadlessHost, lineup_agent: Agent, emit: Any
) -> None:
    await open_task(lineup_agent, state="completed")
    await lineup_host.surface(SCOPE, lambda state: state["tasks"])
    await emit(SCOPE, "close")
    await lineup_agent.receive("app.session.closed")
    assert lineup_host.sidecar.seen("renderer.present") == []


async def test_closing_asks_once_and_a_no_or_a_dismissal_keeps_it_open(
    lineup_host: HeadlessHost, lineup_agent: Agent, emit: Any
) -> None:
    opened = await open_task(lineup_agent)
    await lineup_host.surface(SCOPE, lambda state: state["tasks"])
    await emit(SCOPE, "close")
    question = await lineup_host.question()
    assert question["record"]["parent_call_id"] == opened.call_id
    assert "“Ship t-1” is not finished" in question["record"]["request"]["prompt"]
    await lineup_host.surface(SCOPE, lambda state: question["record"]["interaction_id"] in state["asking"])
    await emit(SCOPE, "close")
    await lineup_host.submit(question, {"approved": False})
    await lineup_host.surface(SCOPE, lambda state: state["asking"] == {})
    assert len(lineup_host.screen.questions) == 0
    await emit(SCOPE, "close")
    await lineup_host.dismiss(await lineup_host.question())
    await lineup_host.surface(SCOPE, lambda state: state["asking"] == {})
    assert opened.outcome is None
    assert len(lineup_host.sidecar.seen("renderer.retract")) == 2


async def test_agreeing_cancels_every_task_and_closes(
    lineup_host: HeadlessHost, lineup_agent: Agent, emit: Any
) -> None:
    first, second = await open_task(lineup_agent, "a"), await open_task(lineup_agent, "b")
    await lineup_host.surface(SCOPE, lambda state: len(state["tasks"]) == 2)
    await emit(SCOPE, "close")
    await lineup_host.submit(await lineup_host.question(), {"approved": True})
    for call in (first, second):
        result = await call.result()
        assert (result["status"], result["result"]) == ("completed", {"status": "cancelled"})
    assert (await lineup_agent.receive("app.session.closed"))["cancelled_call_ids"] == []
    await lineup_host.until(lambda screen: screen.workspaces["conv-1"].find(SCOPE) is None)


async def test_a_yes_does_not_reach_a_task_that_was_not_asked_about(
    lineup_host: HeadlessHost, lineup_agent: Agent, emit: Any
) -> None:
    await open_task(lineup_agent, "a")
    await lineup_host.surface(SCOPE, lambda state: state["tasks"])
    await emit(SCOPE, "close")
    question = await lineup_host.question()
    await lineup_host.surface(SCOPE, lambda state: state["asking"])
    await lineup_host.sidecar.call("test.advanceClock", ms=10)
    newer = await open_task(lineup_agent, "b")
    await lineup_host.surface(SCOPE, lambda state: len(state["tasks"]) == 2)
    await lineup_host.submit(question, {"approved": True})
    again = await lineup_host.question(lambda item: "2 tasks" in item["record"]["request"]["prompt"])
    assert newer.outcome is None
    await lineup_host.submit(again, {"approved": True})
    assert (await newer.result())["result"] == {"status": "cancelled"}


async def test_the_user_writes_a_note_that_is_shown_and_told(
    lineup_host: HeadlessHost, lineup_agent: Agent, emit: Any
) -> None:
    opened = await open_task(lineup_agent)
    await lineup_host.surface(SCOPE, lambda state: state["tasks"])
    await emit(SCOPE, "note", task="task:t-1")
    question = await lineup_host.question()
    assert (question["record"]["kind"], question["record"]["parent_call_id"]) == ("input", opened.call_id)
    await lineup_host.submit(question, {"values": {"note": "By Friday, <b>please</b>"}})
    surface = await lineup_host.surface(SCOPE, lambda state: task(state)["note"])
    assert task(surface.state)["note"] == "By Friday, <b>please</b>"
    async for progress in opened.updates():
        if progress.get("message") == "By Friday, <b>please</b>":
            break


@pytest.mark.parametrize("payload", [{"task": "task:other"}, {"task": 7}, {"task": None}])
async def test_a_note_for_no_task_asks_nothing(
    lineup_host: HeadlessHost, lineup_agent: Agent, emit: Any, payload: dict[str, Any]
) -> None:
    await open_task(lineup_agent)
    await lineup_host.surface(SCOPE, lambda state: state["tasks"])
    await emit(SCOPE, "note", **payload)
    await lineup_host.surface(SCOPE, lambda state: state.get("notice") == "no_task")
    assert lineup_host.sidecar.seen("renderer.present") == []


@pytest.mark.lineup(renderers=["im-card"])
async def test_a_host_that_can_show_no_question_is_said_so_and_nothing_closes(
    lineup_host: HeadlessHost, lineup_agent: Agent, emit: Any
) -> None:
    opened = await open_task(lineup_agent)
    await lineup_host.surface(SCOPE, lambda state: state["tasks"])
    await emit(SCOPE, "close")
    await lineup_host.surface(SCOPE, lambda state: state.get("notice") == "not_asked")
    assert opened.outcome is None


async def test_an_answer_given_after_a_restart_is_acted_on(
    lineup_host: HeadlessHost, lineup_agent: Agent, emit: Any, restart: Any
) -> None:
    opened = await open_task(lineup_agent)
    await lineup_host.surface(SCOPE, lambda state: state["tasks"])
    await emit(SCOPE, "close")
    await lineup_host.question()
    await restart()
    assert opened.outcome is None
    await lineup_host.submit(await lineup_host.question(), {"approved": True})
    assert (await opened.result())["result"] == {"status": "cancelled"}
    await lineup_agent.receive("app.session.closed")


async def test_an_answer_given_while_the_worker_is_dead_is_acted_on(
    lineup_host: HeadlessHost, lineup_agent: Agent, emit: Any, kill_workers: Any
) -> None:
    opened = await open_task(lineup_agent)
    await lineup_host.surface(SCOPE, lambda state: state["tasks"])
    await emit(SCOPE, "close")
    question = await lineup_host.question()
    assert kill_workers() >= 2
    await lineup_host.submit(question, {"approved": True})
    assert (await opened.result())["result"] == {"status": "cancelled"}
    await lineup_agent.receive("app.session.closed")
    assert len(lineup_agent.received("tool.result", opened.call_id)) == 1


async def test_a_task_goes_on_after_a_restart_and_one_that_was_taken_back_meanwhile_does_not(
    lineup_host: HeadlessHost, lineup_agent: Agent, restart: Any
) -> None:
    going, lost = await open_task(lineup_agent, "going"), await open_task(lineup_agent, "lost")
    await update(lineup_agent, "going", progress=30)
    await lineup_host.surface(SCOPE, lambda state: len(state["tasks"]) == 2)
    instance_id = (await lineup_host.surface(SCOPE)).instance_id
    await lineup_host.sidecar.call("miniapp.setEnabled", app_scope=SCOPE, enabled=False)
    await lineup_agent.cancel(lost)
    await restart()
    await lineup_host.sidecar.call("miniapp.setEnabled", app_scope=SCOPE, enabled=True)
    surface = await lineup_host.surface(SCOPE, lambda state: task(state, "lost")["state"] == "cancelled")
    assert surface.instance_id == instance_id
    assert task(surface.state, "going")["progress"] == 30
    await lineup_agent.receive("client.inventory", lambda one: "task-dashboard.open" in str(one["tools"]))
    await update(lineup_agent, "going", state="completed")
    assert (await going.result())["result"] == {"status": "completed"}
