"""Envelopes between an Agent and the Runtime, through the Host's transport (PROTOCOL 7)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from rpc_schema import limits
from rpc_schema.base import Gone, Id, JsonObject, JudgedBy, LooseScope, Maybe, Reason, Timestamp, Wire
from rpc_schema.errors import RefusalCode
from rpc_schema.inbox import MessageFormat
from rpc_schema.interactions import InteractionKind
from rpc_schema.manifest import AdvertisedTool
from rpc_schema.tools import ToolCallOutcome, ToolError, ToolProgress

MessageText = Annotated[str, StringConstraints(min_length=1, max_length=limits.MAX_MESSAGE_TEXT)]
"""A chat message, 1 to 32 000 characters."""


class Peer(Wire):
    """Whom the Host's transport authenticated."""

    agent_id: Id
    conversation_id: Id


# -- Agent to Runtime


class AppSessionContext(Wire):
    """The app session that a question is about."""

    app_session_id: Id


class MessagePayload(Wire):
    """``lineup.v1.message``: text to the Inbox of ``app_scope`` (default ``chat``)."""

    text: MessageText
    format: MessageFormat = "markdown"


class ToolInvokePayload(Wire):
    """``lineup.v1.tool.invoke``: call a Tool of the inventory. The context is for interactive Tools only."""

    call_id: Id
    tool_id: Annotated[str, StringConstraints(min_length=1, max_length=limits.MAX_ID)]
    inventory_revision: Annotated[str, StringConstraints(min_length=1, max_length=limits.MAX_ID)]
    input: JsonObject
    app_session_context: Maybe[AppSessionContext] = None


class ToolCallPayload(Wire):
    """``lineup.v1.tool.call``: the older form of invoking ``interaction.<kind>``, without a revision.

    ``request`` is one of the standard requests; its own ``kind`` may be left out.
    """

    call_id: Id
    kind: InteractionKind
    request: JsonObject
    app_session_context: Maybe[AppSessionContext] = None


class ControlPayload(Wire):
    """``lineup.v1.tool.cancel`` and ``lineup.v1.interaction.dismiss``: give up a call, take back a question."""

    control_id: Id
    call_id: Id
    reason: Reason = ""


class Envelope(Wire):
    """What an Agent sends. Ownership fields, where given, must say what the peer says."""

    type: Annotated[str, StringConstraints(min_length=1, max_length=limits.MAX_ID)]
    message_id: Id
    payload: JsonObject
    app_scope: Maybe[LooseScope] = None
    instance_id: Maybe[Id] = None
    agent_id: Maybe[Id] = None
    conversation_id: Maybe[Id] = None
    sent_at: Maybe[Annotated[str, StringConstraints(min_length=1, max_length=limits.MAX_ID)]] = None


AGENT_ENVELOPES: dict[str, type[Wire]] = {
    "lineup.v1.message": MessagePayload,
    "lineup.v1.tool.invoke": ToolInvokePayload,
    "lineup.v1.tool.call": ToolCallPayload,
    "lineup.v1.tool.cancel": ControlPayload,
    "lineup.v1.interaction.dismiss": ControlPayload,
}
"""What an Agent may send, by type."""


ControlOutcome = Literal["cancelled", "dismissed", "already_final", "not_found"]


class ControlReceipt(Wire):
    """What became of a cancel or dismiss; the same for every replay of its ``control_id``."""

    control_id: Id
    call_id: Id
    outcome: ControlOutcome


class TransportDeliverParams(Wire):
    """An envelope and whom the Host's transport authenticated as its sender."""

    peer: Peer
    envelope: Annotated[dict[str, Any], JudgedBy(Envelope)]


class TransportDeliverResult(Wire):
    """What became of the envelope, after the commit. ``duplicate`` repeats the first code, message and receipt."""

    status: Literal["accepted", "duplicate", "rejected"]
    code: RefusalCode | None
    message: str | None
    receipt: ControlReceipt | None


class TransportAckParams(Wire):
    """Outbox rows that the Agent's side has taken over."""

    outbox_ids: list[Annotated[str, StringConstraints(max_length=limits.MAX_ID)]] = Field(max_length=limits.MAX_ACK)


class TransportAckResult(Wire):
    """How many of them were open."""

    acked: int


class TransportSetOnlineParams(Wire):
    """Whether the way to the Agent is open."""

    online: bool


class TransportSetOnlineResult(Wire):
    """How many outbox rows are not acked yet."""

    pending: int


# -- Runtime to Agent (outbox)


class AppVersion(Wire):
    """An app of the inventory."""

    app_scope: str
    version: str


class ClientInventoryPayload(Wire):
    """``lineup.v1.client.inventory``: the Tools, apps and capabilities as they are now."""

    revision: str
    tools: list[AdvertisedTool]
    apps: list[AppVersion]
    capabilities: list[str]


class UserMessagePayload(Wire):
    """``lineup.v1.message``: text from the user."""

    text: str
    format: MessageFormat
    client_message_id: Id


class ToolProgressPayload(Wire):
    """``lineup.v1.tool.progress``: ``seq`` counts up within a call; one that was replaced is left out."""

    call_id: Id
    seq: int
    progress: ToolProgress


class ToolResultPayload(Wire):
    """``lineup.v1.tool.result``: the one ending of a call."""

    call_id: Id
    status: ToolCallOutcome
    result: Maybe[JsonObject] = None
    error: Maybe[ToolError] = None
    reason: Maybe[
        Literal[
            "app_cancelled",
            "agent_cancelled",
            "app_closed",
            "user_cancelled",
            "dismissed",
            "timeout",
            "no_answer",
            "never_presented",
        ]
    ] = None
    message: Maybe[str] = None


class ToolRejectedPayload(Wire):
    """``lineup.v1.tool.rejected``: the invoke was refused.

    With ``inventory_revision_mismatch``, and only there, comes the Tool as it is now, or null if it is gone.
    """

    call_id: Id
    code: RefusalCode
    message: str
    inventory_revision: str
    tool: Maybe[AdvertisedTool | Gone] = None


class AppSessionOpenedPayload(Wire):
    """``lineup.v1.app.session.opened``: the stable id of a sub-conversation about an app."""

    app_session_id: Id
    app_scope: str
    call_id: Maybe[Id] = None


class AppSessionClosedPayload(Wire):
    """``lineup.v1.app.session.closed``: what ended with it and what still waits for the user."""

    app_session_id: Id
    app_scope: str
    reason: str
    cancelled_call_ids: list[str]
    pending_interaction_call_ids: list[str]


RUNTIME_ENVELOPES: dict[str, type[Wire]] = {
    "lineup.v1.client.inventory": ClientInventoryPayload,
    "lineup.v1.message": UserMessagePayload,
    "lineup.v1.tool.progress": ToolProgressPayload,
    "lineup.v1.tool.result": ToolResultPayload,
    "lineup.v1.tool.rejected": ToolRejectedPayload,
    "lineup.v1.app.session.opened": AppSessionOpenedPayload,
    "lineup.v1.app.session.closed": AppSessionClosedPayload,
}
"""What the Runtime sends, by type."""


class OutgoingEnvelope(Wire):
    """What the Runtime sends to an Agent; ``message_id`` is the outbox row's id."""

    type: str
    message_id: Id
    conversation_id: Id
    payload: JsonObject
    sent_at: Timestamp
