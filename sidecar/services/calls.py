"""The life of a Tool call after it was accepted: handed over, taken back, ended (RULES 2)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Literal, cast

from rpc_schema import limits
from rpc_schema.envelopes import ToolResultPayload
from rpc_schema.json_text import write_json
from rpc_schema.notifications import SdkToolsCall, SdkToolsClosed
from rpc_schema.tools import MiniAppToolCall, ToolCallOutcome, ToolCallStatus, ToolError, ToolFailure
from sidecar.clock import timestamp
from sidecar.domain.transitions import CALL_OPEN
from sidecar.services import outbox
from sidecar.services.unit import Unit
from sidecar.store import tool_calls
from sidecar.store.tool_calls import TOOL_CALL

if TYPE_CHECKING:
    from sidecar.store import tables

EndEvent = Literal["cancel", "expire", "crash"]


def is_open(call: tables.ToolCall) -> bool:
    """Whether the call can still be decided; ``submitted`` cannot."""
    return call.status in CALL_OPEN


def hand_over(unit: Unit, instance: tables.Instance) -> bool:
    """Hand every waiting call to the instance's live subscription; whether any call is open.

    Nothing is delivered to an app that is switched off.
    """
    waiting = tool_calls.open_of(unit.tx, instance.instance_id)
    if unit.apps.enabled(instance.app_scope) and unit.live.hears(instance.instance_id, "tools"):
        for call in waiting:
            if call.status == "waiting_for_app":
                tell_handed(unit, instance.instance_id, _start(unit, call), json.loads(call.input))
    return bool(waiting)


def tell_handed(unit: Unit, instance_id: str, call: tables.ToolCall, given: dict[str, Any]) -> None:
    """Tell the live subscription of an instance of a call that it was handed, with the input that was given."""
    unit.tell(instance_id, "sdk.tools.call", SdkToolsCall(instance_id=instance_id, call=_view(call, given)))


def take_all(unit: Unit, instance_id: str) -> list[MiniAppToolCall]:
    """Every open call of an instance, running from now on, as the answer to its subscription."""
    taken = []
    for call in tool_calls.open_of(unit.tx, instance_id):
        if call.status == "waiting_for_app":
            taken.append(view(_start(unit, call)))
        elif call.status == "running":
            taken.append(view(call))
    return taken


def take_back(unit: Unit, instance_id: str) -> None:
    """The logic of an instance is gone: what it was handed waits for its next life (RULES 2)."""
    for call in tool_calls.open_of(unit.tx, instance_id):
        if call.status == "running":
            unit.tx.move(TOOL_CALL, call, "take_back", unit.act(call.call_id, of=call), now=unit.now)
            unit.touch(call.conversation_id)


def submit(
    unit: Unit,
    call: tables.ToolCall,
    outcome: ToolCallOutcome,
    *,
    result: dict[str, Any] | None = None,
    failure: ToolFailure | None = None,
    reason: str | None = None,
    message: str | None = None,
) -> None:
    """Fix the outcome of a call and tell the Agent; it is final once the Agent's side has it."""
    error = None if failure is None else ToolError(**failure.model_dump())
    act = unit.act(call.call_id, of=call, outcome=outcome, reason=reason)
    unit.tx.move(
        TOOL_CALL,
        call,
        "submit",
        act,
        now=unit.now,
        outcome=outcome,
        due_at=None,
        **_ending(result, error, reason, message),
    )
    _say(unit, call, outcome, result, error, reason, message)


def end(
    unit: Unit,
    call: tables.ToolCall,
    event: EndEvent,
    *,
    reason: str | None = None,
    error: ToolError | None = None,
    message: str | None = None,
    tell_app: bool = True,
) -> None:
    """End an open call from outside its MiniApp: cancelled, expired or crashed. The MiniApp hears of it."""
    act = unit.act(call.call_id, of=call, event=event, reason=reason)
    outcome = cast("ToolCallOutcome", TOOL_CALL.table.after(call.status, event))
    unit.tx.move(
        TOOL_CALL,
        call,
        event,
        act,
        now=unit.now,
        outcome=outcome,
        due_at=None,
        **_ending(None, error, reason, message),
    )
    _say(unit, call, outcome, None, error, reason, message)
    if tell_app and call.instance_id is not None:
        closed = SdkToolsClosed(
            instance_id=call.instance_id,
            call_id=call.call_id,
            status=outcome,
            reason=reason or (error.code if error else ""),
        )
        unit.tell(call.instance_id, "sdk.tools.closed", closed)


def pause(unit: Unit, call: tables.ToolCall) -> None:
    """Stop the clock of a call: a person is being asked for it (RULES 2)."""
    if call.deadline_at is not None and call.paused_at is None:
        due_at = call.created_at + limits.MAX_CALL_LIFETIME_MS
        tool_calls.set_clock(unit.tx, call, deadline_at=call.deadline_at, paused_at=unit.now, due_at=due_at)


def resume(unit: Unit, call: tables.ToolCall) -> None:
    """Start the clock of a call again; its deadline has moved by the time that it stood still."""
    if call.deadline_at is not None and call.paused_at is not None:
        deadline_at = call.deadline_at + unit.now - call.paused_at
        due_at = due(call.created_at, deadline_at)
        tool_calls.set_clock(unit.tx, call, deadline_at=deadline_at, paused_at=None, due_at=due_at)
        unit.due(due_at)


def due(created_at: int, deadline_at: int | None) -> int:
    """When a call expires: at its deadline, and a day after its creation whatever happens."""
    last = created_at + limits.MAX_CALL_LIFETIME_MS
    return last if deadline_at is None else min(deadline_at, last)


def view(call: tables.ToolCall) -> MiniAppToolCall:
    """A call as the MiniApp sees it."""
    return _view(call, json.loads(call.input))


def _view(call: tables.ToolCall, given: dict[str, Any]) -> MiniAppToolCall:
    return MiniAppToolCall(
        call_id=call.call_id,
        tool_id=call.tool_id,
        input=given,
        status=cast("ToolCallStatus", call.status),
        created_at=timestamp(call.created_at),
        deadline_at=None if call.deadline_at is None else timestamp(call.deadline_at),
        redelivered=call.handed > 1,
    )


def _start(unit: Unit, call: tables.ToolCall) -> tables.ToolCall:
    act = unit.act(call.call_id, of=call, hand_over=call.handed + 1)
    unit.tx.move(TOOL_CALL, call, "hand_over", act, now=unit.now, handed=call.handed + 1)
    unit.touch(call.conversation_id)
    return tool_calls.handed(call)


def _ending(
    result: dict[str, Any] | None, error: ToolError | None, reason: str | None, message: str | None
) -> dict[str, str | None]:
    return {
        "result": None if result is None else write_json(result).decode(),
        "error": None if error is None else error.model_dump_json(),
        "error_code": None if error is None else error.code,
        "reason": reason,
        "message": message,
    }


def _say(
    unit: Unit,
    call: tables.ToolCall,
    outcome: ToolCallOutcome,
    result: dict[str, Any] | None,
    error: ToolError | None,
    reason: str | None,
    message: str | None,
) -> None:
    payload = ToolResultPayload.having(
        call_id=call.call_id, status=outcome, result=result, error=error, reason=reason, message=message or None
    )
    outbox.say_result(unit, call, payload)
    unit.touch(call.conversation_id)
