"""Envelopes from Agents: checked, deduplicated, carried out, answered after the commit (RULES 1, PROTOCOL 7)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar, cast

from pydantic import ValidationError

from rpc_schema.base import Wire
from rpc_schema.envelopes import (
    AGENT_ENVELOPES,
    ControlPayload,
    ControlReceipt,
    Envelope,
    MessagePayload,
    Peer,
    ToolCallPayload,
    ToolInvokePayload,
    TransportDeliverParams,
    TransportDeliverResult,
)
from rpc_schema.error_data import errors_of
from rpc_schema.errors import RefusalCode
from rpc_schema.inbox import AgentMessagePayload
from sidecar.bundles.manifest import SYSTEM_SCOPE
from sidecar.domain.caller import Caller
from sidecar.domain.refusal import Refusal
from sidecar.services import control, inbox, lifecycle
from sidecar.services.invoke import ANSWERED_ALONE, Duplicate, invocation_of, invoke
from sidecar.services.unit import Unit
from sidecar.store import conversations, instances, outbox

if TYPE_CHECKING:
    from sidecar.store import tables

_M = TypeVar("_M", bound=Wire)


def deliver(unit: Unit, params: TransportDeliverParams) -> TransportDeliverResult:
    """``transport.deliver``: what the Host's transport authenticated as ``peer`` speaks."""
    peer = params.peer
    unit.by("agent", "transport.deliver")
    unit.caller = Caller("host", conversation_id=peer.conversation_id)
    try:
        envelope, payload, known = _read(unit, peer, params.envelope)
    except Refusal as refusal:
        return _refused(unit, refusal)
    seen = outbox.delivery(unit.tx, peer.conversation_id, envelope.message_id)
    if seen is not None:
        return _again(seen)
    return _carry_out(unit, peer, envelope, payload, known)


def _carry_out(
    unit: Unit, peer: Peer, envelope: Envelope, payload: Wire, known: tables.Conversation | None
) -> TransportDeliverResult:
    unit.by("agent", envelope.type)
    receipt: ControlReceipt | None = None
    refusal: Refusal | None = None
    duplicate = False
    try:
        lifecycle.open_conversation(unit, peer.conversation_id, peer.agent_id, known)
        receipt, duplicate = _CARRY_OUT[type(payload)](unit, peer.conversation_id, envelope, payload)
    except Duplicate:
        duplicate = True
    except Refusal as refused:
        if refused.code in ANSWERED_ALONE:
            return _refused(unit, refused, getattr(payload, "call_id", None))
        refusal = refused.with_traceback(None)  # which holds this frame, and so the envelope, until a late collection
    result = TransportDeliverResult(
        status="duplicate" if duplicate else "rejected" if refusal else "accepted",
        code=None if refusal is None else refusal.code,
        message=None if refusal is None else refusal.told,
        receipt=receipt,
    )
    if refusal is not None:
        _audit_refusal(unit, refusal, getattr(payload, "call_id", envelope.message_id))
    _remember(unit, peer, envelope, result)
    return result


# -- reading


def _read(unit: Unit, peer: Peer, value: dict[str, Any]) -> tuple[Envelope, Wire, tables.Conversation | None]:
    envelope = _model(Envelope, value, "")
    for field in ("agent_id", "conversation_id"):
        if getattr(envelope, field) not in (None, getattr(peer, field)):
            raise _invalid(field, "differs from the authenticated peer")
    conversation = conversations.get(unit.tx, peer.conversation_id)
    if conversation is not None and conversation.agent_id != peer.agent_id:
        raise Refusal("envelope_invalid", "The conversation belongs to another Agent.")
    if envelope.type not in AGENT_ENVELOPES:
        raise _invalid("type", "is no type that an Agent may send")
    return envelope, _model(AGENT_ENVELOPES[envelope.type], envelope.payload, "payload"), conversation


def _model(model: type[_M], value: dict[str, Any], where: str) -> _M:
    try:
        return model.model_validate(value)
    except ValidationError as fault:
        errors = [{**error, "path": f"{where}.{error['path']}".strip(".")} for error in errors_of(fault)]
        raise Refusal("envelope_invalid", errors=errors) from None


def _invalid(path: str, message: str) -> Refusal:
    return Refusal("envelope_invalid", errors=[{"path": path, "message": message}])


# -- carrying out: each gives a receipt, if there is one, and whether it was all done before

_Outcome = tuple[ControlReceipt | None, bool]


def _message(unit: Unit, conversation_id: str, envelope: Envelope, payload: MessagePayload) -> _Outcome:
    scope = envelope.app_scope or SYSTEM_SCOPE
    manifest = unit.apps.manifest(scope)
    if manifest is None:
        raise Refusal("app_scope_mismatch")
    if not unit.apps.enabled(scope):
        raise Refusal("app_disabled")
    if not any(subscription.topic == "agent.message" for subscription in manifest.subscriptions):
        raise Refusal("permission_denied", "That MiniApp takes no messages.")
    row = instances.live_of(unit.tx, conversation_id, scope)
    if row is None or envelope.instance_id not in (None, row.instance_id):
        raise Refusal("app_instance_not_found")
    said = AgentMessagePayload(text=payload.text, format=payload.format)
    inbox.check_room(unit, row.instance_id, said)
    inbox.put(unit, row.instance_id, "agent.message", said)
    unit.note(envelope.message_id, of=row)
    return None, False


def _invoke(
    unit: Unit, conversation_id: str, envelope: Envelope, payload: ToolInvokePayload | ToolCallPayload
) -> _Outcome:
    invoke(unit, conversation_id, envelope, invocation_of(payload))
    return None, False


def _control(unit: Unit, conversation_id: str, envelope: Envelope, payload: ControlPayload) -> _Outcome:
    act = control.cancel if envelope.type == "lineup.v1.tool.cancel" else control.dismiss
    return act(unit, conversation_id, payload)


_CARRY_OUT: dict[type[Wire], Callable[[Unit, str, Envelope, Any], _Outcome]] = {
    MessagePayload: _message,
    ToolInvokePayload: _invoke,
    ToolCallPayload: _invoke,
    ControlPayload: _control,
}


# -- answering


def _remember(unit: Unit, peer: Peer, envelope: Envelope, result: TransportDeliverResult) -> None:
    outbox.add_delivery(
        unit.tx,
        conversation_id=peer.conversation_id,
        message_id=envelope.message_id,
        code=result.code,
        message=result.message,
        receipt=None if result.receipt is None else result.receipt.model_dump_json(),
        created_at=unit.now,
    )


def _again(seen: tables.Delivery) -> TransportDeliverResult:
    receipt = None if seen.receipt is None else ControlReceipt.model_validate_json(seen.receipt)
    code = cast("RefusalCode | None", seen.code)
    return TransportDeliverResult(status="duplicate", code=code, message=seen.message, receipt=receipt)


def _refused(unit: Unit, refusal: Refusal, subject: str | None = None) -> TransportDeliverResult:
    """Answered by ``transport.deliver`` alone: audited, and nothing else is written."""
    _audit_refusal(unit, refusal, subject)
    return TransportDeliverResult(status="rejected", code=refusal.code, message=refusal.told, receipt=None)


def _audit_refusal(unit: Unit, refusal: Refusal, subject: str | None) -> None:
    unit.tx.audit(unit.act(subject, **refusal.audited()), at=unit.now, decision="refused", code=refusal.code)
