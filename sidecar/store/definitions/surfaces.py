"""Surfaces and artifacts."""

from __future__ import annotations

from sqlalchemy import bindparam, func, select

from sidecar.store.core import condition, count_where, insert_into, rows_where, set_where, statement, table_of
from sidecar.store.tables import IS_LIVE, IS_NOT_CLOSED, Artifact, Instance, Surface

_C = table_of(Surface).c
_A = table_of(Artifact).c
_I = table_of(Instance).c
_NOT_CLOSED = condition(IS_NOT_CLOSED)
_OF_INSTANCE = _C.instance_id == bindparam("instance_id")
_LIVE_THERE = select(_I.instance_id).where(_I.conversation_id == bindparam("conversation_id"), condition(IS_LIVE))
_IS = _C.surface_id == bindparam("id")
GET = rows_where(Surface, _IS)
OF_KEY = rows_where(Surface, _OF_INSTANCE, _C.key == bindparam("key"), _NOT_CLOSED)
OPEN_OF = rows_where(Surface, _OF_INSTANCE, _NOT_CLOSED, order=[_C.surface_id])
OPEN_IN = rows_where(Surface, _C.instance_id.in_(_LIVE_THERE), _NOT_CLOSED, order=[_C.surface_id])
COUNT_OF = count_where(Surface, _OF_INSTANCE, _NOT_CLOSED)
COUNT = count_where(Surface, _NOT_CLOSED)
ADD = insert_into(Surface)
STATE = set_where(Surface, ["state", "revision", "updated_at"], _IS)
GET_ARTIFACT = rows_where(Artifact, _A.artifact_id == bindparam("id"))
ADD_ARTIFACT = insert_into(Artifact)
BYTES = statement(select(func.coalesce(func.sum(_A.byte_size), 0)).where(_A.instance_id == bindparam("instance_id")))
