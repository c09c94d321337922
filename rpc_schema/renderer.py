"""The renderer protocol: how questions are shown and the only way an answer comes in (PROTOCOL 6)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from rpc_schema.base import Id, JudgedBy, Reason, Wire
from rpc_schema.interactions import (
    InputDraft,
    InteractionSource,
    InteractionStatus,
    StandardInteractionRecord,
    StandardInteractionResult,
)

RendererMode = Literal["im-card", "modal", "sheet", "card"]
"""How a Host can show a question."""


class InteractionOwner(Wire):
    """To whom an interaction belongs; written by the Runtime alone."""

    app_scope: str
    instance_id: str
    conversation_id: str
    source: InteractionSource
    app_session_id: str | None
    parent_call_id: str | None
    surface_id: str | None


class RendererRecord(StandardInteractionRecord):
    """An interaction as the Host sees it; ``call_id`` is the Agent's, null for the others."""

    owner: InteractionOwner
    call_id: str | None


class Placement(Wire):
    """Where a question is shown. ``deferred``: nowhere until its owner is in front."""

    provider: Literal["interact", "runtime"]
    mode: Literal["im-card", "modal", "sheet", "card", "deferred"]
    instance_id: str | None
    overlay_instance_id: str | None


class RendererItem(Wire):
    """A question, its place and what the user has typed so far."""

    record: RendererRecord
    placement: Placement
    draft: InputDraft | None


class ConversationParams(Wire):
    """A conversation."""

    conversation_id: Id


class RendererListResult(Wire):
    """The questions that are not final, oldest first."""

    items: list[RendererItem]


class InteractionParams(Wire):
    """An interaction."""

    interaction_id: Id


class RendererSubmitParams(Wire):
    """The user's answer; one that does not fit is ``interaction_result_invalid`` and leaves the question open."""

    interaction_id: Id
    result: Annotated[Any, JudgedBy(StandardInteractionResult)]


class RendererCancelParams(Wire):
    """The user dismissed the question."""

    interaction_id: Id
    reason: Reason = ""


class RendererSaveDraftParams(Wire):
    """What the user has typed so far; at most 64 KiB."""

    interaction_id: Id
    draft: InputDraft


class InteractionStatusResult(Wire):
    """The status after the act."""

    status: InteractionStatus
