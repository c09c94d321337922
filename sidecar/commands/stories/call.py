"""The story of a Tool call (RULES 2)."""

from __future__ import annotations

import json
from typing import Any

from rpc_schema import limits
from sidecar.commands.stories import question
from sidecar.commands.stories.archive import Archive, Entry
from sidecar.commands.stories.story import Event, Story
from sidecar.commands.stories.text import quote, show_json, when
from sidecar.commands.stories.words import RECEIPTS, actor, app, because, deed, refused
from sidecar.domain.interactive import kind_of
from sidecar.domain.transitions import CALL_OPEN
from sidecar.store import tables

_TAKEN_BACK = {
    "miniapp.mount": "the Host mounted the MiniApp anew",
    "miniapp.unmount": "the Host took the MiniApp's container away",
    "worker.gone": "the MiniApp's process ended",
    "recovery": "the Runtime was started again",
    "initialize": "a new session with the Host began",
}

_TRIED = {
    "lineup.v1.interaction.dismiss": "tried to take it back",
    "lineup.v1.tool.call": "asked for it again",
    "lineup.v1.tool.cancel": "tried to give it up",
    "lineup.v1.tool.invoke": "asked for it again",
    "sdk.tools.cancel": "tried to give it up",
    "sdk.tools.complete": "tried to finish it",
    "sdk.tools.fail": "tried to report that it failed",
    "sdk.tools.reportProgress": "tried to report progress",
}


def tell_call(archive: Archive, call: tables.ToolCall) -> Story:
    """All about a call, with the questions that were asked for it and what its Agent was told."""
    story = Story(f"Tool call {quote(call.call_id)} in conversation {quote(call.conversation_id)}")
    story.about = _about(archive, call)
    story.events = [*_events(archive, call), *_acks(archive, call)]
    for asked in _questions(archive, call):
        story.events += question.events_of_question(archive, asked)
    story.now = state_of_call(archive, call)
    return story


def _about(archive: Archive, call: tables.ToolCall) -> list[str]:
    agent = archive.agent(call.conversation_id)
    kind = kind_of(call.tool_id)
    if call.status == "rejected":
        return [f"{agent} asked for the Tool {quote(call.tool_id)}; it was refused and reached nobody"]
    lines = [f"{agent} asked for the Tool {call.tool_id}, with {show_json(call.input)}"]
    if kind is not None:
        lines.append("this Tool is the Runtime's own: it puts a question to the user; no MiniApp has a part in it")
        if call.app_session_id is not None:
            lines.append(f"it is about the app session {call.app_session_id}")
    else:
        lines.append(f"{app(call.app_scope)} is to do it (its instance {call.instance_id})")
    return lines


# -- what happened


def _events(archive: Archive, call: tables.ToolCall) -> list[Event]:
    found = []
    reports = _reports(archive, call)
    for entry in archive.about(call.call_id, call.conversation_id):
        if "seq" in entry.detail:
            report = reports.get(entry.detail["seq"], "its words are no longer kept")
            text = f"{app(call.app_scope)} reported progress: {report}"
            found.append(entry.event(text, "progress"))
        elif (told := _tell(archive, call, entry)) is not None:
            found.append(entry.event(told))
    return found


def _tell(archive: Archive, call: tables.ToolCall, entry: Entry) -> str | None:
    detail, who = entry.detail, actor(entry.row, archive.agent(call.conversation_id))
    if entry.refused:
        return _tell_refusal(call, entry, who)
    if "tool_id" in detail:
        return _tell_acceptance(archive, call, who)
    if "control_id" in detail:
        became = RECEIPTS.get(detail["outcome"], detail["outcome"])
        return f"{who} was answered (request {quote(detail['control_id'])}): {became}"
    if entry.status == "running":
        return _tell_handing(call, detail.get("hand_over", 1))
    if entry.status == "waiting_for_app":
        why = _TAKEN_BACK.get(entry.row.action, f"of {entry.row.action}")
        return (
            f"it went back to waiting, since {why}: whether it was done is not known, so it will be handed over again"
        )
    return _tell_ending(call, entry, who)


def _tell_acceptance(archive: Archive, call: tables.ToolCall, who: str) -> str | None:
    if call.instance_id is None:
        return None  # the question itself is told of
    name, did = app(call.app_scope), ["accepted it"]
    for entry in archive.about(call.instance_id, call.conversation_id):
        if entry.detail.get("call_id") == call.call_id:
            did.append(f"started {name} for it" if "app_version" in entry.detail else f"brought {name} to the front")
    return f"{who} asked for {call.tool_id}; the Runtime {', '.join(did)} and passed the call on to it"


def _tell_refusal(call: tables.ToolCall, entry: Entry, who: str) -> str:
    if call.status == "rejected" and entry.row.code == call.error_code:
        return f"{who} asked for {quote(call.tool_id)}. The Runtime refused: {refused(entry.row.code, entry.detail)}"
    tried = _TRIED.get(entry.row.action) or deed(entry.row.action)
    return f"{who} {tried}. The Runtime refused: {refused(entry.row.code, entry.detail)}"


def _tell_handing(call: tables.ToolCall, count: int) -> str:
    if count == 1:
        return f"it was handed to {app(call.app_scope)}, which has been working on it since"
    return f"it was handed to {app(call.app_scope)} again (time {count}), marked as one that it may have seen before"


