"""An Agent invokes a Tool: checked in the order of RULES 2, routed, handed to its MiniApp or asked of the user."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter, ValidationError

from rpc_schema import limits
from rpc_schema.base import Gone, Wire
from rpc_schema.envelopes import Envelope, ToolCallPayload, ToolInvokePayload, ToolRejectedPayload
from rpc_schema.error_data import errors_of
from rpc_schema.interactions import StandardInteractionRequest
from rpc_schema.json_text import write_json
from rpc_schema.manifest import Manifest, ToolDescriptor
from sidecar.bundles.manifest import SYSTEM_SCOPE
from sidecar.domain.canonical import canonical
from sidecar.domain.interactive import PREFIX, kind_of
from sidecar.domain.refusal import Refusal, over
from sidecar.services import calls, interactions, lifecycle, outbox, waking
from sidecar.services.unit import Unit
from sidecar.store import instances, tool_calls

if TYPE_CHECKING:
    from sidecar.store import tables

QUESTION: TypeAdapter[Wire] = TypeAdapter(StandardInteractionRequest)
"""The four standard questions, told apart by ``kind``."""

ANSWERED_ALONE = ("envelope_invalid", "call_id_conflict", "call_already_final", "limit_exceeded")
"""Refusals of an envelope that leave no record, no outbox row and use no id up (RULES 1)."""


@dataclass(frozen=True, slots=True)
class Invocation:
    """What was asked, whichever envelope said it; the older form carries no revision."""

    call_id: str
    tool_id: str
    input: dict[str, Any]
    revision: str | None
    app_session_id: str | None


class Duplicate(Exception):  # noqa: N818 - an answer, not an error
    """The same call was asked for before and is still open."""


def invocation_of(payload: ToolInvokePayload | ToolCallPayload) -> Invocation:
    """What ``lineup.v1.tool.invoke`` asks; the older ``lineup.v1.tool.call`` is the same for ``interaction.<kind>``."""
    context = payload.app_session_context
    session = None if context is None else context.app_session_id
    if isinstance(payload, ToolInvokePayload):
        return Invocation(payload.call_id, payload.tool_id, payload.input, payload.inventory_revision, session)
    given = {name: value for name, value in payload.request.items() if (name, value) != ("kind", payload.kind)}
    return Invocation(payload.call_id, PREFIX + payload.kind, given, None, session)


def invoke(unit: Unit, conversation_id: str, envelope: Envelope, wanted: Invocation) -> None:
    """Check, record and route a call.

    Raises:
        Refusal: one of :data:`ANSWERED_ALONE`, before anything was written; any other, after it was recorded.
        Duplicate: the same call is open.
    """
    _check_known(unit, conversation_id, wanted)
    outbox.check_room(unit, conversation_id)
    try:
        if kind_of(wanted.tool_id) is not None:
            _ask(unit, conversation_id, envelope, wanted)
        else:
            _route(unit, conversation_id, envelope, wanted)
    except Refusal as refusal:
        if refusal.code not in ANSWERED_ALONE:
            _reject(unit, conversation_id, wanted, refusal)
        raise


def _check_known(unit: Unit, conversation_id: str, wanted: Invocation) -> None:
    call = tool_calls.get(unit.tx, conversation_id, wanted.call_id)
    if call is None:
        return
    if not calls.is_open(call):
        raise Refusal("call_already_final", status=call.status)
    same = (call.tool_id, call.app_session_id) == (wanted.tool_id, wanted.app_session_id)
    if same and canonical(json.loads(call.input)) == canonical(wanted.input):
        raise Duplicate
    raise Refusal("call_id_conflict", status=call.status)


def _check_revision(unit: Unit, wanted: Invocation) -> None:
    current = unit.apps.inventory.revision
    if wanted.revision is not None and wanted.revision != current:
        raise Refusal("inventory_revision_mismatch", inventory_revision=current)


# -- ordinary Tools


def _route(unit: Unit, conversation_id: str, envelope: Envelope, wanted: Invocation) -> None:
    manifest, tool = _checked_tool(unit, envelope, wanted)
    live = instances.live_of(unit.tx, conversation_id, manifest.app_scope)
    if envelope.instance_id is not None and (live is None or live.instance_id != envelope.instance_id):
        raise Refusal("app_instance_not_found")
    if live is None:
        if tool.handling in ("foreground", "operation"):
            raise Refusal("app_instance_not_found")
        lifecycle.check_room(unit, conversation_id)
    else:
        count = tool_calls.count_of(unit.tx, live.instance_id)
        if count >= limits.MAX_OPEN_CALLS:
            raise over("open_calls", limits.MAX_OPEN_CALLS, count)
    given = write_json(wanted.input).decode()
    _check_size(unit, live, len(given))
    forward = tool.handling in ("launch", "foreground") or tool.target.requires_foreground
    row = live or lifecycle.make_instance(
        unit, conversation_id, manifest.app_scope, in_front=forward, call_id=wanted.call_id
    )
    if forward:
        lifecycle.bring_forward(unit, row, restore_focus=tool.target.restore_previous_focus)
        unit.note(row.instance_id, of=row, call_id=wanted.call_id, front=True)
    heard = unit.live.hears(row.instance_id, "tools")  # then what came earlier was handed over when it came
    call = _record(unit, conversation_id, wanted, given, row, tool.timeout_ms, handed=heard)
    if heard:
        calls.tell_handed(unit, row.instance_id, call, wanted.input)
    else:
        waking.wake(unit, row, anew=True)


def _checked_tool(unit: Unit, envelope: Envelope, wanted: Invocation) -> tuple[Manifest, ToolDescriptor]:
    _check_revision(unit, wanted)
    found = unit.apps.tool(wanted.tool_id)
    if found is None or unit.apps.unavailable(found[0].app_scope) is not None:
        raise Refusal("tool_not_advertised")
    manifest, tool = found
    if not unit.apps.enabled(manifest.app_scope):
        raise Refusal("app_disabled")
    faults = unit.apps.faults(tool, "input", wanted.input)
    if faults:
        raise Refusal("tool_input_invalid", errors=[fault._asdict() for fault in faults])
    if envelope.app_scope not in (None, manifest.app_scope):
        raise Refusal("app_scope_mismatch")
    if wanted.app_session_id is not None:
        raise Refusal("app_session_invalid", "Only interactive Tools take an app session context.")
    for capability in tool.permissions:
        if not unit.apps.declares(manifest.app_scope, capability):
            raise _lacks(capability, "not_declared", "its manifest does not declare")
        if unit.runtime.policy.verdict(capability) == "deny":
            raise _lacks(capability, "policy", "the policy denies")
    return manifest, tool


def _lacks(capability: str, reason: str, who: str) -> Refusal:
    message = f"The Tool needs the capability {capability}, which {who}."
    return Refusal("capability_denied", message, capability=capability, reason=reason)


def _check_size(unit: Unit, live: tables.Instance | None, size: int) -> None:
    """Whether a large input fits beside what is open: all of it must reach the logic as one message."""
    if size <= limits.SMALL_INPUT:
        return
    size += 0 if live is None else tool_calls.input_of(unit.tx, live.instance_id)
    if size > limits.MAX_OPEN_CALLS_BYTES:
        raise over("open_calls_bytes", limits.MAX_OPEN_CALLS_BYTES, size)


def _record(
    unit: Unit,
    conversation_id: str,
    wanted: Invocation,
    given: str,
    row: tables.Instance,
    timeout_ms: int | None,
    *,
    handed: bool,
) -> tables.ToolCall:
    """Write the call; where its MiniApp hears, it is handed over in the same breath, and the audit says both."""
    deadline_at = None if timeout_ms is None else unit.now + timeout_ms
    due_at = calls.due(unit.now, deadline_at)
    call = tool_calls.add(
        unit.tx,
        conversation_id=conversation_id,
        call_id=wanted.call_id,
        tool_id=wanted.tool_id,
        inventory_revision=wanted.revision or unit.apps.inventory.revision,
        app_scope=row.app_scope,
        instance_id=row.instance_id,
        status=tool_calls.TOOL_CALL.table.after(_routed_status(), "hand_over") if handed else _routed_status(),
        handed=int(handed),
        input=given,
        created_at=unit.now,
        updated_at=unit.now,
        deadline_at=deadline_at,
        due_at=due_at,
    )
    unit.note(wanted.call_id, of=row, tool_id=wanted.tool_id)
    if handed:
        unit.note(wanted.call_id, of=row, hand_over=call.handed, status=call.status)
    unit.due(due_at)
    unit.touch(conversation_id)
    return call


def _routed_status() -> str:
    """Where accepting and routing, which are one transaction, lead a call."""
    table = tool_calls.TOOL_CALL.table
    return table.after(table.after(table.start, "accept"), "route")


# -- interactive Tools


def _ask(unit: Unit, conversation_id: str, envelope: Envelope, wanted: Invocation) -> None:
    _check_revision(unit, wanted)
    request = _checked_question(wanted)
    owner = instances.live_of(unit.tx, conversation_id, SYSTEM_SCOPE)
    if envelope.app_scope not in (None, SYSTEM_SCOPE):
        raise Refusal("app_scope_mismatch")
    if wanted.app_session_id is not None:
        session = instances.session(unit.tx, wanted.app_session_id)
        if session is None or session.conversation_id != conversation_id:
            raise Refusal("app_session_invalid")
    if owner is None or envelope.instance_id not in (None, owner.instance_id):
        raise Refusal("app_instance_not_found")
    interactions.check_renderer(unit, "agent_tool")
    interactions.check_room(unit, "agent_tool", conversation_id, owner.instance_id, request)
    tool_calls.add(
        unit.tx,
        conversation_id=conversation_id,
        call_id=wanted.call_id,
        tool_id=wanted.tool_id,
        inventory_revision=wanted.revision or unit.apps.inventory.revision,
        app_session_id=wanted.app_session_id,
        status=_routed_status(),
        input=write_json(wanted.input).decode(),
        created_at=unit.now,
        updated_at=unit.now,
    )
    interactions.ask(unit, "agent_tool", owner, request, call_id=wanted.call_id, app_session_id=wanted.app_session_id)
    unit.note(wanted.call_id, of=owner, tool_id=wanted.tool_id)


def _checked_question(wanted: Invocation) -> dict[str, Any]:
    if "kind" in wanted.input:
        raise Refusal("tool_input_invalid", errors=[{"path": "kind", "message": "must be absent: the Tool says it"}])
    request = {**wanted.input, "kind": kind_of(wanted.tool_id)}
    try:
        QUESTION.validate_python(request)
    except ValidationError as fault:
        raise Refusal("tool_input_invalid", errors=errors_of(fault, told_apart_by="kind")) from None
    return request


# -- refused


def _reject(unit: Unit, conversation_id: str, wanted: Invocation, refusal: Refusal) -> None:
    """Record the refused call and tell the Agent; it reached nobody."""
    found = unit.apps.tool(wanted.tool_id)
    table = tool_calls.TOOL_CALL.table
    tool_calls.add(
        unit.tx,
        conversation_id=conversation_id,
        call_id=wanted.call_id,
        tool_id=wanted.tool_id,
        inventory_revision=wanted.revision or "",
        app_scope=None if found is None else found[0].app_scope,
        status=table.after(table.start, "refuse"),
        input="{}",
        error_code=refusal.code,
        created_at=unit.now,
        updated_at=unit.now,
    )
    stale = refusal.code == "inventory_revision_mismatch"
    payload = ToolRejectedPayload.having(
        call_id=wanted.call_id,
        code=refusal.code,
        message=refusal.told,
        inventory_revision=unit.apps.inventory.revision,
        tool=(unit.apps.advertised_tool(wanted.tool_id) or Gone()) if stale else None,
    )
    outbox.say_rejected(unit, conversation_id, payload)
