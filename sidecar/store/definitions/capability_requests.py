"""Capability requests."""

from __future__ import annotations

from sqlalchemy import and_, bindparam, func, select

from sidecar.store.core import condition, count_where, insert_into, rows_where, statement, table_of
from sidecar.store.definitions.instances import HOME
from sidecar.store.tables import CAPABILITY_IS_OPEN, CapabilityRequest

_C = table_of(CapabilityRequest).c
_OPEN = condition(CAPABILITY_IS_OPEN)
_OF_INSTANCE = and_(_C.conversation_id == HOME, _C.instance_id == bindparam("instance_id"))
GET = rows_where(CapabilityRequest, _C.request_id == bindparam("id"))
OF_INTERACTION = rows_where(CapabilityRequest, _C.interaction_id == bindparam("id"))
OPEN_OF = rows_where(CapabilityRequest, _OF_INSTANCE, _OPEN, order=[_C.request_id])
REQUESTED_IN = rows_where(
    CapabilityRequest,
    _C.conversation_id == bindparam("conversation_id"),
    _OPEN,
    _C.status == "requested",
    order=[_C.request_id],
)
COUNT_OF = count_where(CapabilityRequest, _OF_INSTANCE, _OPEN)
ADD = insert_into(CapabilityRequest)
DUE = rows_where(CapabilityRequest, _OPEN, _C.due_at <= bindparam("now"), order=[_C.due_at, _C.request_id])
NEXT_DUE = statement(select(func.min(_C.due_at)).where(_OPEN))
