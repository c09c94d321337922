"""Everything that the Runtime says unasked (PROTOCOL 3 to 8). Each can be derived again from a snapshot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rpc_schema.base import Id, JsonObject, Wire
from rpc_schema.envelopes import OutgoingEnvelope, Peer
from rpc_schema.inbox import MiniAppMessage
from rpc_schema.interactions import InteractionStatus, StandardInteractionRecord
from rpc_schema.renderer import RendererItem
from rpc_schema.surfaces import Surface
from rpc_schema.tools import MiniAppToolCall, ToolCallStatus
from rpc_schema.workspace import CapabilityRequest, Instance, MiniAppContext


class RuntimeResync(Wire):
    """Notifications were dropped, or what they said was undone: read the snapshots again and subscribe again."""

    reason: str


class WorkspaceChanged(Wire):
    """The instances or the focus of a conversation changed; the whole of both."""

    conversation_id: Id
    revision: int
    foreground: str | None
    focus_stack: list[str]
    instances: list[Instance]


class MiniAppFailed(Wire):
    """The logic of an instance died for good; it starts anew with the next invoke, open or foreground."""

    instance_id: Id
    app_scope: str
    code: str
    message: str


class SurfaceOpened(Wire):
    """A surface to attach."""

    surface: Surface


class SurfacePatched(Wire):
    """A surface's state changed, by the app's logic or by its view."""

    surface_id: Id
    revision: int
    patch: JsonObject
    by: Literal["app", "view"]


class SurfaceClosed(Wire):
    """A surface is gone; its token is revoked."""

    surface_id: Id
    reason: str


class RendererPresent(Wire):
    """A question to show, or one whose placement changed."""

    item: RendererItem


class RendererRetract(Wire):
    """A question ended, by whomever; take it away."""

    interaction_id: Id
    status: InteractionStatus
    reason: str | None


class TransportSend(Wire):
    """An envelope for the Agent: at least once, in order within a conversation, until its outbox row is acked."""

    outbox_id: Id
    peer: Peer
    envelope: OutgoingEnvelope


class SdkHello(Wire):
    """The first message on a worker's connection: its token and who it is."""

    context_token: str
    context: MiniAppContext


class SdkInboxMessage(Wire):
    """A message for a subscribed Inbox."""

    instance_id: Id
    message: MiniAppMessage


class SdkToolsCall(Wire):
    """A call handed to a subscription; it runs from now on."""

    instance_id: Id
    call: MiniAppToolCall


class SdkToolsClosed(Wire):
    """A call was ended by someone else."""

    instance_id: Id
    call_id: Id
    status: ToolCallStatus
    reason: str


class SdkInteractionRecord(Wire):
    """An interaction record that changed."""

    instance_id: Id
    record: StandardInteractionRecord


class SdkContextChanged(Wire):
    """The instance's state changed."""

    instance_id: Id
    context: MiniAppContext


class SdkSurfacesPatched(Wire):
    """The view changed the state of one of the instance's surfaces."""

    instance_id: Id
    surface_id: Id
    revision: int
    patch: JsonObject


class SdkLifecycleClosing(Wire):
    """The instance is closed; its process ends after the deadline."""

    instance_id: Id
    reason: str
    deadline_ms: int


@dataclass(frozen=True, slots=True)
class Notification:
    """One row of the table: a name, the shape of its params and who hears it."""

    name: str
    params: type[Wire]
    hearer: Literal["host", "miniapp"]

    @property
    def summary(self) -> str:
        """The first line of what its params say."""
        return (self.params.__doc__ or "").strip().splitlines()[0]


def _table(rows: list[tuple[str, type[Wire]]]) -> dict[str, Notification]:
    return {name: Notification(name, params, "miniapp" if name.startswith("sdk.") else "host") for name, params in rows}


NOTIFICATIONS: dict[str, Notification] = _table(
    [
        ("runtime.resync", RuntimeResync),
        ("workspace.changed", WorkspaceChanged),
        ("miniapp.failed", MiniAppFailed),
        ("surface.opened", SurfaceOpened),
        ("surface.patched", SurfacePatched),
        ("surface.closed", SurfaceClosed),
        ("renderer.present", RendererPresent),
        ("renderer.retract", RendererRetract),
        ("transport.send", TransportSend),
        ("capability.requested", CapabilityRequest),
        ("sdk.hello", SdkHello),
        ("sdk.inbox.message", SdkInboxMessage),
        ("sdk.tools.call", SdkToolsCall),
        ("sdk.tools.closed", SdkToolsClosed),
        ("sdk.ui.record", SdkInteractionRecord),
        ("sdk.renderer.record", SdkInteractionRecord),
        ("sdk.context.changed", SdkContextChanged),
        ("sdk.surfaces.patched", SdkSurfacesPatched),
        ("sdk.lifecycle.closing", SdkLifecycleClosing),
    ]
)
"""Every notification, by name."""
