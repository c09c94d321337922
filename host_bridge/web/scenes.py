"""What the scripted Agent can play for a real person. A scene that returns has checked all that it claims."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from host_bridge.web.stage import PERSON_SECONDS, Stage


@dataclass(frozen=True)
class Scene:
    """What is played, under which name, and what it shows."""

    id: str
    title: str
    summary: str
    play: Callable[[Stage], Awaitable[None]]


HELLO = "**Release 7** is out:\n\n- built\n- signed\n\nWhat shall I do next?"


async def talk(stage: Stage) -> None:
    """A message each way."""
    await stage.agent.say(HELLO)
    stage.say("writes to Interact, and waits for your answer there")
    text = await stage.hear()
    stage.say(f"hears: {text}")
    await stage.agent.say(f"You said: {text}", markdown=False)


async def notice(stage: Stage) -> None:
    """Telling needs no answer."""
    result = await stage.ask("notice", {"title": "Build", "message": "The build of release 7 is green."})
    stage.check("a notice is done as soon as it is shown", result.get("result") == {"presented": True})


async def choose(stage: Stage) -> None:
    """Some of three."""
    actions = [{"id": name, "label": name.title()} for name in ("docs", "mail", "blog")]
    request = {"title": "Announce", "prompt": "Where?", "mode": "multi-choice", "actions": actions}
    show_answer(stage, await stage.ask("choice", request))


async def confirm(stage: Stage) -> None:
    """Yes or no."""
    request = {"title": "Tag", "prompt": "Delete the old tag?", "approve_label": "Delete", "cancel_label": "Keep"}
    show_answer(stage, await stage.ask("confirm", request))


async def fill_form(stage: Stage) -> None:
    """A form, whose half-typed values outlive reload and crash."""
    fields = [
        {"id": "name", "label": "Name", "type": "text", "required": True, "max_length": 80},
        {"id": "stars", "label": "Stars", "type": "number", "minimum": 1, "maximum": 5},
        {"id": "words", "label": "In your words", "type": "textarea"},
    ]
    show_answer(stage, await stage.ask("input", {"title": "Review", "prompt": "How was it?", "fields": fields}))


async def take_back(stage: Stage) -> None:
    """A question that the Agent takes back before it is answered."""
    call = await stage.invoke("interaction.confirm", {"title": "Wait", "prompt": "Shall I wait?"})
    await stage.breathe()
    receipt = await stage.agent.dismiss(call)
    result = await call.result()
    if receipt["outcome"] == "already_final":
        stage.say("you were faster than the Agent: your answer stands")
        return
    stage.check("the question is taken back, once", (result["status"], result["reason"]) == ("cancelled", "dismissed"))


async def run_task(stage: Stage) -> None:
    """A task from its beginning to its end."""
    await _work(stage, crash=False)


async def survive_crash(stage: Stage) -> None:
    """The same, with the sidecar killed in the middle."""
    await _work(stage, crash=True)


async def draw(stage: Stage) -> None:
    """The person draws, and hands the board in."""
    board = {"board_id": f"board-{secrets.token_hex(3)}", "title": "Sketch"}
    call = await stage.invoke("whiteboard.open", board)
    stage.say("waits until you hand the drawing in")
    result = await call.result(PERSON_SECONDS)
    if result["status"] != "completed":
        stage.say(f"gets no drawing: {result['reason']}")
        return
    stage.check("the drawing is an artifact", result["result"]["artifact_id"])
    await stage.agent.say("Thank you for the drawing!")


async def _work(stage: Stage, *, crash: bool) -> None:
    task = {"task_id": f"task-{secrets.token_hex(3)}", "title": "Ship release 7"}
    opened = await stage.invoke("task-dashboard.open", task)
    for percent in (20, 45):
        await _update(stage, task["task_id"], progress=percent)
    if crash:
        await stage.crash()
        stage.check("the call is still open, and no result was made up", opened.outcome is None)
    await _update(stage, task["task_id"], progress=80, note="two reviews left")
    await _update(stage, task["task_id"], state="completed")
    result = await opened.result()
    stage.check("the task's own call is completed", result.get("result") == {"status": "completed"})
    results = stage.agent.received("tool.result", opened.call_id)
    stage.check("its result came once", len(results) == 1)


async def _update(stage: Stage, task_id: str, **change: Any) -> None:
    call = await stage.invoke("task-dashboard.update", {"task_id": task_id, **change})
    result = await call.result()
    stage.check(f"the update says {result['status']}", result["status"] == "completed")
    await stage.breathe()


def show_answer(stage: Stage, result: dict[str, Any]) -> None:
    """Say what came of a question."""
    if result["status"] == "completed":
        stage.say(f"hears: {result['result']}")
    else:
        stage.say(f"hears that the question ended as {result['status']}: {result['reason']}")


SCENES = (
    Scene("talk", "Talk", "The Agent writes in Markdown and waits for your answer in Interact.", talk),
    Scene("notice", "A notice", "The Agent tells something that needs no answer.", notice),
    Scene("choice", "A choice", "The Agent offers three, and you take some.", choose),
    Scene("confirm", "A yes or no", "The Agent asks before it deletes.", confirm),
    Scene("form", "A form", "Reload in the middle of it: what you typed is still there.", fill_form),
    Scene("take-back", "A question is taken back", "The Agent asks, then takes the question back.", take_back),
    Scene("task", "A task", "Task Dashboard shows a task up to its end.", run_task),
    Scene("crash", "A crash", "The sidecar is killed in the middle of a task; nothing is lost.", survive_crash),
    Scene("draw", "A drawing", "You draw on Whiteboard and hand the drawing in.", draw),
)
