"""Tool calls."""

from __future__ import annotations

from sqlalchemy import and_, bindparam, func, select

from sidecar.store.core import condition, count_where, insert_into, rows_where, set_where, statement, table_of
from sidecar.store.definitions.instances import HOME
from sidecar.store.tables import CALL_IS_OPEN, CALL_IS_UNFINISHED, ToolCall

_C = table_of(ToolCall).c
_OPEN = condition(CALL_IS_OPEN)
_IN_CONVERSATION = _C.conversation_id == bindparam("conversation_id")
_OF_INSTANCE = and_(
    _C.conversation_id == HOME, _C.instance_id == bindparam("instance_id"), condition(CALL_IS_UNFINISHED)
)
"""The unfinished calls of an instance, as the index has them: all that is asked of them is asked of few."""
_IS = [_IN_CONVERSATION, _C.call_id == bindparam("call_id")]
GET = rows_where(ToolCall, *_IS)
ADD = insert_into(ToolCall)
OPEN_OF_INSTANCE = rows_where(ToolCall, _OF_INSTANCE, _OPEN, order=[_C.seq])
OPEN_OF_CONVERSATION = rows_where(ToolCall, _IN_CONVERSATION, condition(CALL_IS_UNFINISHED), _OPEN, order=[_C.seq])
COUNT_OF_INSTANCE = count_where(ToolCall, _OF_INSTANCE, _OPEN)
INPUT_OF_INSTANCE = statement(select(func.coalesce(func.sum(func.length(_C.input)), 0)).where(_OF_INSTANCE, _OPEN))
COUNT = count_where(ToolCall, _OPEN)
AT_WORK = statement(
    select(_C.instance_id)
    .distinct()
    .where(condition(CALL_IS_UNFINISHED), _C.status == "running", _C.instance_id.is_not(None))
    .order_by(_C.instance_id)
)
DUE = rows_where(ToolCall, _OPEN, _C.due_at <= bindparam("now"), order=[_C.due_at, _C.seq])
NEXT_DUE = statement(select(func.min(_C.due_at)).where(_OPEN))
PROGRESS = set_where(ToolCall, ["progress_seq", "updated_at"], *_IS)
CLOCK = set_where(ToolCall, ["deadline_at", "paused_at", "due_at"], *_IS)
UNFINISHED = statement(select(_C.call_id).where(_OF_INSTANCE).limit(1))
