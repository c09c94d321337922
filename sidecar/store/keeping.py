"""What is dropped after its time (RULES 6), and the greatest id that was ever given."""

from __future__ import annotations

from sqlalchemy import bindparam, func, select
from sqlmodel import SQLModel

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

_SWEEP = 1_000
"""Rows of one table that one sweep drops: a transaction of it stays short."""


def _drop(model: type[SQLModel], time: str) -> Statement:
    table = table_of(model)
    old = table.c[time] < bindparam("before")
    oldest = select(table.c.seq).where(old).order_by(table.c[time]).limit(_SWEEP)
    return delete_where(model, table.c.seq.in_(oldest.scalar_subquery()))


def _drop_audit() -> Statement:
    """The chain is cut at its oldest end alone, which needs no index by time."""
    table = table_of(Audit)
    oldest = select(table.c.seq).order_by(table.c.seq).limit(_SWEEP)
    return delete_where(Audit, table.c.seq.in_(oldest.scalar_subquery()), table.c.at < bindparam("before"))


_DROPS = [
    _drop(InboxMessage, "acked_at"),
    _drop(OutboxRow, "acked_at"),
    _drop(Delivery, "created_at"),
    _drop(Receipt, "created_at"),
]
_DROP_AUDIT = _drop_audit()
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
    """Drop acked rows, dedupe rows and audit rows from before that time, a bounded number at once; how many."""
    dropped = sum(tx.write(statement, before=before) for statement in _DROPS)
    return dropped + tx.write(_DROP_AUDIT, before=timestamp(before))


def greatest_id(tx: Transaction) -> str:
    """The greatest id that the Runtime has made, or the empty string."""
    return max((tx.value(statement) or "" for statement in _GREATEST), default="")
