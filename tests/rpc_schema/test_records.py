"""Records and payloads carry the fields of the protocol: ``?`` marks what may be absent, all else is always there."""

from __future__ import annotations

import pytest

from rpc_schema import (
    audit,
    envelopes,
    inbox,
    interactions,
    manifest,
    renderer,
    sdk,
    session,
    surface_host,
    surfaces,
    tools,
    workspace,
)
from rpc_schema.base import Wire

RECORD = "interaction_id kind request status result reason created_at updated_at expires_at parent_call_id"
ENTRY = "seq at actor action decision code conversation_id app_scope instance_id subject detail previous_hash hash"
FIELD = "id label type required? placeholder? min_length? max_length? minimum? maximum?"
SOURCES = "app_scope instance_id conversation_id source app_session_id parent_call_id surface_id"
ADVERTISED = "id version handling target input_schema output_schema permissions timeout_ms description?"
DECLARED = "id version handling target input_schema output_schema permissions? timeout_ms? description?"

TABLE: dict[type[Wire], str] = {
    # 2
    session.HostInfo: "name version",
    session.RuntimeInfo: "name version",
    session.Recovered: "conversations instances tool_calls interactions surfaces outbox",
    audit.AuditEntry: ENTRY,
    # 3
    workspace.MiniAppEntry: "manifest enabled run_by unavailable",
    workspace.Instance: "instance_id app_scope app_version conversation_id state run_by mounted app_session_id",
    workspace.MiniAppContext: "app_scope instance_id conversation_id app_version state mode",
    workspace.CapabilityRequest: "request_id instance_id app_scope capability reason arguments",
    tools.ToolCallSummary: "call_id tool_id status instance_id updated_at",
    # 4
    inbox.MiniAppMessage: "message_id type app_scope instance_id conversation_id payload created_at",
    inbox.AgentMessagePayload: "text format",
    inbox.SurfaceEventPayload: "surface_id event payload",
    inbox.SurfaceFailedPayload: "surface_id message",
    inbox.CapabilityResolvedPayload: "request_id outcome result reason message",
    inbox.OutboxDeliveredPayload: "client_message_id",
    tools.MiniAppToolCall: "call_id tool_id input status created_at deadline_at redelivered",
    tools.ToolProgress: "percent? message? state?",
    tools.ToolFailure: "code message retryable? details?",
    sdk.SdkUiOptions: "parent_call_id? presentation?",
    surfaces.SurfaceRequest: "key title entry? container? initial_state?",
    surfaces.Artifact: "name media_type byte_size sha256 content_base64",
    interactions.StandardInteractionRecord: RECORD,
    # 4.1
    interactions.NoticeRequest: "kind title message acknowledge_label?",
    interactions.ChoiceRequest: "kind title prompt mode actions expires_in_ms?",
    interactions.ChoiceAction: "id label description?",
    interactions.ConfirmRequest: "kind title prompt approve_label? cancel_label? expires_in_ms?",
    interactions.InputRequest: "kind title prompt fields submit_label? cancel_label? expires_in_ms?",
    interactions.InputField: FIELD,
    interactions.NoticeResult: "acknowledged",
    interactions.ChoiceResult: "action_ids",
    interactions.ConfirmResult: "approved",
    interactions.InputResult: "values",
    interactions.InputDraft: "values",
    # 5
    surfaces.Surface: "surface_id instance_id key title container status revision",
    surfaces.SurfaceDocument: "html csp sandbox",
    surface_host.SurfaceAttachResult: ("surface_id instance_id container title revision state surface_token document"),
    # 6
    renderer.RendererItem: "record placement draft",
    renderer.RendererRecord: RECORD + " owner call_id",
    renderer.InteractionOwner: SOURCES,
    renderer.Placement: "provider mode instance_id overlay_instance_id",
    # 7
    envelopes.Peer: "agent_id conversation_id",
    envelopes.Envelope: "type message_id payload app_scope? instance_id? agent_id? conversation_id? sent_at?",
    envelopes.ControlReceipt: "control_id call_id outcome",
    envelopes.AppVersion: "app_scope version",
    envelopes.AppSessionContext: "app_session_id",
    manifest.AdvertisedTool: ADVERTISED,
    tools.ToolError: "code message retryable? details?",
    # 10
    manifest.Manifest: "app_scope version kind tools subscriptions requested_capabilities host",
    manifest.ToolDescriptor: DECLARED,
    manifest.ToolTarget: "app_scope requires_foreground restore_previous_focus",
    manifest.Subscription: "topic",
    manifest.HostRequirement: "min_version surface_required",
}


@pytest.mark.parametrize(("model", "fields"), TABLE.items(), ids=lambda one: getattr(one, "__name__", ""))
def test_a_record_has_the_protocols_fields(model: type[Wire], fields: str) -> None:
    said = [field if info.is_required() else f"{field}?" for field, info in model.model_fields.items()]
    assert said == fields.split()


def test_every_inbox_message_type_has_a_payload() -> None:
    assert {name: model.__name__ for name, model in inbox.INBOX_PAYLOADS.items()} == {
        "agent.message": "AgentMessagePayload",
        "surface.event": "SurfaceEventPayload",
        "surface.failed": "SurfaceFailedPayload",
        "capability.resolved": "CapabilityResolvedPayload",
        "outbox.delivered": "OutboxDeliveredPayload",
    }
