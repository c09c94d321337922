"""Which MiniApps the user has switched off."""

from __future__ import annotations

from sqlalchemy import bindparam

from sidecar.store.statement import delete_where, insert_into, rows_where, table_of
from sidecar.store.tables import MiniApp
from sidecar.store.transaction import Transaction

_C = table_of(MiniApp).c
_DISABLED = rows_where(MiniApp, _C.enabled == 0)
_FORGET = delete_where(MiniApp, _C.app_scope == bindparam("id"))
_ADD = insert_into(MiniApp)


def disabled(tx: Transaction) -> set[str]:
    """The scopes that are switched off."""
    return {row.app_scope for row in tx.all(_DISABLED)}


def set_enabled(tx: Transaction, app_scope: str, enabled: bool) -> None:
    """Switch a MiniApp on or off."""
    tx.write(_FORGET, id=app_scope)
    tx.write(_ADD, app_scope=app_scope, enabled=int(enabled))
