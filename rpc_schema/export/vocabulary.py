"""Every model of the contract: what the Runtime reads, what it sends, and the names of its enumerations and unions."""

from __future__ import annotations

from typing import Any, NamedTuple

from rpc_schema import (
    audit,
    capabilities,
    envelopes,
    error_data,
    errors,
    inbox,
    interactions,
    manifest,
    renderer,
    surfaces,
    tools,
)
from rpc_schema import workspace as ws
from rpc_schema.base import Wire
from rpc_schema.errors import RefusalCode
from rpc_schema.methods import METHODS, Method
from rpc_schema.notifications import NOTIFICATIONS

READ: list[Any] = [
    *(method.params for method in METHODS.values()),
    envelopes.Envelope,
    *envelopes.AGENT_ENVELOPES.values(),
    manifest.Manifest,
]
"""Read by the Runtime: a field with a default may be left out."""

SENT: list[Any] = [
    *(method.result for method in METHODS.values() if method.result),
    *(notification.params for notification in NOTIFICATIONS.values()),
    envelopes.OutgoingEnvelope,
    *envelopes.RUNTIME_ENVELOPES.values(),
    *inbox.INBOX_PAYLOADS.values(),
    error_data.InvalidParamsData,
    error_data.InternalErrorData,
    error_data.RefusalData,
]
"""Sent by the Runtime: a field with a default is always there."""

NAMED: dict[str, Any] = {
    "Actor": audit.Actor,
    "CapabilityOutcome": capabilities.CapabilityOutcome,
    "Container": surfaces.Container,
    "ControlOutcome": envelopes.ControlOutcome,
    "Decision": audit.Decision,
    "Handling": manifest.Handling,
    "InstanceState": ws.InstanceState,
    "InteractionKind": interactions.InteractionKind,
    "InteractionSource": interactions.InteractionSource,
    "InteractionStatus": interactions.InteractionStatus,
    "MessageFormat": inbox.MessageFormat,
    "MessageType": inbox.MessageType,
    "MiniAppHandling": manifest.MiniAppHandling,
    "RefusalCode": errors.RefusalCode,
    "RendererMode": renderer.RendererMode,
    "RunBy": ws.RunBy,
    "StandardInteractionRequest": interactions.StandardInteractionRequest,
    "StandardInteractionResult": interactions.StandardInteractionResult,
    "SurfaceStatus": surfaces.SurfaceStatus,
    "ToolCallOutcome": tools.ToolCallOutcome,
    "ToolCallStatus": tools.ToolCallStatus,
}
"""Enumerations and unions that have a name in the code, and so have one in what is generated from it."""


class ErrorKind(NamedTuple):
    """A code of ``error.code``, what it means and the shape of ``error.data``, where there is one."""

    code: int
    message: str
    data: type[Wire] | None = None


ERRORS: dict[str, ErrorKind] = {
    "ParseError": ErrorKind(errors.PARSE_ERROR, "Not sound JSON, or not UTF-8; answered with the id null."),
    "InvalidRequest": ErrorKind(errors.INVALID_REQUEST, "No JSON-RPC 2.0 request, or one that is too long."),
    "MethodNotFound": ErrorKind(errors.METHOD_NOT_FOUND, "No such method for this caller."),
    "InvalidParams": ErrorKind(
        errors.INVALID_PARAMS, "The params do not fit: mend what data.errors names.", error_data.InvalidParamsData
    ),
    "InternalError": ErrorKind(
        errors.INTERNAL_ERROR,
        "A fault of the Runtime; data.error_id finds it in the log.",
        error_data.InternalErrorData,
    ),
    "NotInitialized": ErrorKind(errors.NOT_INITIALIZED, "Send initialize first."),
    "Refused": ErrorKind(
        errors.REFUSED, "A decision against the request: data.code is one of its refusals.", error_data.RefusalData
    ),
}
"""Every ``error.code``, by name."""


def list_refusals(method: Method) -> list[RefusalCode]:
    """The refusals of a request; after ``shutdown`` each of them has one more."""
    return [] if method.notification else [*method.refusals, "shutting_down"]
