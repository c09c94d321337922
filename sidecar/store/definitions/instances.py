"""Instances and app sessions."""

from __future__ import annotations

from sqlalchemy import bindparam, select

from sidecar.store.core import condition, count_where, insert_into, rows_where, set_where, table_of
from sidecar.store.tables import IS_LIVE, AppSession, Instance

_C = table_of(Instance).c
_S = table_of(AppSession).c
_LIVE = condition(IS_LIVE)
_IN_CONVERSATION = _C.conversation_id == bindparam("conversation_id")
_IS = _C.instance_id == bindparam("id")
HOME = select(_C.conversation_id).where(_C.instance_id == bindparam("instance_id")).scalar_subquery()
"""The conversation of an instance: what is open is indexed by it, and history is not read for what is open."""
GET = rows_where(Instance, _IS)
LIVE_OF_APP = rows_where(Instance, _IN_CONVERSATION, _C.app_scope == bindparam("app_scope"), _LIVE)
LIVE_OF_CONVERSATION = rows_where(Instance, _IN_CONVERSATION, _LIVE, order=[_C.instance_id])
LIVE_EVERYWHERE = rows_where(Instance, _LIVE, order=[_C.conversation_id, _C.app_scope])
COUNT_IN_CONVERSATION = count_where(Instance, _IN_CONVERSATION, _LIVE)
COUNT = count_where(Instance, _LIVE)
ADD = insert_into(Instance)
CONNECTED = set_where(Instance, ["connected"], _IS)
RESTORE = set_where(Instance, ["restore_focus"], _IS)
ADD_SESSION = insert_into(AppSession)
GET_SESSION = rows_where(AppSession, _S.app_session_id == bindparam("id"))
