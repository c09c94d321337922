"""The Inboxes of the instances."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from sidecar.store.compiled import inbox as sql
from sidecar.store.transaction import Transaction

if TYPE_CHECKING:
    from sidecar.store.tables import InboxMessage


def get(tx: Transaction, message_id: str) -> InboxMessage | None:
    """The message, acknowledged or not."""
    return cast("InboxMessage | None", tx.one(sql.GET, id=message_id))


def pending(tx: Transaction, instance_id: str, *, after: int, limit: int) -> list[InboxMessage]:
    """Un-acknowledged messages after a sequence number, oldest first."""
    return tx.all(sql.LIST, instance_id=instance_id, after=after, limit=limit)


def count_of(tx: Transaction, instance_id: str) -> int:
    """How many messages an instance has not acknowledged."""
    return int(tx.value(sql.COUNT_OF, instance_id=instance_id))


def waiting(tx: Transaction, instance_id: str) -> tuple[int, int]:
    """How many messages an instance has not acknowledged, and the bytes of their payloads."""
    count, size = tx.values(sql.WAITING, instance_id=instance_id)
    return int(count), int(size)


def count_events_of(tx: Transaction, instance_id: str) -> int:
    """How many of them are surface events."""
    return int(tx.value(sql.COUNT_EVENTS, instance_id=instance_id))


def count(tx: Transaction) -> int:
    """How many messages wait anywhere."""
    return int(tx.value(sql.COUNT))


def add(tx: Transaction, **columns: Any) -> None:
    """Store a message."""
    tx.write(sql.ADD, acked_at=None, **columns)


def acknowledge(tx: Transaction, message_id: str, now: int) -> bool:
    """Take a message over for good; False where it was acknowledged before."""
    return tx.write(sql.ACK, id=message_id, acked_at=now) == 1
