"""Reading the audit."""

from __future__ import annotations

from sqlalchemy import bindparam, select

from sidecar.store.core import statement, table_of
from sidecar.store.tables import Audit

_TABLE = table_of(Audit)
_C = _TABLE.c
_AFTER = _C.seq > bindparam("after")
LIST = statement(select(_TABLE).where(_AFTER).order_by(_C.seq).limit(bindparam("limit")))
LIST_OF = statement(
    select(_TABLE)
    .where(_C.conversation_id == bindparam("conversation_id"), _AFTER)
    .order_by(_C.seq)
    .limit(bindparam("limit"))
)
