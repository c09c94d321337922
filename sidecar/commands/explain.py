"""``lineup-sidecar explain ID``: the causal chain of whatever has that id, in plain words (PROTOCOL 9)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

from sqlmodel import SQLModel

from sidecar.commands.stories.archive import Archive
from sidecar.commands.stories.call import tell_call
from sidecar.commands.stories.capability import tell_request
from sidecar.commands.stories.conversation import tell_conversation
from sidecar.commands.stories.instance import tell_instance, tell_session
from sidecar.commands.stories.message import tell_delivery, tell_inbox, tell_outbox, tell_receipt
from sidecar.commands.stories.question import tell_question
from sidecar.commands.stories.story import Story
from sidecar.commands.stories.surface import tell_artifact, tell_surface
from sidecar.commands.stories.text import plain, quote
from sidecar.commands.stories.trace import tell_trace
from sidecar.store import tables
from sidecar.store.database import StoreError
from sidecar.store.engine import open_to_read
from sidecar.store.inspection import View

_TELLERS: list[tuple[type[SQLModel], str, Callable[[Archive, Any], Story]]] = [
    (tables.ToolCall, "call_id", tell_call),
    (tables.Interaction, "interaction_id", tell_question),
    (tables.Instance, "instance_id", tell_instance),
    (tables.AppSession, "app_session_id", tell_session),
    (tables.Surface, "surface_id", tell_surface),
    (tables.Artifact, "artifact_id", tell_artifact),
    (tables.CapabilityRequest, "request_id", tell_request),
    (tables.Conversation, "conversation_id", tell_conversation),
    (tables.OutboxRow, "outbox_id", tell_outbox),
    (tables.InboxMessage, "message_id", tell_inbox),
    (tables.Delivery, "message_id", tell_delivery),
    (tables.Receipt, "control_id", tell_receipt),
]
"""Whose ids are known, and who tells of them; an id that an Agent chose may be several things at once."""


def explain(subject: str, address: str) -> int:
    """Tell everything that has that id, also while the store's owner runs; 1 where nothing has."""
    try:
        database = open_to_read(address)
    except StoreError as error:
        return _fail(str(error))
    try:
        stories = list(_stories(Archive(View(database)), subject))
    except StoreError as error:
        return _fail(str(error))
    except (LookupError, TypeError, ValueError):  # a row that the Runtime did not write
        return _fail(f"what the store says of {quote(subject)} does not hold: see lineup-sidecar verify")
    finally:
        database.close()
    if not stories:
        return _fail(f"nothing in this store has the id {quote(subject)}: name a call, question, surface or instance")
    sys.stdout.write("All times are UTC.\n")
    for story in stories:
        sys.stdout.write("\n" + "\n".join(story.lines()) + "\n")
    return 0


def _stories(archive: Archive, subject: str) -> Iterator[Story]:
    found = [(tell, row) for model, name, tell in _TELLERS for row in archive.rows(model, **{name: subject})]
    for tell, row in found:
        yield tell(archive, row)
    entries = archive.about(subject)
    if not found and entries:
        yield tell_trace(archive, subject, entries)


def _fail(message: str) -> int:
    sys.stderr.write(f"lineup-sidecar: {plain(message)}\n")
    return 1
