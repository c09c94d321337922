"""Interaction rows as owners and Hosts see them, and where they are shown (RULES 5, PROTOCOL 6)."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, cast

from rpc_schema.interactions import (
    InputDraft,
    InteractionKind,
    InteractionSource,
    InteractionStatus,
    StandardInteractionRecord,
)
from rpc_schema.renderer import InteractionOwner, Placement, RendererItem, RendererRecord
from sidecar.clock import timestamp
from sidecar.domain.focus import Stack
from sidecar.domain.placement import place
from sidecar.services.unit import Unit

if TYPE_CHECKING:
    from sidecar.store import tables


def record(row: tables.Interaction) -> StandardInteractionRecord:
    """An interaction as its owner sees it."""
    return StandardInteractionRecord(**_fields(row))


def items(unit: Unit, rows: Iterable[tables.Interaction], stack: Stack) -> list[RendererItem]:
    """Interactions as the Host shows them."""
    return [item(unit, row, stack) for row in rows]


def item(unit: Unit, row: tables.Interaction, stack: Stack) -> RendererItem:
    """An interaction as the Host shows it."""
    owner = InteractionOwner(
        app_scope=row.app_scope,
        instance_id=row.instance_id,
        conversation_id=row.conversation_id,
        source=cast("InteractionSource", row.source),
        app_session_id=row.app_session_id,
        parent_call_id=row.parent_call_id,
        surface_id=row.surface_id,
    )
    return RendererItem(
        record=RendererRecord(**_fields(row), owner=owner, call_id=row.call_id),
        placement=placement(unit, row, stack),
        draft=None if row.draft is None else InputDraft.model_validate_json(row.draft),
    )


def placement(unit: Unit, row: tables.Interaction, stack: Stack) -> Placement:
    """Where an interaction is shown while that is the focus stack."""
    source = cast("InteractionSource", row.source)
    return place(source, row.instance_id, row.presentation, stack, unit.live.renderers)


def _fields(row: tables.Interaction) -> dict[str, Any]:
    return {
        "interaction_id": row.interaction_id,
        "kind": cast("InteractionKind", row.kind),
        "request": json.loads(row.request),
        "status": cast("InteractionStatus", row.status),
        "result": None if row.result is None else json.loads(row.result),
        "reason": row.reason,
        "created_at": timestamp(row.created_at),
        "updated_at": timestamp(row.updated_at),
        "expires_at": None if row.expires_at is None else timestamp(row.expires_at),
        "parent_call_id": row.parent_call_id,
    }
