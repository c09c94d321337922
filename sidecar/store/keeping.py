"""What is dropped after its time (RULES 6), and the greatest id that was ever given."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import bindparam, case, func, select
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


def _audit_from() -> Statement:
    """The first of the oldest entries that is kept, or the one after them all.

    The chain is cut at its oldest end alone, which needs no index by time: where the clock stepped back, entries that
    follow a younger one stay.
    """
    table = table_of(Audit)
    oldest = select(table.c.seq, table.c.at).order_by(table.c.seq).limit(_SWEEP).subquery()
    young = func.min(case((oldest.c.at >= bindparam("before"), oldest.c.seq)))
    return Statement(select(func.coalesce(young, func.max(oldest.c.seq) + 1, 0)))


def _drop_oldest(model: type[SQLModel]) -> Statement:
    """Drop from the oldest end, which needs no index by time."""
    table = table_of(model)
    oldest = select(table.c.seq, table.c.created_at).order_by(table.c.seq).limit(_SWEEP).subquery()
    old = select(oldest.c.seq).where(oldest.c.created_at < bindparam("before"))
    return delete_where(model, table.c.seq.in_(old.scalar_subquery()))


_DROPS = [
    _drop(InboxMessage, "acked_at"),
    _drop(OutboxRow, "acked_at"),
    _drop_oldest(Delivery),
    _drop_oldest(Receipt),
]
_AUDIT_FROM = _audit_from()
_DROP_AUDIT = delete_where(Audit, table_of(Audit).c.seq < bindparam("seq"))
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


@dataclass(frozen=True, slots=True)
class Dropped:
    """How many rows were dropped, and the first audit entry that is kept."""

    rows: int
    audit_from: int


def drop_older_than(tx: Transaction, before: int) -> Dropped:
    """Drop acked rows, dedupe rows and audit rows from before that time, a bounded number at once."""
    rows = sum(tx.write(statement, before=before) for statement in _DROPS)
    audit_from = int(tx.value(_AUDIT_FROM, before=timestamp(before)))
    return Dropped(rows + tx.write(_DROP_AUDIT, seq=audit_from), audit_from)


def greatest_id(tx: Transaction) -> str:
    """The greatest id that the Runtime has made, or the empty string."""
    return max((tx.value(statement) or "" for statement in _GREATEST), default="")
