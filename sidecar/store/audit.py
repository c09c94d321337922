"""Reading the audit; it is written by :class:`~sidecar.store.transaction.Transaction` alone."""

from __future__ import annotations

import json

from sqlalchemy import bindparam, select

from rpc_schema.audit import AuditEntry
from sidecar.store.statement import Statement, table_of
from sidecar.store.tables import Audit
from sidecar.store.transaction import Transaction

_TABLE = table_of(Audit)
_C = _TABLE.c
_AFTER = _C.seq > bindparam("after")
_LIST = Statement(select(_TABLE).where(_AFTER).order_by(_C.seq).limit(bindparam("limit")))
_LIST_OF = Statement(
    select(_TABLE)
    .where(_C.conversation_id == bindparam("conversation_id"), _AFTER)
    .order_by(_C.seq)
    .limit(bindparam("limit"))
)


def entries(tx: Transaction, *, after: int, limit: int, conversation_id: str | None) -> list[AuditEntry]:
    """Entries after a sequence number, oldest first."""
    if conversation_id is None:
        rows = tx.all(_LIST, after=after, limit=limit)
    else:
        rows = tx.all(_LIST_OF, after=after, limit=limit, conversation_id=conversation_id)
    return [entry_of(row) for row in rows]


def entry_of(row: Audit) -> AuditEntry:
    """A row as the wire says it."""
    fields = {name: getattr(row, name) for name in AuditEntry.model_fields}
    return AuditEntry.model_validate({**fields, "detail": None if row.detail is None else json.loads(row.detail)})
