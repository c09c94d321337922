"""The story of a conversation: who is in it, what is open in it."""

from __future__ import annotations

import json

from sidecar.commands.stories import question
from sidecar.commands.stories.archive import Archive
from sidecar.commands.stories.story import Event, Story
from sidecar.commands.stories.text import quote
from sidecar.commands.stories.words import app, standing
from sidecar.domain.transitions import CALL_OPEN, CAPABILITY_OPEN, INTERACTION_OPEN
from sidecar.store import tables


def tell_conversation(archive: Archive, row: tables.Conversation) -> Story:
    """A conversation's MiniApps and calls as they came, and what is open in it now."""
    ids = {"conversation_id": row.conversation_id}
    story = Story(f"Conversation {quote(row.conversation_id)}")
    story.about = [f"it is between the user and {archive.agent(row.conversation_id)}"]
    story.events = [Event(row.created_at, "it was opened")]
    for instance in archive.rows(tables.Instance, **ids):
        name = f"{app(instance.app_scope)} ({instance.instance_id})"
        story.events.append(Event(instance.created_at, f"{name} came into it"))
        if instance.status == "closed":
            story.events.append(Event(instance.updated_at, f"{name} was closed"))
    open_calls = []
    for call in archive.each(tables.ToolCall, **ids):
        if call.status in CALL_OPEN:
            open_calls.append(f"the call {quote(call.call_id)} is {standing(call)}")
        text = f"the Agent asked for {quote(call.tool_id)} (call {quote(call.call_id)}); it is {standing(call)}"
        story.events.append(Event(call.created_at, text))
    story.now = _state(archive, row, open_calls)
    return story


def _state(archive: Archive, row: tables.Conversation, open_calls: list[str]) -> list[str]:
    ids = {"conversation_id": row.conversation_id}
    live = {one.instance_id: one for one in archive.rows(tables.Instance, status="live", **ids)}
    stack = [app(live[one].app_scope) for one in json.loads(row.focus_stack) if one in live]
    beneath = f"; beneath it: {', '.join(stack[-2::-1])}" if stack[1:] else ""
    lines = [f"in front is {stack[-1]}{beneath}"] if stack else []
    lines += open_calls
    asked = [one for one in archive.each(tables.Interaction, **ids) if one.status in INTERACTION_OPEN]
    lines += [f"{question.name_of(one)} is open ({one.interaction_id})" for one in asked]
    wishes = [one for one in archive.each(tables.CapabilityRequest, **ids) if one.status in CAPABILITY_OPEN]
    lines += [f"the request for {quote(one.capability)} is open ({one.request_id})" for one in wishes]
    unsaid = sum(1 for _ in archive.each(tables.OutboxRow, acked_at=None, **ids))
    told = "the Agent's side has everything that it was to be told"
    return [*lines, f"{unsaid} things are yet to be confirmed by the Agent's side" if unsaid else told]
