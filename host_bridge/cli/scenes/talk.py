"""Messages and the standard questions, between the Agent and the user."""

from __future__ import annotations

from typing import Any

from host_bridge.agent import Call
from host_bridge.cli.narrator import shorten
from host_bridge.cli.stage import Stage

HELLO = "**Release 7** is out:\n\n- built\n- signed\n"
THANKS = "Thank you, *well done*!"


async def talk(stage: Stage) -> None:
    """A message each way."""
    await stage.agent.say(HELLO)
    await stage.host.surface("chat", lambda state: HELLO in texts_of(state))
    stage.check("Interact shows the Agent's Markdown", True)
    chat = await stage.host.surface("chat")
    await stage.host.view(chat, "emit", event="send_text", payload={"text": THANKS})
    heard = await stage.agent.receive("message")
    stage.check("the Agent hears the user", heard["text"] == THANKS)
    await stage.host.surface("chat", lambda state: THANKS in texts_of(state))
    stage.check("the user's text stands in the timeline", True)


async def choose(stage: Stage) -> None:
    """Two of three."""
    actions = [{"id": name, "label": name.title()} for name in ("docs", "mail", "blog")]
    request = {"title": "Announce", "prompt": "Where?", "mode": "multi-choice", "actions": actions}
    call, item = await ask(stage, "choice", request)
    await answer(stage, item, {"action_ids": ["blog", "docs"]})
    result = await call.result()
    stage.check("the answer is the Agent's, in the user's order", result["result"] == {"action_ids": ["blog", "docs"]})


async def confirm(stage: Stage) -> None:
    """A no is an answer too."""
    call, item = await ask(stage, "confirm", {"title": "Tag", "prompt": "Delete the old tag?"})
    await answer(stage, item, {"approved": False})
    stage.check("a no is an answer, not a failure", (await call.result())["result"] == {"approved": False})


async def fill_form(stage: Stage) -> None:
    """A draft, a crash, the whole answer."""
    fields = [
        {"id": "name", "label": "Name", "type": "text", "required": True},
        {"id": "stars", "label": "Stars", "type": "number", "minimum": 1, "maximum": 5},
    ]
    call, item = await ask(stage, "input", {"title": "Review", "prompt": "How was it?", "fields": fields})
    await stage.host.save_draft(item, {"name": "Ad"})
    stage.terminal.say("user", "has typed: Ad", "ask")
    await stage.crash()
    item = await stage.host.question(lambda one: one["record"]["call_id"] == call.call_id)
    stage.check("the form is there again, with what was typed", item["draft"] == {"values": {"name": "Ad"}})
    await answer(stage, item, {"values": {"name": "Ada", "stars": 5}})
    result = await call.result()
    stage.check("the Agent has the whole form", result["result"] == {"values": {"name": "Ada", "stars": 5}})


async def take_back(stage: Stage) -> None:
    """Dismissed: the card goes, the call ends, once."""
    call, item = await ask(stage, "confirm", {"title": "Wait", "prompt": "Shall I wait?"})
    receipt = await stage.agent.dismiss(call)
    stage.check("the Agent has a receipt", receipt["outcome"] == "dismissed")
    result = await call.result()
    stage.check("the call ended as dismissed", (result["status"], result["reason"]) == ("cancelled", "dismissed"))
    interaction_id = item["record"]["interaction_id"]
    await stage.host.until(lambda screen: interaction_id not in screen.questions)
    stage.check("the question is off the screen", True)


async def ask(stage: Stage, kind: str, request: dict[str, Any]) -> tuple[Call, dict[str, Any]]:
    """Invoke an interactive Tool and wait until its question is on the screen."""
    call = await stage.invoke(f"interaction.{kind}", request)
    item = await stage.host.question(lambda one: one["record"]["call_id"] == call.call_id)
    await stage.breathe()
    return call, item


async def answer(stage: Stage, item: dict[str, Any], result: dict[str, Any]) -> None:
    """Answer as the user."""
    stage.terminal.say("user", f"answers {shorten(result)}", "ask")
    await stage.host.submit(item, result)


def texts_of(state: dict[str, Any]) -> list[Any]:
    """The texts in Interact's timeline."""
    return [entry.get("text") for entry in state.get("entries", {}).values()]
