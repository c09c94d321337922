"""The stories of what travels: an Agent's messages and controls, a MiniApp's Inbox, the outbox (PROTOCOL 7)."""

from __future__ import annotations

import json
from typing import Any

from sidecar.commands.stories.archive import Archive
from sidecar.commands.stories.story import Event, Story
from sidecar.commands.stories.text import quote, show_value
from sidecar.commands.stories.words import RECEIPTS, app, refused
from sidecar.store import tables

_OUTGOING = {
    "lineup.v1.app.session.closed": "that an app session was closed",
    "lineup.v1.app.session.opened": "that an app session was opened",
    "lineup.v1.client.inventory": "which Tools there are",
    "lineup.v1.message": "what the user wrote",
    "lineup.v1.tool.progress": "how far a Tool call is",
    "lineup.v1.tool.rejected": "that a Tool call was refused",
    "lineup.v1.tool.result": "how a Tool call ended",
}

_INCOMING = {
    "agent.message": "a message from the Agent",
    "capability.resolved": "the outcome of its request for a capability",
    "outbox.delivered": "word that the Agent's side has the user's text",
    "surface.event": "word of something that happened in its surface",
    "surface.failed": "word that the Host could not show its surface",
}


def tell_delivery(archive: Archive, row: tables.Delivery) -> Story:
    """All about an envelope from an Agent."""
    agent = archive.agent(row.conversation_id)
    story = Story(f"Message {quote(row.message_id)} in conversation {quote(row.conversation_id)}")
    story.about = [f"{agent} sent it"]
    answered = "accepted" if row.code is None else f"refused: {refused(row.code, {'message': row.message})}"
    story.events = [Event(row.created_at, f"it came in and was {answered}", 0)]
    for entry in archive.about(row.message_id, row.conversation_id):
        if not entry.refused and entry.row.instance_id is not None:
            text = f"it was put into the Inbox of {app(entry.row.app_scope)} (its instance {entry.row.instance_id})"
            story.events.append(entry.event(text))
    if row.receipt is not None:
        receipt = json.loads(row.receipt)
        became = RECEIPTS.get(receipt["outcome"], receipt["outcome"])
        text = f"it was about the call {quote(receipt['call_id'])} (request {quote(receipt['control_id'])}): {became}"
        story.events.append(Event(row.created_at, text))
    story.now = ["it is done; the same message id again is answered with the same, and nothing is done twice"]
    return story


def tell_receipt(archive: Archive, row: tables.Receipt) -> Story:
    """All about an Agent's cancel or dismiss."""
    story = Story(f"Request {quote(row.control_id)} in conversation {quote(row.conversation_id)}")
    story.about = [f"{archive.agent(row.conversation_id)} asked to end the call {quote(row.call_id)}"]
    story.events = [Event(row.created_at, f"it was answered: {RECEIPTS.get(row.outcome, row.outcome)}")]
    story.now = ["it is done; every repetition is answered with the same"]
    return story


def tell_inbox(archive: Archive, row: tables.InboxMessage) -> Story:
    """All about a message to a MiniApp."""
    story = Story(f"Inbox message {quote(row.message_id)} in conversation {quote(row.conversation_id)}")
    story.about = [
        f"it brings {app(row.app_scope)} (its instance {row.instance_id}) {_INCOMING.get(row.type, row.type)}",
        f"it says {_said(row.payload)}",
    ]
    story.events = [Event(row.created_at, "it was put into the Inbox")]
    if row.acked_at is not None:
        story.events.append(Event(row.acked_at, f"{app(row.app_scope)} acknowledged it"))
    story.now = [_state_of_inbox(archive, row)]
    return story


def _state_of_inbox(archive: Archive, row: tables.InboxMessage) -> str:
    if row.acked_at is not None:
        return "it is acknowledged and is not delivered again"
    if archive.row(tables.Instance, instance_id=row.instance_id, status="live") is None:
        return "its instance was closed before it acknowledged it: it is kept as a record and never delivered again"
    return f"it waits until {app(row.app_scope)} acknowledges it; until then it may be delivered again"


def tell_outbox(archive: Archive, row: tables.OutboxRow) -> Story:
    """All about an envelope to an Agent."""
    agent = archive.agent(row.conversation_id)
    story = Story(f"Outbox row {quote(row.outbox_id)} in conversation {quote(row.conversation_id)}")
    story.about = [f"it tells {agent} {_OUTGOING.get(row.type, row.type)}", f"it says {_said(row.payload)}"]
    if row.call_id is not None:
        story.about.append(f"the call is {quote(row.call_id)}: ask for that id to read its story")
    story.events = [Event(row.created_at, "it was written, together with what it tells of")]
    if row.acked_at is not None:
        story.events.append(Event(row.acked_at, "the Agent's side confirmed that it has it"))
        story.now = ["it is done, and is not sent again"]
    else:
        story.now = ["the Agent's side has yet to confirm that it has it; until then it is sent again in every session"]
    return story


def _said(payload: str) -> str:
    value: dict[str, Any] = json.loads(payload)
    return quote(value["text"], 300) if isinstance(value.get("text"), str) else show_value(value)
