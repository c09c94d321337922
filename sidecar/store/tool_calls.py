"""Tool calls (RULES 2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from sidecar.domain import transitions
from sidecar.store.compiled import tool_calls as sql
from sidecar.store.transaction import Machine, Transaction

if TYPE_CHECKING:
    from sidecar.store.tables import ToolCall

TOOL_CALL = Machine("toolcall", transitions.TOOL_CALL, ("conversation_id", "call_id"))


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
    return cast("ToolCall | None", tx.one(sql.GET, conversation_id=conversation_id, call_id=call_id))


def add(tx: Transaction, **columns: Any) -> ToolCall:
    """Write a new call."""
    row = {**_EMPTY, **columns}
    tx.write(sql.ADD, **row)
    return cast("ToolCall", sql.GET.row_of(row))


def handed(call: ToolCall) -> ToolCall:
    """The call as it is once its MiniApp was handed it."""
    row: Any = call
    return cast("ToolCall", row._replace(status="running", handed=call.handed + 1))


def open_of(tx: Transaction, instance_id: str) -> list[ToolCall]:
    """The open calls of an instance, oldest first."""
    return tx.all(sql.OPEN_OF_INSTANCE, instance_id=instance_id)


def open_in(tx: Transaction, conversation_id: str) -> list[ToolCall]:
    """The open calls of a conversation, oldest first."""
    return tx.all(sql.OPEN_OF_CONVERSATION, conversation_id=conversation_id)


def count_of(tx: Transaction, instance_id: str) -> int:
    """How many calls an instance has open."""
    return int(tx.value(sql.COUNT_OF_INSTANCE, instance_id=instance_id))


def input_of(tx: Transaction, instance_id: str) -> int:
    """The bytes of the inputs of an instance's open calls."""
    return int(tx.value(sql.INPUT_OF_INSTANCE, instance_id=instance_id))


def count(tx: Transaction) -> int:
    """How many calls are open."""
    return int(tx.value(sql.COUNT))


def has_work(tx: Transaction, instance_id: str) -> bool:
    """Whether the instance holds a call that is not final (``submitted`` is not)."""
    return tx.value(sql.UNFINISHED, instance_id=instance_id) is not None


def at_work(tx: Transaction) -> list[str]:
    """The instances that were handed some call and have not ended it."""
    return [row.instance_id for row in tx.all(sql.AT_WORK)]


def due(tx: Transaction, now: int) -> list[ToolCall]:
    """The open calls that are overdue, longest first."""
    return tx.all(sql.DUE, now=now)


def next_due(tx: Transaction) -> int | None:
    """When the next open call is due."""
    return cast("int | None", tx.value(sql.NEXT_DUE))


def set_progress(tx: Transaction, call: ToolCall, progress_seq: int, now: int) -> None:
    """Count a progress report."""
    tx.write(
        sql.PROGRESS,
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
        sql.CLOCK,
        conversation_id=call.conversation_id,
        call_id=call.call_id,
        deadline_at=deadline_at,
        paused_at=paused_at,
        due_at=due_at,
    )
