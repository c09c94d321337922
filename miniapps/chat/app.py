"""Interact's logic: puts messages, cards and task rows into the timeline, and sends what the user writes.

It answers no question: the Host shows the cards and takes the answers, and here their place and their outcome are kept.
Tool calls of other MiniApps are told to no MiniApp. A task row is therefore what the Host's own container says with the
event ``task {call_id, tool_id, status}``; the container has it from ``workspace.open`` and from the results that it
carries to the Agent. Nobody else holds the token of this surface.
"""

from __future__ import annotations

from miniapps.chat import timeline
from miniapps.sdk import (
    JsonObject,
    MiniApp,
    MiniAppMessage,
    RefusedError,
    StandardInteractionRecord,
    Start,
    Surface,
    SurfaceEvent,
)

KEY = "timeline"

app = MiniApp()
sdk = app.sdk


def board() -> Surface:
    """The surface; its state is the timeline."""
    return sdk.surfaces.opened(KEY)


def put(id_: str, entry: timeline.Entry) -> None:
    """Add or replace an entry."""
    for patch in timeline.add(board().state, id_, entry):
        board().update(patch)


def change(id_: str, change_: JsonObject) -> None:
    """Change an entry, if it is still kept."""
    entry = board().state["entries"].get(id_)
    if entry is not None and entry != {**entry, **change_}:
        board().update({"entries": {id_: change_}})


def refuse(event: str, fault: timeline.Fault | None) -> None:
    """Show why an event was not carried out, or that nothing is refused any more."""
    refusal = None if fault is None else {"event": event, "code": fault.code, "reason": fault.reason}
    if board().state.get("refusal") != refusal:
        board().update({"refusal": refusal})


@app.on_start
def start(begun: Start) -> None:
    """Open the timeline; a new life begins in IM, and without what was refused to the last one."""
    sdk.surfaces.request_open(KEY, "Interact", container="trusted-dom", initial_state=timeline.empty())
    board().update({"mode": "im"} if board().state["mode"] != "im" else {})
    refuse("", None)
    known = {record["interaction_id"] for record in begun.cards}
    for id_, entry in board().state["entries"].items():
        if entry["kind"] == "interaction" and entry["outcome"] == "open" and id_ not in known:
            change(id_, timeline.ended_unseen())


@app.on_message
def hear_agent(message: MiniAppMessage) -> None:
    """Show what the Agent says."""
    payload = message["payload"]
    put(message["message_id"], timeline.agent_message(payload["text"], payload["format"], message["created_at"]))


@app.on_surface_event("send_text")
def send_text(event: SurfaceEvent) -> None:
    """Echo the user's text and send it. The message has the event's id: sent again, it is still one message."""
    text = event.payload.get("text")
    fault = timeline.text_fault(text)
    refuse("send_text", fault)
    if fault is not None:
        return
    if event.message_id not in board().state["entries"]:
        put(event.message_id, timeline.user_message(str(text), event.created_at))
    try:
        sdk.conversation.send_text(str(text), event.message_id)
    except RefusedError as refused:
        if refused.code == "context_token_invalid":
            raise
        change(event.message_id, {"status": "failed", "reason": refused.message, "code": refused.code})


@app.on_delivered
def mark_sent(message: MiniAppMessage) -> None:
    """The Agent's side has the text."""
    change(message["payload"]["client_message_id"], {"status": "sent"})


@app.on_surface_event("set_mode")
def set_mode(event: SurfaceEvent) -> None:
    """Stay in IM: audio and video are named, and refused with the reason."""
    refuse("set_mode", timeline.mode_fault(event.payload.get("mode")))


@app.on_surface_event("task")
def show_task(event: SurfaceEvent) -> None:
    """Show a Tool call as the container tells it; one that it tells again keeps its place."""
    row = timeline.task(event.payload, event.created_at)
    if row is None:
        refuse("task", timeline.BAD_TASK)
        return
    id_, entry = row
    if id_ in board().state["entries"]:
        change(id_, {"status": entry["status"], "text": entry["text"]})
    else:
        put(id_, entry)


@app.on_renderer_record
def show_card(record: StandardInteractionRecord) -> None:
    """Give a question of the Agent its place, and show how it ended."""
    put(record["interaction_id"], timeline.interaction({**record}))
