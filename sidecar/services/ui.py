"""Questions of MiniApps to the user: ``sdk.ui.*``, and Interact's read-only view of the Agent's (RULES 5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from rpc_schema import limits
from rpc_schema.base import Empty
from rpc_schema.error_data import errors_of
from rpc_schema.sdk import (
    SdkInteractionParams,
    SdkParams,
    SdkRecordsResult,
    SdkUiCancelParams,
    SdkUiGetResult,
    SdkUiRequestParams,
    SdkUiRequestResult,
)
from rpc_schema.workspace import CommandReceipt
from sidecar.domain.refusal import Refusal
from sidecar.services import calls, interactions, records
from sidecar.services.invoke import QUESTION
from sidecar.services.lifecycle import live_instance
from sidecar.services.unit import Unit
from sidecar.store import interactions as rows
from sidecar.store import tool_calls

if TYPE_CHECKING:
    from sidecar.store import tables


def request(unit: Unit, params: SdkUiRequestParams) -> SdkUiRequestResult:
    """``sdk.ui.request``: the owner is the caller's instance, from its token alone."""
    question = _checked(params.request)
    owner = live_instance(unit, unit.caller.instance_id)
    if not unit.apps.enabled(owner.app_scope):
        raise Refusal("app_disabled")
    parent = _parent(unit, params.options.parent_call_id)
    presentation = params.options.presentation
    interactions.check_renderer(unit, "miniapp_tool", presentation)
    interactions.check_room(unit, "miniapp_tool", owner.conversation_id, owner.instance_id, question)
    row = interactions.ask(unit, "miniapp_tool", owner, question, presentation=presentation, parent=parent)
    record = records.record(row)
    return SdkUiRequestResult(interaction_id=record.interaction_id, status=record.status, expires_at=record.expires_at)


def get(unit: Unit, params: SdkInteractionParams) -> SdkUiGetResult:
    """``sdk.ui.get``: an own interaction, or null. Reading an answer is having it."""
    row = _own(unit, params.interaction_id)
    if row is not None and row.status == "submitted":
        row = interactions.hand_over(unit, row)
    return SdkUiGetResult(record=None if row is None else records.record(row))


def subscribe(unit: Unit, _params: SdkParams) -> SdkRecordsResult:
    """``sdk.ui.subscribe``: the open ones and the newest 50 that ended within 24 h, so that no answer is missed.

    Nothing while the app is switched off.
    """
    caller = unit.caller
    unit.live.changing().links[caller.instance_id].topics.add("ui")
    taken = interactions.take_records(unit, caller.instance_id) if unit.apps.enabled(caller.app_scope) else []
    return SdkRecordsResult(records=[records.record(row) for row in taken])


def unsubscribe(unit: Unit, _params: SdkParams) -> Empty:
    """``sdk.ui.unsubscribe``."""
    unit.live.changing().links[unit.caller.instance_id].topics.discard("ui")
    return Empty()


def cancel(unit: Unit, params: SdkUiCancelParams) -> CommandReceipt:
    """``sdk.ui.cancel``: the MiniApp takes its question back."""
    row = _own(unit, params.interaction_id)
    if row is None:
        raise Refusal("interaction_not_found")
    if not interactions.is_open(row):
        raise Refusal("interaction_already_final", status=row.status)
    interactions.end(unit, row, "cancel", "app_cancelled", message=params.reason)
    return CommandReceipt(command_id=unit.new_id())


def subscribe_timeline(unit: Unit, _params: SdkParams) -> SdkRecordsResult:
    """``sdk.renderer.subscribe``: the Agent's interactions of this conversation, read only; the recent endings too."""
    unit.live.changing().links[unit.caller.instance_id].topics.add("renderer")
    since = unit.now - limits.ENDED_RECORDS_MS
    asked = rows.agents(unit.tx, unit.caller.conversation_id, since=since, limit=limits.MAX_ENDED_RECORDS)
    return SdkRecordsResult(records=[records.record(row) for row in asked])


def unsubscribe_timeline(unit: Unit, _params: SdkParams) -> Empty:
    """``sdk.renderer.unsubscribe``."""
    unit.live.changing().links[unit.caller.instance_id].topics.discard("renderer")
    return Empty()


def _checked(question: Any) -> dict[str, Any]:
    try:
        QUESTION.validate_python(question)
    except ValidationError as fault:
        raise Refusal("interaction_request_invalid", errors=errors_of(fault, told_apart_by="kind")) from None
    return dict(question)


def _parent(unit: Unit, call_id: str | None) -> tables.ToolCall | None:
    if call_id is None:
        return None
    call = tool_calls.get(unit.tx, unit.caller.conversation_id, call_id)
    if call is None or call.instance_id != unit.caller.instance_id:
        raise Refusal("call_not_found")
    if not calls.is_open(call):
        raise Refusal("call_already_final", status=call.status)
    return call


def _own(unit: Unit, interaction_id: str) -> tables.Interaction | None:
    row = rows.get(unit.tx, interaction_id)
    own = row is not None and row.source == "miniapp_tool" and row.instance_id == unit.caller.instance_id
    return row if own else None
