"""What is dropped after its time, and the greatest ids."""

from __future__ import annotations

from sqlalchemy import bindparam, case, func, select
from sqlmodel import SQLModel

from sidecar.store.core import delete_where, statement, table_of
from sidecar.store.statement import Statement
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
    return statement(select(func.coalesce(young, func.max(oldest.c.seq) + 1, 0)))


def _drop_oldest(model: type[SQLModel]) -> Statement:
    """Drop from the oldest end, which needs no index by time."""
    table = table_of(model)
    oldest = select(table.c.seq, table.c.created_at).order_by(table.c.seq).limit(_SWEEP).subquery()
    old = select(oldest.c.seq).where(oldest.c.created_at < bindparam("before"))
    return delete_where(model, table.c.seq.in_(old.scalar_subquery()))


DROPS = [
    _drop(InboxMessage, "acked_at"),
    _drop(OutboxRow, "acked_at"),
    _drop_oldest(Delivery),
    _drop_oldest(Receipt),
]
AUDIT_FROM = _audit_from()
DROP_AUDIT = delete_where(Audit, table_of(Audit).c.seq < bindparam("seq"))
GREATEST = [
    statement(select(func.max(column)))
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
