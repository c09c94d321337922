"""What is dropped after its time (RULES 6), and the greatest id that was ever given."""

from __future__ import annotations

from sqlalchemy import BindParameter, bindparam, func, select

from sidecar.clock import timestamp
from sidecar.store.statement import Statement, delete_where, table_of
from sidecar.store.tables import (
    AppSession,
    Artifact,
    Audit,
    CapabilityRequest,
    Delivery,
    InboxMessage,
    Instance,
    Interaction,
    OutboxRow,
    Receipt,
    Surface,
)
from sidecar.store.transaction import Transaction

_BEFORE: BindParameter[int] = bindparam("before")
_DROPS = [
    delete_where(InboxMessage, table_of(InboxMessage).c.acked_at < _BEFORE),
    delete_where(OutboxRow, table_of(OutboxRow).c.acked_at < _BEFORE),
    delete_where(Delivery, table_of(Delivery).c.created_at < _BEFORE),
    delete_where(Receipt, table_of(Receipt).c.created_at < _BEFORE),
]
_DROP_AUDIT = delete_where(Audit, table_of(Audit).c.at < bindparam("before"))
_GREATEST = [
    Statement(select(func.max(column)))
    for column in (
        table_of(Instance).c.instance_id,
        table_of(AppSession).c.app_session_id,
        table_of(Interaction).c.interaction_id,
        table_of(Surface).c.surface_id,
        table_of(Artifact).c.artifact_id,
        table_of(InboxMessage).c.message_id,
        table_of(OutboxRow).c.outbox_id,
        table_of(CapabilityRequest).c.request_id,
    )
]


def drop_older_than(tx: Transaction, before: int) -> int:
    """Drop acked rows, dedupe rows and audit rows from before that time; how many."""
    dropped = sum(tx.write(statement, before=before) for statement in _DROPS)
    return dropped + tx.write(_DROP_AUDIT, before=timestamp(before))


def greatest_id(tx: Transaction) -> str:
    """The greatest id that the Runtime has made, or the empty string."""
    return max((tx.value(statement) or "" for statement in _GREATEST), default="")
