"""The renderer protocol: the only way a user's answer comes in (PROTOCOL 6)."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from rpc_schema import limits
from rpc_schema.base import Empty
from rpc_schema.interactions import InteractionStatus
from rpc_schema.renderer import (
    ConversationParams,
    InteractionParams,
    InteractionStatusResult,
    RendererCancelParams,
    RendererListResult,
    RendererSaveDraftParams,
    RendererSubmitParams,
)
from sidecar.domain.answer import check_answer
from sidecar.domain.refusal import Refusal, over
from sidecar.services import interactions, records
from sidecar.services.unit import Unit
from sidecar.services.workspace import stack_in
from sidecar.store import interactions as rows

if TYPE_CHECKING:
    from sidecar.store import tables


def list_items(unit: Unit, params: ConversationParams) -> RendererListResult:
    """``renderer.list``: what is not final, oldest first."""
    stack = stack_in(unit, params.conversation_id)
    return RendererListResult(items=records.items(unit, rows.open_in(unit.tx, params.conversation_id), stack))


def presented(unit: Unit, params: InteractionParams) -> InteractionStatusResult:
    """``renderer.presented``: the user sees it."""
    row = interactions.present(unit, _open(unit, params.interaction_id))
    return InteractionStatusResult(status=cast("InteractionStatus", row.status))


def submit(unit: Unit, params: RendererSubmitParams) -> InteractionStatusResult:
    """``renderer.submit``: an answer that does not fit leaves the question open."""
    row = _open(unit, params.interaction_id)
    result = check_answer(row.kind, row.request, params.result)
    return InteractionStatusResult(status=interactions.answer(unit, row, result))


def cancel(unit: Unit, params: RendererCancelParams) -> InteractionStatusResult:
    """``renderer.cancel``: the user dismissed it."""
    row = _open(unit, params.interaction_id)
    interactions.end(unit, row, "cancel", "user_cancelled", message=params.reason or None)
    return InteractionStatusResult(status="cancelled")


def save_draft(unit: Unit, params: RendererSaveDraftParams) -> Empty:
    """``renderer.saveDraft``: kept until the question is final."""
    row = _open(unit, params.interaction_id)
    if row.kind != "input":
        raise Refusal("interaction_result_invalid", "Only an input takes a draft.")
    size = len(params.draft.model_dump_json().encode())
    if size > limits.MAX_DRAFT:
        raise over("draft_bytes", limits.MAX_DRAFT, size)
    text = params.draft.model_dump_json(ensure_ascii=True)
    _, open_size = rows.size_in(unit.tx, row.conversation_id)
    interactions.check_size(open_size - len(row.draft or "") + len(text))
    rows.set_draft(unit.tx, row.interaction_id, text)
    unit.note(row.interaction_id, of=row)
    unit.touch(row.conversation_id)
    return Empty()


def _open(unit: Unit, interaction_id: str) -> tables.Interaction:
    row = rows.get(unit.tx, interaction_id)
    if row is None:
        raise Refusal("interaction_not_found")
    if not interactions.is_open(row):
        raise Refusal("interaction_already_final", status=row.status)
    return row
