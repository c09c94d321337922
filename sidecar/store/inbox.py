"""The Inboxes of the instances."""

from __future__ import annotations

from typing import Any, cast

from sqlalchemy import bindparam, select

from sidecar.store.statement import Statement, condition, count_where, insert_into, rows_where, set_where, table_of
from sidecar.store.tables import IS_PENDING, InboxMessage
from sidecar.store.transaction import Transaction

_TABLE = table_of(InboxMessage)
_C = _TABLE.c
_PENDING = condition(IS_PENDING)
_OF_INSTANCE = _C.instance_id == bindparam("instance_id")
_GET = rows_where(InboxMessage, _C.message_id == bindparam("id"))
_LIST = Statement(
    select(_TABLE).where(_OF_INSTANCE, _PENDING, _C.seq > bindparam("after")).order_by(_C.seq).limit(bindparam("limit"))
)
_COUNT_OF = count_where(InboxMessage, _OF_INSTANCE, _PENDING)
_COUNT_EVENTS = count_where(InboxMessage, _OF_INSTANCE, _PENDING, _C.type == "surface.event")
_COUNT = count_where(InboxMessage, _PENDING)
_ADD = insert_into(InboxMessage)
_ACK = set_where(InboxMessage, ["acked_at"], _C.message_id == bindparam("id"), _PENDING)


def get(tx: Transaction, message_id: str) -> InboxMessage | None:
    """The message, acknowledged or not."""
    return cast("InboxMessage | None", tx.one(_GET, id=message_id))


def pending(tx: Transaction, instance_id: str, *, after: int, limit: int) -> list[InboxMessage]:
    """Un-acknowledged messages after a sequence number, oldest first."""
    return tx.all(_LIST, instance_id=instance_id, after=after, limit=limit)


def count_of(tx: Transaction, instance_id: str) -> int:
    """How many messages an instance has not acknowledged."""
    return int(tx.value(_COUNT_OF, instance_id=instance_id))


def count_events_of(tx: Transaction, instance_id: str) -> int:
    """How many of them are surface events."""
    return int(tx.value(_COUNT_EVENTS, instance_id=instance_id))


def count(tx: Transaction) -> int:
    """How many messages wait anywhere."""
    return int(tx.value(_COUNT))


def add(tx: Transaction, **columns: Any) -> None:
    """Store a message."""
    tx.write(_ADD, acked_at=None, **columns)


def acknowledge(tx: Transaction, message_id: str, now: int) -> bool:
    """Take a message over for good; False where it was acknowledged before."""
    return tx.write(_ACK, id=message_id, acked_at=now) == 1
