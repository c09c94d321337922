"""Reading the audit; it is written by :class:`~sidecar.store.transaction.Transaction` alone."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from rpc_schema import limits
from rpc_schema.audit import AuditEntry
from sidecar.store.compiled import audit as sql
from sidecar.store.transaction import Transaction

if TYPE_CHECKING:
    from sidecar.store.tables import Audit


def entries(tx: Transaction, *, after: int, limit: int, conversation_id: str | None) -> list[AuditEntry]:
    """Entries after a sequence number, oldest first: fewer than there are where they are large."""
    page: dict[str, Any] = {"after": after, "limit": limit}
    if conversation_id is None:
        rows, _ = tx.some(sql.LIST, _size, limits.MAX_PAGE_BYTES, least=1, **page)
    else:
        rows, _ = tx.some(sql.LIST_OF, _size, limits.MAX_PAGE_BYTES, least=1, conversation_id=conversation_id, **page)
    return [entry_of(row) for row in rows]


def entry_of(row: Audit) -> AuditEntry:
    """A row as the wire says it."""
    fields = {name: getattr(row, name) for name in AuditEntry.model_fields}
    return AuditEntry.model_validate({**fields, "detail": None if row.detail is None else json.loads(row.detail)})


def _size(row: Audit) -> int:
    return len(row.detail or "") + len(row.subject or "") + len(row.conversation_id or "")
