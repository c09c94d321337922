"""Conversations."""

from __future__ import annotations

from sqlalchemy import bindparam

from sidecar.store.core import count_where, insert_into, rows_where, set_where, statement, table_of
from sidecar.store.tables import Conversation

_TABLE = table_of(Conversation)
_C = _TABLE.c
_IS = _C.conversation_id == bindparam("id")
GET = rows_where(Conversation, _IS)
ALL = rows_where(Conversation, order=[_C.created_at, _C.conversation_id])
ADD = insert_into(Conversation)
BUMP = statement(_TABLE.update().where(_IS).values(revision=_C.revision + 1))
FOCUS = set_where(Conversation, ["focus_stack"], _IS)
TOLD = set_where(Conversation, ["inventory_told"], _IS)
COUNT = count_where(Conversation)
