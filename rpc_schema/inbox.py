"""What reaches a MiniApp's Inbox (PROTOCOL 4)."""

from __future__ import annotations

from typing import Any, Literal

from rpc_schema.base import Id, JsonObject, Timestamp, Wire
from rpc_schema.capabilities import CapabilityOutcome

MessageType = Literal["agent.message", "surface.event", "surface.failed", "capability.resolved", "outbox.delivered"]
MessageFormat = Literal["markdown", "plain"]


class AgentMessagePayload(Wire):
    """``agent.message``: text from the Agent."""

    text: str
    format: MessageFormat


class SurfaceEventPayload(Wire):
    """``surface.event``: something happened in a surface of the instance."""

    surface_id: Id
    event: str
    payload: JsonObject | None


class SurfaceFailedPayload(Wire):
    """``surface.failed``: the Host could not show a surface."""

    surface_id: Id
    message: str


class CapabilityResolvedPayload(Wire):
    """``capability.resolved``: how a capability request ended."""

    request_id: Id
    outcome: CapabilityOutcome
    result: dict[str, Any] | None
    reason: str | None
    message: str | None


class OutboxDeliveredPayload(Wire):
    """``outbox.delivered``: the Agent's side has the user's text (system MiniApp only)."""

    client_message_id: Id


INBOX_PAYLOADS: dict[MessageType, type[Wire]] = {
    "agent.message": AgentMessagePayload,
    "surface.event": SurfaceEventPayload,
    "surface.failed": SurfaceFailedPayload,
    "capability.resolved": CapabilityResolvedPayload,
    "outbox.delivered": OutboxDeliveredPayload,
}
"""What a message's payload is, by its type."""


class MiniAppMessage(Wire):
    """One message of an instance's Inbox, kept until it is acknowledged."""

    message_id: Id
    type: MessageType
    app_scope: str
    instance_id: Id
    conversation_id: Id
    payload: JsonObject
    created_at: Timestamp
