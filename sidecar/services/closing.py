"""Closing an instance: one path for user, MiniApp and policy, one transaction (RULES 3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from rpc_schema import limits
from rpc_schema.envelopes import AppSessionClosedPayload
from rpc_schema.notifications import SdkLifecycleClosing, SurfaceClosed
from sidecar.bundles.manifest import SYSTEM_SCOPE
from sidecar.domain.focus import without
from sidecar.domain.refusal import Refusal
from sidecar.services import calls, interactions, outbox, waking, workspace
from sidecar.services.unit import Unit
from sidecar.store import capability_requests, instances, surfaces, tool_calls
from sidecar.store import interactions as interaction_rows
from sidecar.store.capability_requests import CAPABILITY_REQUEST
from sidecar.store.instances import APP_SESSION, INSTANCE
from sidecar.store.surfaces import SURFACE

if TYPE_CHECKING:
    from sidecar.store import tables


def close(unit: Unit, row: tables.Instance, reason: str) -> None:
    """Release an instance and converge all that it had open.

    Raises:
        Refusal: ``lifecycle_denied`` for Interact, which is in every workspace.
    """
    if row.app_scope == SYSTEM_SCOPE:
        raise Refusal("lifecycle_denied", "Interact is in every workspace and is never closed.")
    cancelled = _cancel_calls(unit, row)
    _cancel_own_questions(unit, row)
    for surface in surfaces.open_of(unit.tx, row.instance_id):
        close_surface(unit, surface, "app_closed")
    unit.tx.move(INSTANCE, row, "close", unit.act(row.instance_id, of=row, reason=reason), now=unit.now)
    _close_session(unit, row, reason, cancelled)
    _leave_stack(unit, row)
    waking.wake_front(unit, row.conversation_id)
    news = SdkLifecycleClosing(instance_id=row.instance_id, reason=reason, deadline_ms=limits.CLOSING_GRACE_MS)
    unit.tell(row.instance_id, "sdk.lifecycle.closing", news)
    unit.live.forget(row.instance_id)
    workers, instance_id = unit.runtime.workers, row.instance_id
    unit.later.append(lambda: workers.end(instance_id, limits.CLOSING_GRACE_MS))


def close_surface(unit: Unit, surface: tables.Surface, reason: str) -> None:
    """Close one surface and revoke its token; nothing else closes with it."""
    act = unit.act(surface.surface_id, of=surface, reason=reason)
    unit.tx.move(SURFACE, surface, "close", act, now=unit.now)
    unit.live.revoke_surface(surface.surface_id)
    unit.touch(surface.conversation_id)
    unit.tell_host("surface.closed", SurfaceClosed(surface_id=surface.surface_id, reason=reason))


def _cancel_calls(unit: Unit, row: tables.Instance) -> list[str]:
    open_calls = tool_calls.open_of(unit.tx, row.instance_id)
    for call in open_calls:
        calls.end(unit, call, "cancel", reason="app_closed")
    return [call.call_id for call in open_calls]


def _cancel_own_questions(unit: Unit, row: tables.Instance) -> None:
    for request in capability_requests.open_of(unit.tx, row.instance_id):
        act = unit.act(request.request_id, of=request, reason="app_closed")
        unit.tx.move(CAPABILITY_REQUEST, request, "cancel", act, now=unit.now, due_at=None)
    for question in interaction_rows.open_of(unit.tx, row.instance_id):
        interactions.end(unit, question, "cancel", "app_closed")


def _close_session(unit: Unit, row: tables.Instance, reason: str, cancelled: list[str]) -> None:
    if row.app_session_id is None:
        return
    session = cast("tables.AppSession", instances.session(unit.tx, row.app_session_id))
    unit.tx.move(APP_SESSION, session, "close", unit.act(session.app_session_id, of=session), now=unit.now)
    waiting = interaction_rows.open_of_session(unit.tx, row.conversation_id, session.app_session_id)
    payload = AppSessionClosedPayload(
        app_session_id=session.app_session_id,
        app_scope=row.app_scope,
        reason=reason,
        cancelled_call_ids=cancelled,
        pending_interaction_call_ids=[question.call_id for question in waiting if question.call_id is not None],
    )
    key = f"app.session.closed {session.app_session_id}"
    outbox.say(unit, row.conversation_id, "app.session.closed", payload, unique_key=key)


def _leave_stack(unit: Unit, row: tables.Instance) -> None:
    stack = workspace.stack_in(unit, row.conversation_id)
    interact = instances.live_of(unit.tx, row.conversation_id, SYSTEM_SCOPE)
    fall_to = interact.instance_id if interact is not None and not row.restore_focus else None
    workspace.set_stack(unit, row.conversation_id, stack, without(stack, row.instance_id, fall_to=fall_to))
