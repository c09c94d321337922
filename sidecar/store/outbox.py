"""The outbox: what Agents must still be told, and the ids that they may not use twice."""

from __future__ import annotations

from typing import Any, cast

from sqlalchemy import bindparam, select

from sidecar.store.statement import (
    Statement,
    condition,
    count_where,
    delete_where,
    insert_into,
    rows_where,
    set_where,
    table_of,
)
from sidecar.store.tables import IS_PENDING, Delivery, OutboxRow, Receipt
from sidecar.store.transaction import Transaction

_TABLE = table_of(OutboxRow)
_C = _TABLE.c
_D = table_of(Delivery).c
_R = table_of(Receipt).c
_PENDING = condition(IS_PENDING)
_IN_CONVERSATION = _C.conversation_id == bindparam("conversation_id")
_ADD = insert_into(OutboxRow)
_GET = rows_where(OutboxRow, _C.outbox_id == bindparam("id"))
_NEXT = Statement(
    select(_TABLE)
    .where(_IN_CONVERSATION, _PENDING, _C.seq > bindparam("after"))
    .order_by(_C.seq)
    .limit(bindparam("limit"))
)
_COUNT_IN = count_where(OutboxRow, _IN_CONVERSATION, _PENDING)
_COUNT = count_where(OutboxRow, _PENDING)
_WAITING = Statement(select(_C.conversation_id).where(_PENDING).distinct())
_ACK = set_where(OutboxRow, ["acked_at"], _C.outbox_id == bindparam("id"), _PENDING)
_OF_KEY = rows_where(OutboxRow, _IN_CONVERSATION, _C.unique_key == bindparam("key"))
_DROP_PROGRESS = delete_where(
    OutboxRow,
    _IN_CONVERSATION,
    _PENDING,
    _C.seq > bindparam("after"),
    _C.type == "lineup.v1.tool.progress",
    _C.call_id == bindparam("call_id"),
)
_GET_DELIVERY = rows_where(
    Delivery, _D.conversation_id == bindparam("conversation_id"), _D.message_id == bindparam("id")
)
_ADD_DELIVERY = insert_into(Delivery)
_GET_RECEIPT = rows_where(Receipt, _R.conversation_id == bindparam("conversation_id"), _R.control_id == bindparam("id"))
_ADD_RECEIPT = insert_into(Receipt)


def add(tx: Transaction, **columns: Any) -> None:
    """Write an envelope that must be told; a conversation's second under a ``unique_key`` fails in the database."""
    tx.write(_ADD, acked_at=None, **columns)


def get(tx: Transaction, outbox_id: str) -> OutboxRow | None:
    """The row, acked or not."""
    return cast("OutboxRow | None", tx.one(_GET, id=outbox_id))


def of_key(tx: Transaction, conversation_id: str, unique_key: str) -> OutboxRow | None:
    """The row of a conversation under a unique key."""
    return cast("OutboxRow | None", tx.one(_OF_KEY, conversation_id=conversation_id, key=unique_key))


def next_after(tx: Transaction, conversation_id: str, after: int, limit: int) -> list[OutboxRow]:
    """Un-acked rows of a conversation after a sequence number, in order."""
    return tx.all(_NEXT, conversation_id=conversation_id, after=after, limit=limit)


def acknowledge(tx: Transaction, outbox_id: str, now: int) -> bool:
    """The Agent's side has it; False where that was known."""
    return tx.write(_ACK, id=outbox_id, acked_at=now) == 1


def count_in(tx: Transaction, conversation_id: str) -> int:
    """How many rows of a conversation are un-acked."""
    return int(tx.value(_COUNT_IN, conversation_id=conversation_id))


def count(tx: Transaction) -> int:
    """How many rows are un-acked."""
    return int(tx.value(_COUNT))


def waiting(tx: Transaction) -> list[str]:
    """The conversations that have un-acked rows."""
    return [row.conversation_id for row in tx.all(_WAITING)]


def drop_unsent_progress(tx: Transaction, conversation_id: str, call_id: str, *, after: int) -> None:
    """Take out a call's progress that was not sent yet: a newer one or the result replaces it (RULES 2)."""
    tx.write(_DROP_PROGRESS, conversation_id=conversation_id, call_id=call_id, after=after)


def delivery(tx: Transaction, conversation_id: str, message_id: str) -> Delivery | None:
    """What was answered to that message id, if it was seen."""
    return cast("Delivery | None", tx.one(_GET_DELIVERY, conversation_id=conversation_id, id=message_id))


def add_delivery(tx: Transaction, **columns: Any) -> None:
    """Remember what was answered to a message id."""
    tx.write(_ADD_DELIVERY, **columns)


def receipt(tx: Transaction, conversation_id: str, control_id: str) -> Receipt | None:
    """What became of that control request, if it was seen."""
    return cast("Receipt | None", tx.one(_GET_RECEIPT, conversation_id=conversation_id, id=control_id))


def add_receipt(tx: Transaction, **columns: Any) -> None:
    """Remember what became of a control request."""
    tx.write(_ADD_RECEIPT, **columns)
