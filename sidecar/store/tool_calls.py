"""Tool calls (RULES 2)."""

from __future__ import annotations

from typing import Any, cast

from sqlalchemy import and_, bindparam, func, select

from sidecar.domain import transitions
from sidecar.store.statement import Statement, condition, count_where, insert_into, rows_where, set_where, table_of
from sidecar.store.tables import CALL_IS_OPEN, CALL_IS_UNFINISHED, Instance, ToolCall
from sidecar.store.transaction import Machine, Transaction

TOOL_CALL = Machine(ToolCall, transitions.TOOL_CALL, ("conversation_id", "call_id"))

_C = table_of(ToolCall).c
_OPEN = condition(CALL_IS_OPEN)
_IN_CONVERSATION = _C.conversation_id == bindparam("conversation_id")
_I = table_of(Instance).c
_HOME = select(_I.conversation_id).where(_I.instance_id == bindparam("instance_id")).scalar_subquery()
_OF_INSTANCE = and_(
    _C.conversation_id == _HOME, _C.instance_id == bindparam("instance_id"), condition(CALL_IS_UNFINISHED)
)
"""The unfinished calls of an instance, as the index has them: all that is asked of them is asked of few."""
_IS = [_IN_CONVERSATION, _C.call_id == bindparam("call_id")]
_GET = rows_where(ToolCall, *_IS)
_ADD = insert_into(ToolCall)
_OPEN_OF_INSTANCE = rows_where(ToolCall, _OF_INSTANCE, _OPEN, order=[_C.seq])
_OPEN_OF_CONVERSATION = rows_where(ToolCall, _IN_CONVERSATION, condition(CALL_IS_UNFINISHED), _OPEN, order=[_C.seq])
_COUNT_OF_INSTANCE = count_where(ToolCall, _OF_INSTANCE, _OPEN)
_COUNT = count_where(ToolCall, _OPEN)
_RUNNING = rows_where(ToolCall, _OPEN, _C.status == "running", _C.instance_id.is_not(None), order=[_C.seq])
_DUE = rows_where(ToolCall, _OPEN, _C.due_at <= bindparam("now"), order=[_C.due_at, _C.seq])
_NEXT_DUE = Statement(select(func.min(_C.due_at)).where(_OPEN))
_PROGRESS = set_where(ToolCall, ["progress_seq", "updated_at"], *_IS)
_CLOCK = set_where(ToolCall, ["deadline_at", "paused_at", "due_at"], *_IS)
_UNFINISHED = Statement(select(_C.call_id).where(_OF_INSTANCE).limit(1))

_EMPTY: dict[str, Any] = {
    "app_scope": None,
    "instance_id": None,
    "app_session_id": None,
    "outcome": None,
    "result": None,
    "error": None,
    "error_code": None,
    "reason": None,
    "message": None,
    "progress_seq": 0,
    "handed": 0,
    "deadline_at": None,
    "paused_at": None,
    "due_at": None,
}


def get(tx: Transaction, conversation_id: str, call_id: str) -> ToolCall | None:
    """The call, in whatever status."""
    return cast("ToolCall | None", tx.one(_GET, conversation_id=conversation_id, call_id=call_id))


def add(tx: Transaction, **columns: Any) -> ToolCall:
    """Write a new call."""
    row = {**_EMPTY, **columns}
    tx.write(_ADD, **row)
    return cast("ToolCall", _GET.row_of(row))


def handed(call: ToolCall) -> ToolCall:
    """The call as it is once its MiniApp was handed it."""
    row: Any = call
    return cast("ToolCall", row._replace(status="running", handed=call.handed + 1))


def open_of(tx: Transaction, instance_id: str) -> list[ToolCall]:
    """The open calls of an instance, oldest first."""
    return tx.all(_OPEN_OF_INSTANCE, instance_id=instance_id)


def open_in(tx: Transaction, conversation_id: str) -> list[ToolCall]:
    """The open calls of a conversation, oldest first."""
    return tx.all(_OPEN_OF_CONVERSATION, conversation_id=conversation_id)


def count_of(tx: Transaction, instance_id: str) -> int:
    """How many calls an instance has open."""
    return int(tx.value(_COUNT_OF_INSTANCE, instance_id=instance_id))


def count(tx: Transaction) -> int:
    """How many calls are open."""
    return int(tx.value(_COUNT))


def has_work(tx: Transaction, instance_id: str) -> bool:
    """Whether the instance holds a call that is not final (``submitted`` is not)."""
    return tx.value(_UNFINISHED, instance_id=instance_id) is not None


def running(tx: Transaction) -> list[ToolCall]:
    """The calls that some MiniApp was handed and has not ended."""
    return tx.all(_RUNNING)


def due(tx: Transaction, now: int) -> list[ToolCall]:
    """The open calls that are overdue, longest first."""
    return tx.all(_DUE, now=now)


def next_due(tx: Transaction) -> int | None:
    """When the next open call is due."""
    return cast("int | None", tx.value(_NEXT_DUE))


def set_progress(tx: Transaction, call: ToolCall, progress_seq: int, now: int) -> None:
    """Count a progress report."""
    tx.write(
        _PROGRESS,
        conversation_id=call.conversation_id,
        call_id=call.call_id,
        progress_seq=progress_seq,
        updated_at=now,
    )


def set_clock(
    tx: Transaction, call: ToolCall, *, deadline_at: int | None, paused_at: int | None, due_at: int | None
) -> None:
    """Stop or start the call's clock."""
    tx.write(
        _CLOCK,
        conversation_id=call.conversation_id,
        call_id=call.call_id,
        deadline_at=deadline_at,
        paused_at=paused_at,
        due_at=due_at,
    )
