"""The table of methods: every request, who may make it, what goes in and what comes out (PROTOCOL 2 to 8)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rpc_schema import sdk, session, workspace
from rpc_schema.base import Empty, Wire
from rpc_schema.capabilities import CapabilityResolveParams
from rpc_schema.envelopes import (
    TransportAckParams,
    TransportAckResult,
    TransportDeliverParams,
    TransportDeliverResult,
    TransportSetOnlineParams,
    TransportSetOnlineResult,
)
from rpc_schema.errors import RefusalCode
from rpc_schema.renderer import (
    ConversationParams,
    InteractionParams,
    InteractionStatusResult,
    RendererCancelParams,
    RendererListResult,
    RendererSaveDraftParams,
    RendererSubmitParams,
)
from rpc_schema.surface_host import ArtifactGetParams, SurfaceAttachResult, SurfaceFailParams, SurfaceParams
from rpc_schema.surfaces import StoredArtifact
from rpc_schema.workspace import CommandReceipt

Caller = Literal["host", "miniapp", "system", "surface"]
"""``host``: the Host connection. ``miniapp``: a context token. ``system``: a context token of Interact alone.
``surface``: a surface token, for its own surface only."""


@dataclass(frozen=True, slots=True)
class Method:
    """One request. ``result`` is None where the answer is null; ``notification`` where there is no answer at all."""

    name: str
    params: type[Wire]
    result: type[Wire] | None
    callers: frozenset[Caller]
    summary: str
    refusals: tuple[RefusalCode, ...] = ()
    before_initialize: bool = False
    notification: bool = False


def _host(
    name: str,
    params: type[Wire],
    result: type[Wire] | None,
    summary: str,
    *refusals: RefusalCode,
    before_initialize: bool = False,
    notification: bool = False,
) -> Method:
    return Method(name, params, result, frozenset({"host"}), summary, refusals, before_initialize, notification)


def _sdk(
    name: str,
    params: type[Wire],
    result: type[Wire],
    summary: str,
    *refusals: RefusalCode,
    surface: bool = False,
    system: bool = False,
) -> Method:
    callers: set[Caller] = {"system"} if system else {"miniapp"}
    if surface:
        callers.add("surface")
    return Method(
        f"sdk.{name}",
        params,
        result,
        frozenset(callers),
        summary,
        ("context_token_invalid", "permission_denied", *refusals),
    )


_ROWS = [
    # -- session
    _host(
        "initialize",
        session.InitializeParams,
        session.InitializeResult,
        "Begin a session; again: a new one.",
        before_initialize=True,
    ),
    _host("shutdown", Empty, None, "End the session: what is accepted is durable, later requests are refused."),
    _host(
        "exit",
        Empty,
        None,
        "End the process: code 0 after shutdown, else 1.",
        before_initialize=True,
        notification=True,
    ),
    Method(
        "ping",
        Empty,
        Empty,
        frozenset({"host", "miniapp", "system"}),
        "Answer at once; before initialize too.",
        before_initialize=True,
    ),
    _host("rpc.discover", Empty, session.OpenRpcDocument, "Describe all of this as OpenRPC.", before_initialize=True),
    _host("runtime.status", Empty, session.RuntimeStatusResult, "Count what is open and alive."),
    _host("audit.list", session.AuditListParams, session.AuditListResult, "Read the audit, oldest first."),
    _host(
        "test.advanceClock",
        session.AdvanceClockParams,
        session.AdvanceClockResult,
        "Move the test clock forward; only with --test-clock.",
    ),
    # -- workspace and MiniApps
    _host(
        "workspace.open",
        workspace.WorkspaceOpenParams,
        workspace.WorkspaceSnapshot,
        "Open a conversation's workspace, or read it.",
        "envelope_invalid",
    ),
    _host("miniapp.list", Empty, workspace.MiniAppListResult, "List the MiniApps."),
    _host(
        "miniapp.setEnabled",
        workspace.MiniAppSetEnabledParams,
        workspace.MiniAppSetEnabledResult,
        "Switch a MiniApp on or off.",
        "lifecycle_denied",
        "app_instance_not_found",
    ),
    _host(
        "miniapp.open",
        workspace.MiniAppOpenParams,
        workspace.MiniAppOpenResult,
        "Open a MiniApp as a user's click does: make or reuse its instance and bring it to the front.",
        "app_instance_not_found",
        "app_disabled",
        "limit_exceeded",
    ),
    _host(
        "miniapp.mount",
        workspace.InstanceParams,
        workspace.MiniAppMountResult,
        "The Host attached the instance's container.",
        "app_instance_not_found",
    ),
    _host(
        "miniapp.unmount",
        workspace.InstanceReasonParams,
        Empty,
        "The container is gone; surface tokens are revoked.",
        "app_instance_not_found",
    ),
    _host(
        "miniapp.foreground",
        workspace.InstanceParams,
        CommandReceipt,
        "The user brings an instance to the front.",
        "app_instance_not_found",
    ),
    _host(
        "miniapp.background",
        workspace.InstanceParams,
        CommandReceipt,
        "The user sends an instance one place down.",
        "app_instance_not_found",
        "lifecycle_denied",
    ),
    _host(
        "miniapp.close",
        workspace.InstanceReasonParams,
        CommandReceipt,
        "The user closes an instance; what it had open converges (RULES 3).",
        "app_instance_not_found",
        "lifecycle_denied",
    ),
    # -- SDK
    _sdk("context.get", sdk.SdkParams, workspace.MiniAppContext, "Read who the caller is.", surface=True),
    _sdk("inbox.list", sdk.SdkInboxListParams, sdk.SdkMessagesResult, "Read un-acknowledged messages, oldest first."),
    _sdk("inbox.subscribe", sdk.SdkParams, sdk.SdkMessagesResult, "Hear new messages; the backlog comes at once."),
    _sdk("inbox.unsubscribe", sdk.SdkParams, Empty, "Hear no more messages."),
    _sdk(
        "inbox.acknowledge",
        sdk.SdkInboxAcknowledgeParams,
        sdk.SdkInboxAcknowledgeResult,
        "Take a message over for good.",
        "message_not_found",
    ),
    _sdk("tools.subscribe", sdk.SdkParams, sdk.SdkToolsSubscribeResult, "Take Tool calls; those that wait run now."),
    _sdk("tools.unsubscribe", sdk.SdkParams, Empty, "Take no more Tool calls."),
    _sdk("tools.get", sdk.SdkCallParams, sdk.SdkToolsGetResult, "Read a call."),
    _sdk(
        "tools.reportProgress",
        sdk.SdkToolsReportProgressParams,
        CommandReceipt,
        "Tell the Agent how far a call is.",
        "call_not_found",
        "call_state_invalid",
        "call_already_final",
        "app_disabled",
    ),
    _sdk(
        "tools.complete",
        sdk.SdkToolsCompleteParams,
        CommandReceipt,
        "End a call with its result.",
        "call_not_found",
        "call_already_final",
        "app_disabled",
        "tool_output_invalid",
    ),
    _sdk(
        "tools.fail",
        sdk.SdkToolsFailParams,
        CommandReceipt,
        "End a call with a failure.",
        "call_not_found",
        "call_already_final",
        "app_disabled",
    ),
    _sdk(
        "tools.cancel",
        sdk.SdkReasonCallParams,
        CommandReceipt,
        "End a call as cancelled.",
        "call_not_found",
        "call_already_final",
        "app_disabled",
    ),
    _sdk(
        "ui.request",
        sdk.SdkUiRequestParams,
        sdk.SdkUiRequestResult,
        "Ask the user one of the four standard questions.",
        "interaction_request_invalid",
        "renderer_unavailable",
        "call_not_found",
        "call_already_final",
        "app_disabled",
        "limit_exceeded",
    ),
    _sdk("ui.get", sdk.SdkInteractionParams, sdk.SdkUiGetResult, "Read an own interaction."),
    _sdk(
        "ui.subscribe", sdk.SdkParams, sdk.SdkRecordsResult, "Hear answers; the open and recent records come at once."
    ),
    _sdk("ui.unsubscribe", sdk.SdkParams, Empty, "Hear no more answers."),
    _sdk(
        "ui.cancel",
        sdk.SdkUiCancelParams,
        CommandReceipt,
        "Take an own question back.",
        "interaction_not_found",
        "interaction_already_final",
    ),
    _sdk("lifecycle.requestForeground", sdk.SdkParams, CommandReceipt, "Ask for the front.", "lifecycle_denied"),
    _sdk("lifecycle.requestBackground", sdk.SdkParams, CommandReceipt, "Ask to go one place down.", "lifecycle_denied"),
    _sdk("lifecycle.requestClose", sdk.SdkReasonParams, CommandReceipt, "Ask to be closed.", "lifecycle_denied"),
    _sdk(
        "surfaces.requestOpen",
        sdk.SdkSurfacesRequestOpenParams,
        sdk.SdkSurfacesRequestOpenResult,
        "Open a surface; the same key is the same surface.",
        "surface_denied",
        "surface_patch_invalid",
        "app_disabled",
        "limit_exceeded",
    ),
    _sdk(
        "surfaces.get",
        sdk.SdkSurfaceParams,
        sdk.SdkSurfacesGetResult,
        "Read a surface's state.",
        "surface_not_found",
        surface=True,
    ),
    _sdk(
        "surfaces.update",
        sdk.SdkSurfacesUpdateParams,
        sdk.SdkSurfacesUpdateResult,
        "Merge a patch into a surface's state.",
        "surface_not_found",
        "surface_patch_invalid",
        "surface_revision_conflict",
        surface=True,
    ),
    _sdk(
        "surfaces.emit",
        sdk.SdkSurfacesEmitParams,
        CommandReceipt,
        "Tell the instance that something happened in its surface.",
        "surface_not_found",
        "limit_exceeded",
        surface=True,
    ),
    _sdk(
        "surfaces.submit",
        sdk.SdkSurfacesSubmitParams,
        sdk.SdkSurfacesSubmitResult,
        "Hand in an artifact.",
        "surface_not_found",
        "artifact_invalid",
        "limit_exceeded",
        surface=True,
    ),
    _sdk(
        "surfaces.requestClose",
        sdk.SdkSurfaceParams,
        CommandReceipt,
        "Close a surface, and nothing else.",
        "surface_not_found",
        surface=True,
    ),
    _sdk(
        "capabilities.request",
        sdk.SdkCapabilitiesRequestParams,
        sdk.SdkCapabilitiesRequestResult,
        "Ask for something that only the Host can do.",
        "capability_denied",
        "app_disabled",
        "renderer_unavailable",
        "limit_exceeded",
    ),
    _sdk(
        "conversation.sendText",
        sdk.SdkConversationSendTextParams,
        CommandReceipt,
        "Send the user's text to the Agent.",
        "limit_exceeded",
        system=True,
    ),
    _sdk(
        "renderer.subscribe",
        sdk.SdkParams,
        sdk.SdkRecordsResult,
        "See the Agent's interactions, read only, to give them a place in the timeline.",
        system=True,
    ),
    _sdk("renderer.unsubscribe", sdk.SdkParams, Empty, "See no more of them.", system=True),
    # -- surfaces, Host side
    _host(
        "surface.attach",
        SurfaceParams,
        SurfaceAttachResult,
        "Show a surface: its state, its document and a new token.",
        "surface_not_found",
    ),
    _host("surface.detach", SurfaceParams, Empty, "Show it no more; its token is revoked.", "surface_not_found"),
    _host("surface.fail", SurfaceFailParams, Empty, "The Host could not show it.", "surface_not_found"),
    _host("artifact.get", ArtifactGetParams, StoredArtifact, "Read an artifact.", "artifact_not_found"),
    # -- renderer
    _host("renderer.list", ConversationParams, RendererListResult, "List the questions that are not final."),
    _host(
        "renderer.presented",
        InteractionParams,
        InteractionStatusResult,
        "The user sees the question.",
        "interaction_not_found",
        "interaction_already_final",
    ),
    _host(
        "renderer.submit",
        RendererSubmitParams,
        InteractionStatusResult,
        "The user's answer.",
        "interaction_not_found",
        "interaction_already_final",
        "interaction_result_invalid",
    ),
    _host(
        "renderer.cancel",
        RendererCancelParams,
        InteractionStatusResult,
        "The user dismissed the question.",
        "interaction_not_found",
        "interaction_already_final",
    ),
    _host(
        "renderer.saveDraft",
        RendererSaveDraftParams,
        Empty,
        "Keep what the user has typed so far.",
        "interaction_not_found",
        "interaction_already_final",
        "interaction_result_invalid",
        "limit_exceeded",
    ),
    # -- transport
    _host(
        "transport.deliver",
        TransportDeliverParams,
        TransportDeliverResult,
        "Hand in an Agent's envelope; answered after the commit. Its refusals stand in the result.",
    ),
    _host("transport.ack", TransportAckParams, TransportAckResult, "The Agent's side has these outbox rows."),
    _host(
        "transport.setOnline", TransportSetOnlineParams, TransportSetOnlineResult, "Open or close the way to the Agent."
    ),
    # -- capabilities
    _host(
        "capability.resolve",
        CapabilityResolveParams,
        Empty,
        "What the Host's provider made of a request.",
        "capability_request_not_found",
    ),
]

METHODS: dict[str, Method] = {method.name: method for method in _ROWS}
"""Every method, by name."""