def _tell_ending(call: tables.ToolCall, entry: Entry, who: str) -> str | None:
    if entry.status == "submitted":
        return _tell_outcome(call, entry.row, who)
    if entry.row.action == "transport.ack":
        return f"the Agent's side confirmed that it has the outcome: {entry.status}, for good"
    if entry.detail.get("event") == "crash":
        return f"it failed: {because('app_crashed')}"
    if entry.status in ("cancelled", "expired") and kind_of(call.tool_id) is not None:
        return f"the call ended with its question: {entry.status}"
    if entry.status in ("cancelled", "expired"):
        closed = entry.detail.get("reason") == "app_closed"
        reason = f"{who} closed {app(call.app_scope)}" if closed else because(entry.detail.get("reason"))
        said = f"; in words: {quote(call.message)}" if call.message else ""
        return f"it {'was cancelled' if entry.status == 'cancelled' else 'expired'}: {reason}{said}"
    return None


def _tell_outcome(call: tables.ToolCall, row: Any, who: str) -> str:
    if row.actor != "miniapp":
        shown = " was shown" if kind_of(call.tool_id) == "notice" else "'s answer came in"
        return f"the question{shown}, which decides the call: {show_json(call.result)}"
    if call.outcome == "completed":
        return f"{who} finished it, with {show_json(call.result)}"
    if call.outcome == "failed":
        error = json.loads(call.error or "{}")
        return f"{who} reported that it failed: {quote(error.get('message', ''))} [{call.error_code}]"
    return f"{who} gave it up{f': {quote(call.message)}' if call.message else ''}"


def _questions(archive: Archive, call: tables.ToolCall) -> list[tables.Interaction]:
    ids = {"conversation_id": call.conversation_id}
    return [
        *archive.rows(tables.Interaction, call_id=call.call_id, **ids),
        *archive.rows(tables.Interaction, parent_call_id=call.call_id, **ids),
    ]


def _acks(archive: Archive, call: tables.ToolCall) -> list[Event]:
    """When the Agent's side confirmed an ending that was final without that."""
    found = []
    for said, text in (("tool.rejected", "knows of the refusal"), ("tool.result", "has the outcome")):
        row = archive.told(call.conversation_id, f"{said} {call.call_id}")
        if row is not None and row.acked_at not in (None, call.updated_at):
            found.append(Event(row.acked_at or 0, f"the Agent's side confirmed that it {text}"))
    return found


def _reports(archive: Archive, call: tables.ToolCall) -> dict[int, str]:
    """What was reported, by number, as long as the outbox keeps it; the newer replaces what was not sent yet."""
    if not call.progress_seq:
        return {}
    ids = {"conversation_id": call.conversation_id, "call_id": call.call_id}
    rows = archive.rows(tables.OutboxRow, type="lineup.v1.tool.progress", **ids)
    payloads = [json.loads(row.payload) for row in rows]
    return {payload["seq"]: _progress(payload["progress"]) for payload in payloads}


def _progress(progress: dict[str, Any]) -> str:
    parts = [f"{progress['percent']:g} %"] if "percent" in progress else []
    parts += [quote(progress[name]) for name in ("state", "message") if name in progress]
    return ", ".join(parts) or "nothing in particular"


# -- where it stands


def state_of_call(archive: Archive, call: tables.ToolCall) -> list[str]:
    """Where a call stands, and what it waits for."""
    if call.status not in CALL_OPEN:
        return _state_of_decided(archive, call)
    asked = _open_questions(archive, call)
    if kind_of(call.tool_id) is not None:
        return ["it waits for the user", *(line for one in asked for line in question.state_of_question(archive, one))]
    lines = [_waits_for(call)]
    if archive.is_off(call.app_scope or ""):
        lines.append(f"{app(call.app_scope)} is switched off: nothing reaches it until the user switches it on")
    return [*lines, *_clock(call, asked)]


def _state_of_decided(archive: Archive, call: tables.ToolCall) -> list[str]:
    said = "tool.rejected" if call.status == "rejected" else "tool.result"
    row = archive.told(call.conversation_id, f"{said} {call.call_id}")
    waiting = "its Agent's side has yet to confirm that it knows; until then it is told again with every session"
    if call.status == "submitted":
        return [f"its outcome is fixed ({call.outcome}) and is never changed; {waiting}"]
    lines = [f"it is {call.status}. It has ended; nothing more can happen to it"]
    return [*lines, waiting] if row is not None and row.acked_at is None else lines


def _waits_for(call: tables.ToolCall) -> str:
    if call.status == "running":
        return f"it is running: {app(call.app_scope)} has it and must finish it, or report that it failed"
    return f"it waits until {app(call.app_scope)} runs and takes it"


def _clock(call: tables.ToolCall, asked: list[tables.Interaction]) -> list[str]:
    last = f"it expires at {when(call.created_at + limits.MAX_CALL_LIFETIME_MS)} at the latest, a day after it was made"
    if call.paused_at is not None:
        names = " and ".join(quote(json.loads(one.request)["title"]) for one in asked)
        return [f"its clock has stood still since {when(call.paused_at)}, while the user is asked {names}", last]
    return [f"it expires at {when(call.deadline_at)} if it is not finished by then"] if call.deadline_at else [last]


def _open_questions(archive: Archive, call: tables.ToolCall) -> list[tables.Interaction]:
    return [one for one in _questions(archive, call) if one.status in ("pending", "presented")]
