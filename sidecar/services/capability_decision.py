"""What becomes of a capability request: to the Host's provider, or resolved to its MiniApp (RULES 8)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from rpc_schema import limits
from rpc_schema.capabilities import CapabilityOutcome
from rpc_schema.inbox import CapabilityResolvedPayload
from sidecar.services import inbox
from sidecar.services.unit import Unit
from sidecar.services.workspace import request_view
from sidecar.store import capability_requests
from sidecar.store.capability_requests import CAPABILITY_REQUEST
from sidecar.store.interactions import INTERACTION

if TYPE_CHECKING:
    from sidecar.store import tables

_EVENTS: dict[CapabilityOutcome, str] = {"granted": "grant", "denied": "deny", "failed": "fail"}


def decide(unit: Unit, asked: tables.Interaction) -> None:
    """The user was asked for a capability: go on with what came of it."""
    request = capability_requests.of_interaction(unit.tx, asked.interaction_id)
    if request is None or request.status != "asking":
        return
    if asked.status == "submitted":
        act = unit.act(asked.interaction_id, of=asked)
        unit.tx.move(INTERACTION, asked, "hand_over", act, now=unit.now)
    if asked.status == "submitted" and json.loads(asked.result or "{}").get("approved") is True:
        if unit.apps.provided(request.capability):
            to_provider(unit, request)
        else:
            resolve(unit, request, "denied", reason="host_unsupported")
    elif asked.status in ("expired", "failed"):
        resolve(unit, request, "failed", reason=asked.reason)
    elif asked.reason != "app_closed":
        resolve(unit, request, "denied", reason="user_denied")


def to_provider(unit: Unit, request: tables.CapabilityRequest) -> None:
    """Hand the request to the Host's provider, which has 15 minutes."""
    due_at = unit.now + limits.PROVIDER_TIMEOUT_MS
    act = unit.act(request.request_id, of=request, capability=request.capability)
    if request.status == "asking":
        unit.tx.move(CAPABILITY_REQUEST, request, "agree", act, now=unit.now, due_at=due_at)
    unit.due(due_at)
    unit.touch(request.conversation_id)
    unit.tell_host("capability.requested", request_view(request))


def resolve(
    unit: Unit,
    request: tables.CapabilityRequest,
    outcome: CapabilityOutcome,
    *,
    reason: str | None = None,
    result: dict[str, Any] | None = None,
    message: str | None = None,
) -> None:
    """End an open request and put its outcome into the MiniApp's Inbox."""
    act = unit.act(request.request_id, of=request, capability=request.capability, outcome=outcome, reason=reason)
    unit.tx.move(CAPABILITY_REQUEST, request, _EVENTS[outcome], act, now=unit.now, due_at=None)
    unit.touch(request.conversation_id)
    payload = CapabilityResolvedPayload(
        request_id=request.request_id, outcome=outcome, result=result, reason=reason, message=message
    )
    inbox.put(unit, request.instance_id, "capability.resolved", payload)
