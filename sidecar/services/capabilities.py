"""Capabilities: manifest, then policy, then the user, then the Host's provider (RULES 8)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from rpc_schema import limits
from rpc_schema.base import Empty
from rpc_schema.capabilities import CapabilityResolveParams
from rpc_schema.json_text import write_json
from rpc_schema.sdk import SdkCapabilitiesRequestParams, SdkCapabilitiesRequestResult
from sidecar.domain.policy import denial
from sidecar.domain.refusal import Refusal, over
from sidecar.services import capability_decision, inbox, interactions
from sidecar.services.faults import check_size
from sidecar.services.lifecycle import live_instance
from sidecar.services.unit import Unit
from sidecar.store import capability_requests
from sidecar.store import interactions as interaction_rows

if TYPE_CHECKING:
    from sidecar.store import tables


def request(unit: Unit, params: SdkCapabilitiesRequestParams) -> SdkCapabilitiesRequestResult:
    """``sdk.capabilities.request``: a *no* is an answer at once, the rest comes to the Inbox."""
    owner = live_instance(unit, unit.caller.instance_id)
    capability = params.capability
    if not unit.apps.enabled(owner.app_scope):
        raise Refusal("app_disabled")
    declared = unit.apps.declares(owner.app_scope, capability)
    reason = denial(unit.runtime.policy, declared, unit.apps.provided(capability), capability)
    if reason is not None:
        raise Refusal("capability_denied", capability=capability, reason=reason)
    asks = unit.runtime.policy.verdict(capability) == "ask"
    question = _question(owner, params) if asks else None
    if question is not None:
        interactions.check_renderer(unit, "runtime_policy")
        interactions.check_room(unit, "runtime_policy", owner.conversation_id, owner.instance_id, question)
    _check_room(unit, owner, params)
    return SdkCapabilitiesRequestResult(command_id=unit.new_id(), request_id=_begin(unit, owner, params, question))


def resolve(unit: Unit, params: CapabilityResolveParams) -> Empty:
    """``capability.resolve``: what the Host's provider made of it."""
    check_size("result", params.result, limits.MAX_CAPABILITY_RESULT)
    row = capability_requests.get(unit.tx, params.request_id)
    if row is None or row.status != "requested":
        raise Refusal("capability_request_not_found")
    reason = None if params.outcome == "granted" else f"host_{params.outcome}"
    capability_decision.resolve(unit, row, params.outcome, reason=reason, result=params.result, message=params.message)
    return Empty()


def deny_open(unit: Unit, owner: tables.Instance) -> None:
    """The app was switched off: its open requests end denied, and what the user was asked for them is taken back."""
    for row in capability_requests.open_of(unit.tx, owner.instance_id):
        capability_decision.resolve(unit, row, "denied", reason="policy")
        asked = None if row.interaction_id is None else interaction_rows.get(unit.tx, row.interaction_id)
        if asked is not None and interactions.is_open(asked):
            interactions.end(unit, asked, "cancel", "app_disabled")


def expire(unit: Unit, row: tables.CapabilityRequest) -> None:
    """The Host's provider had its 15 minutes."""
    capability_decision.resolve(unit, row, "failed", reason="timeout")


def _check_room(unit: Unit, owner: tables.Instance, params: SdkCapabilitiesRequestParams) -> None:
    count = capability_requests.count_of(unit.tx, owner.instance_id)
    if count >= limits.MAX_CAPABILITY_REQUESTS:
        raise over("capability_requests", limits.MAX_CAPABILITY_REQUESTS, count)
    inbox.check_room(unit, owner.instance_id)  # the outcome comes as a message
    size = len(write_json(params.arguments))
    if size > limits.MAX_CAPABILITY_ARGUMENTS:
        raise over("capability_arguments_bytes", limits.MAX_CAPABILITY_ARGUMENTS, size)


def _begin(
    unit: Unit, owner: tables.Instance, params: SdkCapabilitiesRequestParams, question: dict[str, Any] | None
) -> str:
    request_id = unit.new_id()
    asks = question is not None
    table = capability_requests.CAPABILITY_REQUEST.table
    interaction_id = None
    if question is not None:
        interaction_id = interactions.ask(unit, "runtime_policy", owner, question).interaction_id
    capability_requests.add(
        unit.tx,
        request_id=request_id,
        conversation_id=owner.conversation_id,
        instance_id=owner.instance_id,
        app_scope=owner.app_scope,
        capability=params.capability,
        reason=params.reason,
        arguments=write_json(params.arguments).decode(),
        interaction_id=interaction_id,
        status=table.start if asks else table.after(table.start, "agree"),
        created_at=unit.now,
        updated_at=unit.now,
        due_at=None if asks else unit.now + limits.PROVIDER_TIMEOUT_MS,
    )
    row = cast("tables.CapabilityRequest", capability_requests.get(unit.tx, request_id))
    unit.note(request_id, of=row, capability=params.capability, interaction_id=interaction_id)
    if not asks:
        capability_decision.to_provider(unit, row)
    return request_id


def _question(owner: tables.Instance, params: SdkCapabilitiesRequestParams) -> dict[str, Any]:
    """What the user is asked, in the Runtime's words; the MiniApp's are quoted."""
    quoted = params.reason if len(params.reason) <= limits.MAX_REASON else params.reason[: limits.MAX_REASON] + "…"
    return {
        "kind": "confirm",
        "title": f"{owner.app_scope}: allow {params.capability}?"[: limits.MAX_NAME],
        "prompt": f"The MiniApp {owner.app_scope} asks for {params.capability}. In its words: “{quoted}”",
    }
