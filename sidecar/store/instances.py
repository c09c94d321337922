"""Instances of MiniApps and their app sessions."""

from __future__ import annotations

from typing import Any, cast

from sqlalchemy import bindparam

from sidecar.domain import transitions
from sidecar.store.statement import condition, count_where, insert_into, rows_where, set_where, table_of
from sidecar.store.tables import IS_LIVE, AppSession, Instance
from sidecar.store.transaction import Machine, Transaction

INSTANCE = Machine(Instance, transitions.INSTANCE, ("instance_id",))
APP_SESSION = Machine(AppSession, transitions.APP_SESSION, ("app_session_id",))

_C = table_of(Instance).c
_S = table_of(AppSession).c
_LIVE = condition(IS_LIVE)
_IN_CONVERSATION = _C.conversation_id == bindparam("conversation_id")
_IS = _C.instance_id == bindparam("id")
_GET = rows_where(Instance, _IS)
_LIVE_OF_APP = rows_where(Instance, _IN_CONVERSATION, _C.app_scope == bindparam("app_scope"), _LIVE)
_LIVE_OF_CONVERSATION = rows_where(Instance, _IN_CONVERSATION, _LIVE, order=[_C.instance_id])
_LIVE_EVERYWHERE = rows_where(Instance, _LIVE, order=[_C.instance_id])
_COUNT_IN_CONVERSATION = count_where(Instance, _IN_CONVERSATION, _LIVE)
_COUNT = count_where(Instance, _LIVE)
_ADD = insert_into(Instance)
_CONNECTED = set_where(Instance, ["connected"], _IS)
_RESTORE = set_where(Instance, ["restore_focus"], _IS)
_ADD_SESSION = insert_into(AppSession)
_GET_SESSION = rows_where(AppSession, _S.app_session_id == bindparam("id"))


def get(tx: Transaction, instance_id: str) -> Instance | None:
    """The instance, live or closed."""
    return cast("Instance | None", tx.one(_GET, id=instance_id))


def live(tx: Transaction, instance_id: str) -> Instance | None:
    """The instance, if it is live."""
    row = get(tx, instance_id)
    return row if row is not None and row.status == "live" else None


def live_of(tx: Transaction, conversation_id: str, app_scope: str) -> Instance | None:
    """The one live instance of an app in a conversation."""
    return cast("Instance | None", tx.one(_LIVE_OF_APP, conversation_id=conversation_id, app_scope=app_scope))


def live_in(tx: Transaction, conversation_id: str) -> list[Instance]:
    """The live instances of a conversation, oldest first."""
    return tx.all(_LIVE_OF_CONVERSATION, conversation_id=conversation_id)


def live_everywhere(tx: Transaction) -> list[Instance]:
    """All live instances, oldest first."""
    return tx.all(_LIVE_EVERYWHERE)


def count_in(tx: Transaction, conversation_id: str) -> int:
    """How many live instances a conversation has."""
    return int(tx.value(_COUNT_IN_CONVERSATION, conversation_id=conversation_id))


def count(tx: Transaction) -> int:
    """How many live instances there are."""
    return int(tx.value(_COUNT))


def add(tx: Transaction, **columns: Any) -> None:
    """Write a new instance."""
    tx.write(_ADD, status="live", connected=0, **columns)


def set_connected(tx: Transaction, instance_id: str) -> None:
    """Its logic has connected for the first time."""
    tx.write(_CONNECTED, id=instance_id, connected=1)


def set_restore_focus(tx: Transaction, instance_id: str, restore: bool) -> None:
    """Whether closing it brings the one below to the front, else Interact."""
    tx.write(_RESTORE, id=instance_id, restore_focus=int(restore))


def add_session(tx: Transaction, **columns: Any) -> None:
    """Write a new app session."""
    tx.write(_ADD_SESSION, status="open", **columns)


def session(tx: Transaction, app_session_id: str) -> AppSession | None:
    """The app session, open or closed."""
    return cast("AppSession | None", tx.one(_GET_SESSION, id=app_session_id))
