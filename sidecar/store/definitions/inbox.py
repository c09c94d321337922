"""The inbox."""

from __future__ import annotations

from sqlalchemy import bindparam, func, select

from sidecar.store.core import condition, count_where, insert_into, rows_where, set_where, statement, table_of
from sidecar.store.tables import IS_PENDING, InboxMessage

_TABLE = table_of(InboxMessage)
_C = _TABLE.c
_PENDING = condition(IS_PENDING)
_OF_INSTANCE = _C.instance_id == bindparam("instance_id")
GET = rows_where(InboxMessage, _C.message_id == bindparam("id"))
LIST = statement(
    select(_TABLE).where(_OF_INSTANCE, _PENDING, _C.seq > bindparam("after")).order_by(_C.seq).limit(bindparam("limit"))
)
COUNT_OF = count_where(InboxMessage, _OF_INSTANCE, _PENDING)
WAITING = statement(
    select(func.count(), func.coalesce(func.sum(func.length(_C.payload)), 0)).where(_OF_INSTANCE, _PENDING)
)
COUNT_EVENTS = count_where(InboxMessage, _OF_INSTANCE, _PENDING, _C.type == "surface.event")
COUNT = count_where(InboxMessage, _PENDING)
ADD = insert_into(InboxMessage)
ACK = set_where(InboxMessage, ["acked_at"], _C.message_id == bindparam("id"), _PENDING)
