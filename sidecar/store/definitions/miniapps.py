"""What the user has switched off."""

from __future__ import annotations

from sqlalchemy import bindparam

from sidecar.store.core import delete_where, insert_into, rows_where, table_of
from sidecar.store.tables import MiniApp

_C = table_of(MiniApp).c
DISABLED = rows_where(MiniApp, _C.enabled == 0)
FORGET = delete_where(MiniApp, _C.app_scope == bindparam("id"))
ADD = insert_into(MiniApp)
