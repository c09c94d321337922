"""The audit that every transaction writes."""

from __future__ import annotations

from sqlalchemy import select

from sidecar.store.core import insert_into, statement, table_of
from sidecar.store.tables import Audit

_C = table_of(Audit).c
LAST_ENTRY = statement(select(_C.seq, _C.hash).order_by(_C.seq.desc()).limit(1))
ADD_ENTRY = insert_into(Audit)
