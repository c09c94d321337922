"""Which MiniApps the user has switched off."""

from __future__ import annotations

from sidecar.store.compiled import miniapps as sql
from sidecar.store.transaction import Transaction


def disabled(tx: Transaction) -> set[str]:
    """The scopes that are switched off."""
    return {row.app_scope for row in tx.all(sql.DISABLED)}


def set_enabled(tx: Transaction, app_scope: str, enabled: bool) -> None:
    """Switch a MiniApp on or off."""
    tx.write(sql.FORGET, id=app_scope)
    tx.write(sql.ADD, app_scope=app_scope, enabled=int(enabled))
