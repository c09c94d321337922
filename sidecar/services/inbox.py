"""Inboxes: what reaches an instance and stays until it is acknowledged (PROTOCOL 4, RULES 6)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, cast

from rpc_schema import limits
from rpc_schema.base import Empty, Wire
from rpc_schema.inbox import MessageType, MiniAppMessage
from rpc_schema.notifications import SdkInboxMessage
from rpc_schema.sdk import (
    SdkInboxAcknowledgeParams,
    SdkInboxAcknowledgeResult,
    SdkInboxListParams,
    SdkMessagesResult,
    SdkParams,
)
from sidecar.clock import timestamp
from sidecar.domain.refusal import Refusal, over
from sidecar.services import waking
from sidecar.services.unit import Unit
from sidecar.store import inbox, instances

if TYPE_CHECKING:
    from sidecar.store import tables


def put(unit: Unit, instance_id: str, type_: MessageType, payload: Wire) -> None:
    """Store a message for a live instance and tell its subscription; a closed instance gets nothing."""
    instance = instances.live(unit.tx, instance_id)
    if instance is None:
        return
    message_id = unit.new_id()
    inbox.add(
        unit.tx,
        message_id=message_id,
        instance_id=instance_id,
        conversation_id=instance.conversation_id,
        app_scope=instance.app_scope,
        type=type_,
        payload=_written(payload),
        created_at=unit.now,
    )
    if not unit.apps.enabled(instance.app_scope):
        return
    if unit.live.hears(instance_id, "inbox"):
        message = view(cast("tables.InboxMessage", inbox.get(unit.tx, message_id)))
        unit.tell(instance_id, "sdk.inbox.message", SdkInboxMessage(instance_id=instance_id, message=message))
    else:
        waking.wake(unit, instance)


def check_room(unit: Unit, instance_id: str, payload: Wire | None = None) -> None:
    """Whether an Inbox may take another message, or that one.

    Raises:
        Refusal: ``limit_exceeded`` at 1 000 messages that were not acknowledged, or where their payloads grow too
            large to be handed over as one message.
    """
    count, size = inbox.waiting(unit.tx, instance_id)
    if count >= limits.MAX_INBOX_PENDING:
        raise over("inbox_pending", limits.MAX_INBOX_PENDING, count)
    size += 0 if payload is None else len(_written(payload))
    if size > limits.MAX_INBOX_BYTES:
        raise over("inbox_pending_bytes", limits.MAX_INBOX_BYTES, size)


def has_room(unit: Unit, instance_id: str, payload: Wire) -> bool:
    """Whether an Inbox may take that message, for what nobody can be refused."""
    try:
        check_room(unit, instance_id, payload)
    except Refusal:
        return False
    return True


def check_room_for_event(unit: Unit, instance_id: str, payload: Wire) -> None:
    """Whether an Inbox may take that surface event.

    Raises:
        Refusal: ``limit_exceeded`` at 200 events that were not acknowledged, or as of any message.
    """
    waiting = inbox.count_events_of(unit.tx, instance_id)
    if waiting >= limits.MAX_SURFACE_EVENTS_PENDING:
        raise over("surface_events_pending", limits.MAX_SURFACE_EVENTS_PENDING, waiting)
    check_room(unit, instance_id, payload)


def list_messages(unit: Unit, params: SdkInboxListParams) -> SdkMessagesResult:
    """``sdk.inbox.list``: un-acknowledged messages, oldest first; nothing while the app is switched off."""
    after = 0
    if params.after_message_id is not None:
        after = _own(unit, params.after_message_id).seq or 0
    return SdkMessagesResult(messages=_pending(unit, after, params.limit))


def subscribe(unit: Unit, _params: SdkParams) -> SdkMessagesResult:
    """``sdk.inbox.subscribe``: the backlog now, new messages as they come."""
    unit.live.changing().links[unit.caller.instance_id].topics.add("inbox")
    return SdkMessagesResult(messages=_pending(unit, 0, limits.MAX_INBOX_PENDING))


def unsubscribe(unit: Unit, _params: SdkParams) -> Empty:
    """``sdk.inbox.unsubscribe``."""
    unit.live.changing().links[unit.caller.instance_id].topics.discard("inbox")
    return Empty()


def acknowledge(unit: Unit, params: SdkInboxAcknowledgeParams) -> SdkInboxAcknowledgeResult:
    """``sdk.inbox.acknowledge``: the message is the MiniApp's now and is not delivered again."""
    message = _own(unit, params.message_id)
    acknowledged = inbox.acknowledge(unit.tx, params.message_id, unit.now)
    if acknowledged:
        unit.note(params.message_id, of=message, type=message.type)
    return SdkInboxAcknowledgeResult(acknowledged=acknowledged)


def deliver_backlog(unit: Unit, instance: tables.Instance) -> bool:
    """Tell a subscription everything that waits; whether anything does."""
    waiting = inbox.pending(unit.tx, instance.instance_id, after=0, limit=limits.MAX_INBOX_PENDING)
    if unit.live.hears(instance.instance_id, "inbox"):
        for row in waiting:
            message = SdkInboxMessage(instance_id=instance.instance_id, message=view(row))
            unit.tell(instance.instance_id, "sdk.inbox.message", message)
    return bool(waiting)


def view(row: tables.InboxMessage) -> MiniAppMessage:
    """A message as the MiniApp sees it."""
    return MiniAppMessage(
        message_id=row.message_id,
        type=cast("MessageType", row.type),
        app_scope=row.app_scope,
        instance_id=row.instance_id,
        conversation_id=row.conversation_id,
        payload=json.loads(row.payload),
        created_at=timestamp(row.created_at),
    )


def _written(payload: Wire) -> str:
    """A payload as the wire says it, in ASCII: as many characters as bytes."""
    return payload.model_dump_json(ensure_ascii=True)


def _pending(unit: Unit, after: int, limit: int) -> list[MiniAppMessage]:
    if not unit.apps.enabled(unit.caller.app_scope):
        return []
    return [view(row) for row in inbox.pending(unit.tx, unit.caller.instance_id, after=after, limit=limit)]


def _own(unit: Unit, message_id: str) -> tables.InboxMessage:
    message = inbox.get(unit.tx, message_id)
    if message is None or message.instance_id != unit.caller.instance_id:
        raise Refusal("message_not_found")
    return message
