"""What a workspace shows, derived from the store and the session (PROTOCOL 3, RULES 3)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, cast

from rpc_schema.methods import Caller as CallerKind
from rpc_schema.notifications import RendererPresent, SdkContextChanged, WorkspaceChanged
from rpc_schema.surfaces import Container, Surface, SurfaceStatus
from rpc_schema.tools import ToolCallStatus, ToolCallSummary
from rpc_schema.workspace import CapabilityRequest, InstanceState, MiniAppContext, WorkspaceSnapshot
from rpc_schema.workspace import Instance as InstanceView
from sidecar.bundles.manifest import SYSTEM_SCOPE
from sidecar.clock import timestamp
from sidecar.domain.caller import Caller
from sidecar.domain.focus import Stack, top
from sidecar.services import records
from sidecar.services.unit import Unit
from sidecar.store import capability_requests, conversations, instances, interactions, surfaces, tool_calls

if TYPE_CHECKING:
    from sidecar.store import tables


def stack_in(unit: Unit, conversation_id: str) -> Stack:
    """The focus stack of a conversation, bottom to top; empty for one that was never opened."""
    conversation = conversations.get(unit.tx, conversation_id)
    return () if conversation is None else conversations.stack_of(conversation)


def state_of(unit: Unit, row: tables.Instance, front: str | None) -> InstanceState:
    """The derived state of an instance."""
    if not unit.live.connected(row.instance_id):
        return "suspended" if row.connected else "starting"
    return "foreground" if front == row.instance_id else "background"


def context_of(unit: Unit, row: tables.Instance) -> MiniAppContext:
    """Who an instance is, as it may know it."""
    return MiniAppContext(
        app_scope=row.app_scope,
        instance_id=row.instance_id,
        conversation_id=row.conversation_id,
        app_version=row.app_version,
        state=state_of(unit, row, top(stack_in(unit, row.conversation_id))),
        mode="im" if row.app_scope == SYSTEM_SCOPE else None,
    )


def caller_of(unit: Unit, row: tables.Instance, surface_id: str = "") -> Caller:
    """Whom a token makes of its bearer: the logic of an instance, or one of its views."""
    logic: CallerKind = "system" if unit.apps.is_system(row.app_scope) else "miniapp"
    return Caller("surface" if surface_id else logic, row.instance_id, row.app_scope, row.conversation_id, surface_id)


def snapshot(unit: Unit, conversation_id: str) -> WorkspaceSnapshot:
    """All that a Host needs to show a conversation that exists."""
    conversation = cast("tables.Conversation", conversations.get(unit.tx, conversation_id))
    stack = conversations.stack_of(conversation)
    return WorkspaceSnapshot(
        conversation_id=conversation_id,
        agent_id=conversation.agent_id,
        revision=conversation.revision,
        foreground=top(stack),
        focus_stack=list(stack),
        instances=_instances(unit, instances.live_in(unit.tx, conversation_id), stack),
        surfaces=[surface_view(row) for row in surfaces.open_in(unit.tx, conversation_id)],
        interactions=records.items(unit, interactions.open_in(unit.tx, conversation_id), stack),
        tool_calls=[_call_summary(row) for row in tool_calls.open_in(unit.tx, conversation_id)],
        capability_requests=[request_view(r) for r in capability_requests.requested_in(unit.tx, conversation_id)],
    )


def announce(unit: Unit) -> None:
    """Tell the Host, and the instances whose state changed, what became of each rearranged workspace."""
    for conversation_id in sorted(unit.rearranged):
        conversation = cast("tables.Conversation", conversations.get(unit.tx, conversation_id))
        stack = conversations.stack_of(conversation)
        rows = instances.live_in(unit.tx, conversation_id)
        unit.tell_host(
            "workspace.changed",
            WorkspaceChanged(
                conversation_id=conversation_id,
                revision=conversation.revision,
                foreground=top(stack),
                focus_stack=list(stack),
                instances=_instances(unit, rows, stack),
            ),
        )
        for row in rows:
            _tell_context(unit, row, top(stack))
        _place_again(unit, conversation_id, stack)


def _tell_context(unit: Unit, row: tables.Instance, front: str | None) -> None:
    link = unit.live.links.get(row.instance_id)
    if link is None or not link.connected:
        return
    state = state_of(unit, row, front)
    if link.told_state and link.told_state != state:
        context = context_of(unit, row)
        unit.tell(
            row.instance_id, "sdk.context.changed", SdkContextChanged(instance_id=row.instance_id, context=context)
        )
    if link.told_state != state:
        unit.live.changing().links[row.instance_id].told_state = state


def _place_again(unit: Unit, conversation_id: str, stack: Stack) -> None:
    """Present again each question whose place changed with the front."""
    before = unit.fronts.get(conversation_id, top(stack))
    if before == top(stack):
        return
    for row in interactions.open_in(unit.tx, conversation_id):
        place = records.placement(unit, row, stack)
        if place != records.placement(unit, row, (before,) if before else ()):
            unit.tell_host("renderer.present", RendererPresent(item=records.item(unit, row, stack)))


def set_stack(unit: Unit, conversation_id: str, before: Stack, after: Stack) -> None:
    """Change the focus."""
    if before != after:
        front = top(before)
        unit.fronts.setdefault(conversation_id, front)
        if front is not None and front != top(after):
            unit.live.leave_front(front)
        conversations.set_stack(unit.tx, conversation_id, after)
        unit.rearrange(conversation_id)


# -- rows as the wire says them


def instance_view(unit: Unit, row: tables.Instance, front: str | None) -> InstanceView:
    """An instance as a Host sees it."""
    return InstanceView(
        instance_id=row.instance_id,
        app_scope=row.app_scope,
        app_version=row.app_version,
        conversation_id=row.conversation_id,
        state=state_of(unit, row, front),
        run_by=unit.apps.run_by(row.app_scope),
        mounted=row.instance_id in unit.live.mounted,
        app_session_id=row.app_session_id,
    )


def surface_view(row: tables.Surface) -> Surface:
    """A surface without its state."""
    return Surface(
        surface_id=row.surface_id,
        instance_id=row.instance_id,
        key=row.key,
        title=row.title,
        container=cast("Container", row.container),
        status=cast("SurfaceStatus", row.status),
        revision=row.revision,
    )


def request_view(row: tables.CapabilityRequest) -> CapabilityRequest:
    """A capability request as the Host's provider sees it."""
    return CapabilityRequest(
        request_id=row.request_id,
        instance_id=row.instance_id,
        app_scope=row.app_scope,
        capability=row.capability,
        reason=row.reason,
        arguments=json.loads(row.arguments),
    )


def _instances(unit: Unit, rows: list[tables.Instance], stack: Stack) -> list[InstanceView]:
    return [instance_view(unit, row, top(stack)) for row in rows]


def _call_summary(row: tables.ToolCall) -> ToolCallSummary:
    return ToolCallSummary(
        call_id=row.call_id,
        tool_id=row.tool_id,
        status=cast("ToolCallStatus", row.status),
        instance_id=row.instance_id,
        updated_at=timestamp(row.updated_at),
    )
