"""The story of a capability request: something that only the Host can do (RULES 8)."""

from __future__ import annotations

import json
from dataclasses import replace

from sidecar.commands.stories import question
from sidecar.commands.stories.archive import Archive, Entry
from sidecar.commands.stories.story import Event, Story
from sidecar.commands.stories.text import quote, show_json, show_value, when
from sidecar.commands.stories.words import actor, app, because, deed, refused
from sidecar.store import tables


def tell_request(archive: Archive, row: tables.CapabilityRequest) -> Story:
    """All about a request: who wanted what, who decided, and what came of it."""
    story = Story(f"Capability request {quote(row.request_id)} in conversation {quote(row.conversation_id)}")
    story.about = [
        f"{app(row.app_scope)} (its instance {row.instance_id}) wants {quote(row.capability)}",
        "this is something that only the Host can do for it",
        f"why, in its words: {quote(row.reason)}",
        f"what exactly: {show_json(row.arguments)}",
    ]
    asked = None
    if row.interaction_id is not None:
        asked = archive.row(tables.Interaction, interaction_id=row.interaction_id)
    story.events = [*events_of_request(archive, row), *_outcome(archive, row)]
    if asked is not None:
        story.events += question.events_of_question(archive, asked)
    story.now = _state(row, asked)
    return story


def events_of_request(archive: Archive, row: tables.CapabilityRequest) -> list[Event]:
    """What the audit tells of a request."""
    found = []
    for entry in archive.about(row.request_id, row.conversation_id):
        event = entry.event(_tell(archive, row, entry))
        if "interaction_id" in entry.detail:  # the user's question was noted just before the request that it is about
            event = replace(event, seq=entry.row.seq - 1)
        found.append(event)
    return found


def _tell(archive: Archive, row: tables.CapabilityRequest, entry: Entry) -> str:
    detail, wish = entry.detail, quote(row.capability)
    if entry.refused:
        who = actor(entry.row, archive.agent(row.conversation_id))
        return f"{who} {deed(entry.row.action)}. The Runtime refused: {refused(entry.row.code, detail)}"
    if entry.status is None:
        asked = "interaction_id" in detail
        way = "the policy leaves it to the user, who is asked" if asked else "the policy allows it: the Host was asked"
        return f"{app(row.app_scope)} asked for {wish}; its manifest names it, and {way}"
    if entry.status == "requested":
        return f"the Host was asked for {wish}"
    if entry.status == "granted":
        return f"the Host granted {wish}"
    return f"it ended {entry.status}: {because(detail.get('reason'))}"


def _outcome(archive: Archive, row: tables.CapabilityRequest) -> list[Event]:
    """What the MiniApp was told, while that is kept."""
    for message in archive.rows(tables.InboxMessage, instance_id=row.instance_id, type="capability.resolved"):
        said = json.loads(message.payload)
        if said["request_id"] == row.request_id:
            given = f", with {show_value(said['result'])}" if said["result"] is not None else ""
            words = f"; the Host's words: {quote(said['message'])}" if said["message"] else ""
            text = f"{app(row.app_scope)} was told in its Inbox that it is {said['outcome']}{given}{words}"
            return [Event(message.created_at, text)]
    return []


def _state(row: tables.CapabilityRequest, asked: tables.Interaction | None) -> list[str]:
    if row.status == "asking":
        return ["it waits for the user", *(question.state_of_open(asked) if asked is not None else [])]
    if row.status == "requested" and row.due_at is not None:
        return [f"it waits for the Host, and fails at {when(row.due_at)} if the Host has not answered by then"]
    return [f"it is {row.status}; nothing more can happen to it"]
