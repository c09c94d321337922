"""The outbox: what Agents must still be told, and the ids that they may not use twice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from rpc_schema import limits
from sidecar.store.compiled import outbox as sql
from sidecar.store.transaction import Transaction

if TYPE_CHECKING:
    from sidecar.store.tables import Delivery, OutboxRow, Receipt


def add(tx: Transaction, **columns: Any) -> None:
    """Write an envelope that must be told; a conversation's second under a ``unique_key`` fails in the database."""
    tx.write(sql.ADD, acked_at=None, **columns)


def get(tx: Transaction, outbox_id: str) -> OutboxRow | None:
    """The row, acked or not."""
    return cast("OutboxRow | None", tx.one(sql.GET, id=outbox_id))


def of_key(tx: Transaction, conversation_id: str, unique_key: str) -> OutboxRow | None:
    """The row of a conversation under a unique key."""
    return cast("OutboxRow | None", tx.one(sql.OF_KEY, conversation_id=conversation_id, key=unique_key))


def next_after(tx: Transaction, conversation_id: str, after: int, limit: int) -> tuple[list[OutboxRow], bool]:
    """Un-acked rows of a conversation after a sequence number, in order; whether they are fewer for being large."""
    page = {"conversation_id": conversation_id, "after": after, "limit": limit}
    return tx.some(sql.NEXT, _size, limits.MAX_PAGE_BYTES, least=1, **page)


def acknowledge(tx: Transaction, outbox_id: str, now: int) -> bool:
    """The Agent's side has it; False where that was known."""
    return tx.write(sql.ACK, id=outbox_id, acked_at=now) == 1


def count_in(tx: Transaction, conversation_id: str) -> int:
    """How many rows of a conversation are un-acked."""
    return int(tx.value(sql.COUNT_IN, conversation_id=conversation_id))


def count(tx: Transaction) -> int:
    """How many rows are un-acked."""
    return int(tx.value(sql.COUNT))


def waiting(tx: Transaction) -> list[str]:
    """The conversations that have un-acked rows."""
    return [row.conversation_id for row in tx.all(sql.WAITING)]


def drop_unsent_progress(tx: Transaction, conversation_id: str, call_id: str, *, after: int) -> None:
    """Take out a call's progress that was not sent yet: a newer one or the result replaces it (RULES 2)."""
    tx.write(sql.DROP_PROGRESS, conversation_id=conversation_id, call_id=call_id, after=after)


def delivery(tx: Transaction, conversation_id: str, message_id: str) -> Delivery | None:
    """What was answered to that message id, if it was seen."""
    return cast("Delivery | None", tx.one(sql.GET_DELIVERY, conversation_id=conversation_id, id=message_id))


def add_delivery(tx: Transaction, **columns: Any) -> None:
    """Remember what was answered to a message id."""
    tx.write(sql.ADD_DELIVERY, **columns)


def receipt(tx: Transaction, conversation_id: str, control_id: str) -> Receipt | None:
    """What became of that control request, if it was seen."""
    return cast("Receipt | None", tx.one(sql.GET_RECEIPT, conversation_id=conversation_id, id=control_id))


def add_receipt(tx: Transaction, **columns: Any) -> None:
    """Remember what became of a control request."""
    tx.write(sql.ADD_RECEIPT, **columns)


def _size(row: OutboxRow) -> int:
    return len(row.payload)
