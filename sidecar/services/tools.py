"""Tool calls as their MiniApp works on them: ``sdk.tools.*`` (RULES 2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rpc_schema import limits
from rpc_schema.base import Empty
from rpc_schema.envelopes import ToolProgressPayload
from rpc_schema.json_text import write_json
from rpc_schema.sdk import (
    SdkCallParams,
    SdkParams,
    SdkReasonCallParams,
    SdkToolsCompleteParams,
    SdkToolsFailParams,
    SdkToolsGetResult,
    SdkToolsReportProgressParams,
    SdkToolsSubscribeResult,
)
from rpc_schema.workspace import CommandReceipt
from sidecar.domain.refusal import Refusal
from sidecar.services import calls, outbox
from sidecar.services.faults import check_size
from sidecar.services.unit import Unit
from sidecar.store import tool_calls

if TYPE_CHECKING:
    from sidecar.store import tables


def subscribe(unit: Unit, _params: SdkParams) -> SdkToolsSubscribeResult:
    """``sdk.tools.subscribe``: what waits runs from now on; nothing while the app is switched off."""
    caller = unit.caller
    unit.live.changing().links[caller.instance_id].topics.add("tools")
    taken = calls.take_all(unit, caller.instance_id) if unit.apps.enabled(caller.app_scope) else []
    return SdkToolsSubscribeResult(calls=taken)


def unsubscribe(unit: Unit, _params: SdkParams) -> Empty:
    """``sdk.tools.unsubscribe``: no new calls; those that run stay with the MiniApp."""
    unit.live.changing().links[unit.caller.instance_id].topics.discard("tools")
    return Empty()


def get(unit: Unit, params: SdkCallParams) -> SdkToolsGetResult:
    """``sdk.tools.get``: an own call in whatever status, or null."""
    call = tool_calls.get(unit.tx, unit.caller.conversation_id, params.call_id)
    own = call is not None and call.instance_id == unit.caller.instance_id
    return SdkToolsGetResult(call=calls.view(call) if call is not None and own else None)


def report_progress(unit: Unit, params: SdkToolsReportProgressParams) -> CommandReceipt:
    """``sdk.tools.reportProgress``: at most one row a call that was not sent yet; a newer one replaces it."""
    call = _undecided(unit, params.call_id)
    if call.status != "running":
        raise Refusal("call_state_invalid", status=call.status)
    seq = call.progress_seq + 1
    payload = ToolProgressPayload(call_id=call.call_id, seq=seq, progress=params.progress)
    outbox.drop_unsent_progress(unit, call)
    outbox.say(unit, call.conversation_id, "tool.progress", payload, call_id=call.call_id)
    tool_calls.set_progress(unit.tx, call, seq, unit.now)
    unit.touch(call.conversation_id)
    return _receipt(unit, call, seq=seq)


def complete(unit: Unit, params: SdkToolsCompleteParams) -> CommandReceipt:
    """``sdk.tools.complete``: a result that does not fit leaves the call running."""
    call = _undecided(unit, params.call_id)
    if not isinstance(params.result, dict):
        raise Refusal("tool_output_invalid", errors=[{"path": "", "message": "must be an object"}])
    found = unit.apps.tool(call.tool_id)
    faults = [] if found is None else unit.apps.faults(found[1], "output", params.result)
    if faults:
        raise Refusal("tool_output_invalid", errors=[fault._asdict() for fault in faults])
    size = len(write_json(params.result))
    if size > limits.MAX_RESULT:
        errors = [{"path": "", "message": f"must be at most {limits.MAX_RESULT} bytes of JSON"}]
        raise Refusal("tool_output_invalid", errors=errors, limit="result_bytes", bound=limits.MAX_RESULT, actual=size)
    calls.submit(unit, call, "completed", result=params.result)
    return CommandReceipt(command_id=unit.new_id())


def fail(unit: Unit, params: SdkToolsFailParams) -> CommandReceipt:
    """``sdk.tools.fail``."""
    check_size("failure.details", params.failure.details, limits.MAX_RESULT)
    calls.submit(unit, _undecided(unit, params.call_id), "failed", failure=params.failure)
    return CommandReceipt(command_id=unit.new_id())


def cancel(unit: Unit, params: SdkReasonCallParams) -> CommandReceipt:
    """``sdk.tools.cancel``: the MiniApp gives the call up."""
    call = _undecided(unit, params.call_id)
    calls.submit(unit, call, "cancelled", reason="app_cancelled", message=params.reason or None)
    return CommandReceipt(command_id=unit.new_id())


def _undecided(unit: Unit, call_id: str) -> tables.ToolCall:
    """An own call that can still be decided, of an app that is switched on.

    Raises:
        Refusal: ``call_not_found``, ``call_already_final`` or ``app_disabled``.
    """
    call = tool_calls.get(unit.tx, unit.caller.conversation_id, call_id)
    if call is None or call.instance_id != unit.caller.instance_id:
        raise Refusal("call_not_found")
    if not calls.is_open(call):
        raise Refusal("call_already_final", status=call.status)
    if not unit.apps.enabled(unit.caller.app_scope):
        raise Refusal("app_disabled")
    return call


def _receipt(unit: Unit, call: tables.ToolCall, **detail: int) -> CommandReceipt:
    unit.note(call.call_id, of=call, **detail)
    return CommandReceipt(command_id=unit.new_id())
