"""The story of a standard interaction: a question to the user (RULES 5)."""

from __future__ import annotations

import json
from typing import Any

from sidecar.commands.stories.archive import Archive, Entry
from sidecar.commands.stories.story import Event, Story
from sidecar.commands.stories.text import quote, show_value, when
from sidecar.commands.stories.words import actor, app, because, deed, refused
from sidecar.domain.transitions import INTERACTION_OPEN
from sidecar.store import tables

_KINDS = {
    "choice": "to choose",
    "confirm": "to agree or not",
    "input": "to fill in a form",
    "notice": "to take notice, which needs no answer",
}


def tell_question(archive: Archive, row: tables.Interaction) -> Story:
    """All about a question: who asked, whether it was shown, how it ended."""
    story = Story(f"Question {quote(row.interaction_id)} in conversation {quote(row.conversation_id)}")
    story.about = _about(archive, row)
    story.events = events_of_question(archive, row)
    story.now = state_of_question(archive, row)
    return story


def name_of(row: tables.Interaction) -> str:
    """The question by its title."""
    return f"the question {quote(json.loads(row.request)['title'])}"


def _about(archive: Archive, row: tables.Interaction) -> list[str]:
    request = json.loads(row.request)
    lines = [
        f"it asks the user {_KINDS[row.kind]}: {quote(request['title'])}",
        f"its text: {quote(request.get('prompt') or request.get('message', ''), 300)}",
        _asker(archive, row),
    ]
    if row.app_session_id is not None and row.source == "agent_tool":
        lines.append(f"it is about the app session {row.app_session_id}")
    if row.parent_call_id is not None:
        lines.append(
            f"it was asked for the Tool call {quote(row.parent_call_id)}, whose clock stands still while it is open"
        )
    return lines


def _asker(archive: Archive, row: tables.Interaction) -> str:
    if row.source == "agent_tool":
        call = quote(row.call_id or "")
        return f"{archive.agent(row.conversation_id)} asked it, by the Tool call {call}, and alone gets the answer"
    if row.source == "miniapp_tool":
        return f"{app(row.app_scope)} asked it (its instance {row.instance_id}) and alone gets the answer"
    request = archive.row(tables.CapabilityRequest, interaction_id=row.interaction_id)
    wanted = "something" if request is None else f"{quote(request.capability)} (request {request.request_id})"
    return f"the Runtime asked it, since {app(row.app_scope)} wants {wanted} and the policy leaves that to the user"


# -- what happened


def events_of_question(archive: Archive, row: tables.Interaction) -> list[Event]:
    """What the audit tells of a question."""
    found = []
    for entry in archive.about(row.interaction_id, row.conversation_id):
        text = _tell(archive, row, entry)
        if text is not None:
            repeat = f"draft {row.interaction_id}" if entry.row.action == "renderer.saveDraft" else ""
            found.append(entry.event(text, repeat))
    return found


def _tell(archive: Archive, row: tables.Interaction, entry: Entry) -> str | None:
    who, name = actor(entry.row, archive.agent(row.conversation_id)), name_of(row)
    if entry.refused:
        return _tell_refusal(entry, who, name)
    if "source" in entry.detail:
        asker = "the Runtime" if row.source == "runtime_policy" else who
        return f"{asker} asked the user {quote(json.loads(row.request)['title'])}"
    if entry.row.action == "renderer.saveDraft":
        return f"the user typed into {name}; what was typed is kept until it ends"
    if entry.status == "presented":
        return f"{name} was shown to the user"
    if entry.status == "submitted":
        return f"the user answered {name}: {answer_of(row)}"
    if entry.status == "completed":
        return _tell_completion(row, entry, name)
    if entry.status is not None:
        ended = {"cancelled": "was taken away", "expired": "expired"}.get(entry.status, "failed")
        said = f"; in words: {quote(entry.detail['message'])}" if "message" in entry.detail else ""
        return f"{name} {ended}: {because(row.reason)}{said}"
    return None


def _tell_refusal(entry: Entry, who: str, name: str) -> str:
    why = refused(entry.row.code, entry.detail)
    tried = {
        "renderer.submit": "tried to answer",
        "renderer.cancel": "tried to dismiss",
        "sdk.ui.cancel": "tried to take back",
    }
    return f"{who} {tried.get(entry.row.action) or f'{deed(entry.row.action)} of'} {name}. The Runtime refused: {why}"


def _tell_completion(row: tables.Interaction, entry: Entry, name: str) -> str | None:
    if row.kind == "notice":
        return None
    if row.source == "runtime_policy":
        return "the Runtime takes the answer into its decision"
    if entry.row.action == "transport.ack":
        return f"the Agent's side confirmed that it has the answer to {name}"
    return f"{app(row.app_scope)} was given the answer to {name}"


def answer_of(row: tables.Interaction) -> str:
    """The user's answer in words."""
    request, result = json.loads(row.request), json.loads(row.result or "{}")
    if row.kind == "notice":
        return "seen"
    if row.kind == "confirm":
        said = request.get("approve_label") if result.get("approved") else request.get("cancel_label")
        return f"{'agreed' if result.get('approved') else 'did not agree'}{f' ({quote(said)})' if said else ''}"
    if row.kind == "choice":
        labels = {action["id"]: action["label"] for action in request["actions"]}
        return ", ".join(quote(labels.get(chosen, chosen)) for chosen in result.get("action_ids", []))
    labels = {field["id"]: field["label"] for field in request["fields"]}
    return ", ".join(f"{quote(labels[name])}: {show_value(value)}" for name, value in _values(result)) or "left empty"


def _values(result: dict[str, Any]) -> list[tuple[str, Any]]:
    return list(result.get("values", {}).items())


# -- where it stands


def state_of_question(archive: Archive, row: tables.Interaction) -> list[str]:
    """Where a question stands, and what it waits for."""
    if row.status in INTERACTION_OPEN:
        return state_of_open(row)
    if row.status == "submitted":
        if row.source == "agent_tool":
            return ["it is answered, and the answer is fixed; the Agent's side has yet to confirm that it has it"]
        off = "; it is switched off" if archive.is_off(row.app_scope) else ""
        return [f"it is answered, and the answer is fixed; it waits until {app(row.app_scope)} takes it{off}"]
    if row.status == "completed":
        return [f"it is answered ({answer_of(row)}), and whoever asked has the answer; nothing more can happen to it"]
    return [f"it is {row.status} without an answer, since {because(row.reason)}; nothing more can happen to it"]


def state_of_open(row: tables.Interaction) -> list[str]:
    """What an open question waits for."""
    if row.kind == "notice" and row.status == "presented":
        return ["it is on the screen until the user takes notice of it; nobody waits for that"]
    shown = (
        "it was shown to the user, who has not answered yet" if row.presented else "it was not shown to the user yet"
    )
    if row.due_at is None:
        return [shown]
    return [shown, f"if that stays so, it expires at {when(row.due_at)}"]
