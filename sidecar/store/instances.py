"""Instances of MiniApps and their app sessions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from sidecar.domain import transitions
from sidecar.store.compiled import instances as sql
from sidecar.store.transaction import Machine, Transaction

if TYPE_CHECKING:
    from sidecar.store.tables import AppSession, Instance

INSTANCE = Machine("instance", transitions.INSTANCE, ("instance_id",))
APP_SESSION = Machine("appsession", transitions.APP_SESSION, ("app_session_id",))


def get(tx: Transaction, instance_id: str) -> Instance | None:
    """The instance, live or closed."""
    return cast("Instance | None", tx.one(sql.GET, id=instance_id))


def live(tx: Transaction, instance_id: str) -> Instance | None:
    """The instance, if it is live."""
    row = get(tx, instance_id)
    return row if row is not None and row.status == "live" else None


def live_of(tx: Transaction, conversation_id: str, app_scope: str) -> Instance | None:
    """The one live instance of an app in a conversation."""
    return cast("Instance | None", tx.one(sql.LIVE_OF_APP, conversation_id=conversation_id, app_scope=app_scope))


def live_in(tx: Transaction, conversation_id: str) -> list[Instance]:
    """The live instances of a conversation, oldest first."""
    return tx.all(sql.LIVE_OF_CONVERSATION, conversation_id=conversation_id)


def live_everywhere(tx: Transaction) -> list[Instance]:
    """All live instances, oldest first."""
    return tx.all(sql.LIVE_EVERYWHERE)


def count_in(tx: Transaction, conversation_id: str) -> int:
    """How many live instances a conversation has."""
    return int(tx.value(sql.COUNT_IN_CONVERSATION, conversation_id=conversation_id))


def count(tx: Transaction) -> int:
    """How many live instances there are."""
    return int(tx.value(sql.COUNT))


def add(tx: Transaction, **columns: Any) -> None:
    """Write a new instance."""
    tx.write(sql.ADD, status="live", connected=0, **columns)


def set_connected(tx: Transaction, instance_id: str) -> None:
    """Its logic has connected for the first time."""
    tx.write(sql.CONNECTED, id=instance_id, connected=1)


def set_restore_focus(tx: Transaction, instance_id: str, restore: bool) -> None:
    """Whether closing it brings the one below to the front, else Interact."""
    tx.write(sql.RESTORE, id=instance_id, restore_focus=int(restore))


def add_session(tx: Transaction, **columns: Any) -> None:
    """Write a new app session."""
    tx.write(sql.ADD_SESSION, status="open", **columns)


def session(tx: Transaction, app_session_id: str) -> AppSession | None:
    """The app session, open or closed."""
    return cast("AppSession | None", tx.one(sql.GET_SESSION, id=app_session_id))
