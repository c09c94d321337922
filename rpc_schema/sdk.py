"""Params and results of MiniApp SDK v1 (PROTOCOL 4). Every params object carries the token, and no owner."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from rpc_schema import limits
from rpc_schema.base import Id, JsonObject, JudgedBy, Maybe, Reason, Text, Timestamp, Token, Whole, Wire
from rpc_schema.envelopes import MessageText
from rpc_schema.inbox import MiniAppMessage
from rpc_schema.interactions import InteractionStatus, StandardInteractionRecord, StandardInteractionRequest
from rpc_schema.surfaces import Artifact, SurfaceRequest
from rpc_schema.tools import MiniAppToolCall, ToolFailure, ToolProgress
from rpc_schema.workspace import CommandReceipt

CallId = Annotated[str, StringConstraints(max_length=limits.MAX_ID)]
"""An id as the caller gives it; an unknown one is refused, not malformed."""


class SdkParams(Wire):
    """The token alone says which instance speaks."""

    context_token: Token


class SdkInboxListParams(SdkParams):
    """Un-acknowledged messages after one that was seen."""

    after_message_id: Maybe[CallId] = None
    limit: Annotated[int, Field(ge=1, le=limits.MAX_INBOX_LIST)] = limits.MAX_INBOX_LIST


class SdkMessagesResult(Wire):
    """Messages, oldest first."""

    messages: list[MiniAppMessage]


class SdkInboxAcknowledgeParams(SdkParams):
    """The message that the MiniApp has taken over."""

    message_id: CallId


class SdkInboxAcknowledgeResult(Wire):
    """``false`` where it had been acknowledged before."""

    acknowledged: bool


class SdkToolsSubscribeResult(Wire):
    """The calls that wait (and run from now on) and those that run."""

    calls: list[MiniAppToolCall]


class SdkCallParams(SdkParams):
    """A call of the instance."""

    call_id: CallId


class SdkToolsGetResult(Wire):
    """The call, or null."""

    call: MiniAppToolCall | None


class SdkToolsReportProgressParams(SdkCallParams):
    """How far the call is."""

    progress: ToolProgress


class SdkToolsCompleteParams(SdkCallParams):
    """The result; it must fit the Tool's output schema, else ``tool_output_invalid``."""

    result: Annotated[Any, JudgedBy(dict[str, Any])]


class SdkToolsFailParams(SdkCallParams):
    """Why it failed."""

    failure: ToolFailure


class SdkReasonCallParams(SdkCallParams):
    """A call, and why."""

    reason: Reason = ""


class SdkUiOptions(Wire):
    """How a question hangs together with the app's work and how it would like to be shown."""

    parent_call_id: Maybe[CallId] = None
    presentation: Literal["default", "inline", "modal"] = "default"


class SdkUiRequestParams(SdkParams):
    """A question to the user; its owner is the instance that the token names."""

    request: Annotated[Any, JudgedBy(StandardInteractionRequest)]
    options: SdkUiOptions = SdkUiOptions()


class SdkUiRequestResult(Wire):
    """The question was stored; its answer comes on ``sdk.ui``."""

    interaction_id: Id
    status: InteractionStatus
    expires_at: Timestamp | None


class SdkInteractionParams(SdkParams):
    """An interaction of the instance."""

    interaction_id: CallId


class SdkUiCancelParams(SdkInteractionParams):
    """An interaction of the instance, and why it is taken back."""

    reason: Reason = ""


class SdkUiGetResult(Wire):
    """The record, or null."""

    record: StandardInteractionRecord | None


class SdkRecordsResult(Wire):
    """Interaction records: the open ones and, for ``sdk.ui``, the newest 50 that ended within 24 h."""

    records: list[StandardInteractionRecord]


class SdkReasonParams(SdkParams):
    """Why."""

    reason: Reason = ""


class SdkSurfacesRequestOpenParams(SdkParams):
    """The surface to open."""

    request: SurfaceRequest


class SdkSurfacesRequestOpenResult(CommandReceipt):
    """The surface, opened or found, with its state."""

    surface_id: Id
    revision: int
    state: JsonObject


class SdkSurfaceParams(SdkParams):
    """A surface of the caller."""

    surface_id: CallId


class SdkSurfacesGetResult(Wire):
    """The surface's state."""

    surface_id: Id
    revision: int
    state: JsonObject


class SdkSurfacesUpdateParams(SdkSurfaceParams):
    """A JSON Merge Patch (RFC 7396) onto the state."""

    patch: Annotated[Any, JudgedBy(dict[str, Any])]
    base_revision: Maybe[Whole] = None


class SdkSurfacesUpdateResult(CommandReceipt):
    """The revision after the patch."""

    revision: int


class SdkSurfacesEmitParams(SdkSurfaceParams):
    """Something happened in the surface; it reaches the instance's Inbox."""

    event: Annotated[str, StringConstraints(min_length=1, max_length=limits.MAX_ID)]
    payload: Maybe[JsonObject] = None


class SdkSurfacesSubmitParams(SdkSurfaceParams):
    """Something made in the surface, to be kept."""

    artifact: Annotated[Any, JudgedBy(Artifact)]


class SdkSurfacesSubmitResult(CommandReceipt):
    """The artifact's id."""

    artifact_id: Id


class SdkCapabilitiesRequestParams(SdkParams):
    """A capability, why, and with which arguments; the outcome comes as ``capability.resolved``."""

    capability: Annotated[str, StringConstraints(min_length=1, max_length=limits.MAX_ID)]
    reason: Text
    arguments: JsonObject


class SdkCapabilitiesRequestResult(CommandReceipt):
    """The request's id."""

    request_id: Id


class SdkConversationSendTextParams(SdkParams):
    """The user's text; a known ``client_message_id`` is the same message."""

    text: MessageText
    client_message_id: Id
