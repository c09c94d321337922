"""Instances come, come forward, go down; the Host mounts and unmounts them (RULES 3 and 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from rpc_schema import limits
from rpc_schema.base import Empty
from rpc_schema.envelopes import AppSessionOpenedPayload
from rpc_schema.sdk import SdkParams, SdkReasonParams
from rpc_schema.workspace import (
    CommandReceipt,
    InstanceParams,
    InstanceReasonParams,
    MiniAppContext,
    MiniAppMountResult,
    MiniAppOpenParams,
    MiniAppOpenResult,
    WorkspaceOpenParams,
    WorkspaceSnapshot,
)
from sidecar.bundles.manifest import SYSTEM_SCOPE
from sidecar.domain.focus import entered_below, lowered, raised, top
from sidecar.domain.refusal import Refusal, over
from sidecar.services import calls, closing, outbox, waking, workspace
from sidecar.services.live import Hearer
from sidecar.services.unit import Unit
from sidecar.store import conversations, instances, surfaces, tool_calls

if TYPE_CHECKING:
    from sidecar.store import tables

# -- making and finding


def open_conversation(
    unit: Unit, conversation_id: str, agent_id: str, known: tables.Conversation | None = None
) -> tables.Conversation:
    """The conversation, opened if it is new: with its Interact instance and its inventory told.

    Raises:
        Refusal: ``envelope_invalid`` where it was opened with another Agent.
    """
    conversation = known or conversations.get(unit.tx, conversation_id)
    if conversation is not None:
        if conversation.agent_id != agent_id:
            raise Refusal("envelope_invalid", "The conversation belongs to another Agent.")
        return conversation
    conversations.add(unit.tx, conversation_id, agent_id, unit.now)
    unit.note(conversation_id, of=conversations.get(unit.tx, conversation_id), agent_id=agent_id)
    if SYSTEM_SCOPE in unit.apps.bundles:
        make_instance(unit, conversation_id, SYSTEM_SCOPE, in_front=True)
    conversation = cast("tables.Conversation", conversations.get(unit.tx, conversation_id))
    outbox.say_inventory(unit, conversation)
    return conversation


def complete_workspaces(unit: Unit) -> None:
    """Give Interact to each conversation that was opened while its bundle was left out: it is in every workspace."""
    if SYSTEM_SCOPE not in unit.apps.bundles:
        return
    complete = {row.conversation_id for row in instances.live_everywhere(unit.tx) if row.app_scope == SYSTEM_SCOPE}
    for conversation in conversations.every(unit.tx):
        if conversation.conversation_id not in complete:
            empty = not conversations.stack_of(conversation)
            make_instance(unit, conversation.conversation_id, SYSTEM_SCOPE, in_front=empty)


def make_instance(
    unit: Unit, conversation_id: str, app_scope: str, *, in_front: bool, call_id: str | None = None
) -> tables.Instance:
    """A new instance, with an app session that the Agent is told of (RULES 4)."""
    manifest = unit.apps.bundles[app_scope].manifest
    instance_id = unit.new_id()
    app_session_id = None if app_scope == SYSTEM_SCOPE else unit.new_id()
    instances.add(
        unit.tx,
        instance_id=instance_id,
        conversation_id=conversation_id,
        app_scope=app_scope,
        app_version=manifest.version,
        app_session_id=app_session_id,
        restore_focus=1,
        created_at=unit.now,
        updated_at=unit.now,
    )
    row = cast("tables.Instance", instances.get(unit.tx, instance_id))
    unit.note(
        instance_id,
        of=row,
        app_version=manifest.version,
        app_session_id=app_session_id,
        call_id=call_id,
        front=in_front,
    )
    stack = workspace.stack_in(unit, conversation_id)
    after = raised(stack, instance_id) if in_front else entered_below(stack, instance_id)
    workspace.set_stack(unit, conversation_id, stack, after)
    if not in_front:
        unit.live.leave_front(instance_id)
    if app_session_id is not None:
        _open_session(unit, row, app_session_id, call_id)
    return row


def check_room(unit: Unit, conversation_id: str) -> None:
    """Whether the conversation may have another instance.

    Raises:
        Refusal: ``limit_exceeded`` at 16.
    """
    count = instances.count_in(unit.tx, conversation_id)
    if count >= limits.MAX_INSTANCES:
        raise over("instances", limits.MAX_INSTANCES, count)


def _open_session(unit: Unit, row: tables.Instance, app_session_id: str, call_id: str | None) -> None:
    instances.add_session(
        unit.tx,
        app_session_id=app_session_id,
        conversation_id=row.conversation_id,
        app_scope=row.app_scope,
        instance_id=row.instance_id,
        created_at=unit.now,
        updated_at=unit.now,
    )
    payload = AppSessionOpenedPayload.having(app_session_id=app_session_id, app_scope=row.app_scope, call_id=call_id)
    outbox.say(
        unit, row.conversation_id, "app.session.opened", payload, unique_key=f"app.session.opened {app_session_id}"
    )


# -- focus


def bring_forward(unit: Unit, row: tables.Instance, *, restore_focus: bool | None) -> None:
    """To the front; ``restore_focus`` is what closing it will mean, None leaves it as it is."""
    stack = workspace.stack_in(unit, row.conversation_id)
    workspace.set_stack(unit, row.conversation_id, stack, raised(stack, row.instance_id))
    if restore_focus is not None and bool(row.restore_focus) != restore_focus:
        instances.set_restore_focus(unit.tx, row.instance_id, restore_focus)


def send_back(unit: Unit, row: tables.Instance) -> None:
    """One place down.

    Raises:
        Refusal: ``lifecycle_denied`` with nothing beneath.
    """
    stack = workspace.stack_in(unit, row.conversation_id)
    after = lowered(stack, row.instance_id)
    if after is None:
        raise Refusal("lifecycle_denied", "Nothing lies beneath this instance.")
    workspace.set_stack(unit, row.conversation_id, stack, after)
    waking.wake_front(unit, row.conversation_id)


# -- the logic of an instance connects and goes


def connect(unit: Unit, row: tables.Instance) -> None:
    """The logic of an instance is there: by mount where the Host runs it, by its first call where a worker does."""
    link = unit.live.links[row.instance_id]
    if link.connected:
        return
    link = unit.live.changing().links[row.instance_id]
    link.connected = True
    if not row.connected:
        instances.set_connected(unit.tx, row.instance_id)
    link.told_state = workspace.context_of(unit, row).state
    unit.rearrange(row.conversation_id)


def disconnect(unit: Unit, row: tables.Instance) -> None:
    """The logic of an instance is gone: its token is void, what it was handed waits."""
    if row.instance_id in unit.live.links:
        unit.live.unlink(row.instance_id)
        calls.take_back(unit, row.instance_id)
        unit.rearrange(row.conversation_id)


# -- the Host's requests


def open_workspace(unit: Unit, params: WorkspaceOpenParams) -> WorkspaceSnapshot:
    """``workspace.open``."""
    open_conversation(unit, params.conversation_id, params.agent_id)
    unit.live.changing().opened.add(params.conversation_id)
    waking.wake_needed(unit, params.conversation_id)
    return workspace.snapshot(unit, params.conversation_id)


def open_app(unit: Unit, params: MiniAppOpenParams) -> MiniAppOpenResult:
    """``miniapp.open``: what a user's click does."""
    scope = params.app_scope
    if scope not in unit.apps.bundles or conversations.get(unit.tx, params.conversation_id) is None:
        raise Refusal("app_instance_not_found", "No such MiniApp or conversation.")
    if not unit.apps.enabled(scope) or unit.apps.unavailable(scope) is not None:
        raise Refusal("app_disabled")
    row = instances.live_of(unit.tx, params.conversation_id, scope)
    if row is None:
        check_room(unit, params.conversation_id)
        row = make_instance(unit, params.conversation_id, scope, in_front=True)
    else:
        bring_forward(unit, row, restore_focus=True)
        unit.note(row.instance_id, of=row)
    waking.wake(unit, row, anew=True)
    return MiniAppOpenResult(instance_id=row.instance_id, app_session_id=row.app_session_id)


def mount(unit: Unit, params: InstanceParams) -> MiniAppMountResult:
    """``miniapp.mount``: the Host attached the container; where it runs the logic, that is connected now."""
    row = live_instance(unit, params.instance_id)
    token = None
    if unit.apps.run_by(row.app_scope) == "host":
        calls.take_back(unit, row.instance_id)
        token = unit.live.grant_context(workspace.caller_of(unit, row), cast("Hearer", unit.live.host))
        connect(unit, row)
        row = live_instance(unit, params.instance_id)
    if row.instance_id not in unit.live.mounted:
        unit.live.changing().mounted.add(row.instance_id)
        unit.rearrange(row.conversation_id)
    unit.note(row.instance_id, of=row)
    return MiniAppMountResult(
        context=workspace.context_of(unit, row),
        context_token=token,
        surfaces=[workspace.surface_view(surface) for surface in surfaces.open_of(unit.tx, row.instance_id)],
    )


def unmount(unit: Unit, params: InstanceReasonParams) -> Empty:
    """``miniapp.unmount``: the container is gone, and with it the views' tokens and a host-run logic."""
    row = live_instance(unit, params.instance_id)
    for surface in surfaces.open_of(unit.tx, row.instance_id):
        unit.live.revoke_surface(surface.surface_id)
    if unit.apps.run_by(row.app_scope) == "host":
        disconnect(unit, row)
    if row.instance_id in unit.live.mounted:
        unit.live.changing().mounted.discard(row.instance_id)
        unit.rearrange(row.conversation_id)
    unit.note(row.instance_id, of=row, reason=params.reason or None)
    return Empty()


def foreground(unit: Unit, params: InstanceParams) -> CommandReceipt:
    """``miniapp.foreground``: the user may always."""
    row = live_instance(unit, params.instance_id)
    bring_forward(unit, row, restore_focus=True)
    waking.wake(unit, row, anew=True)
    return _receipt(unit, row)


def background(unit: Unit, params: InstanceParams) -> CommandReceipt:
    """``miniapp.background``: one place down."""
    row = live_instance(unit, params.instance_id)
    send_back(unit, row)
    return _receipt(unit, row)


def close(unit: Unit, params: InstanceReasonParams) -> CommandReceipt:
    """``miniapp.close``: released, whatever it was doing (RULES 3)."""
    row = live_instance(unit, params.instance_id)
    closing.close(unit, row, params.reason or "user")
    return _receipt(unit, row)


# -- what a MiniApp may ask


def get_context(unit: Unit, _params: SdkParams) -> MiniAppContext:
    """``sdk.context.get``."""
    return workspace.context_of(unit, live_instance(unit, unit.caller.instance_id))


def request_foreground(unit: Unit, _params: SdkParams) -> CommandReceipt:
    """``sdk.lifecycle.requestForeground``: Interact never over another; others only while they have work."""
    row = live_instance(unit, unit.caller.instance_id)
    in_front = top(workspace.stack_in(unit, row.conversation_id)) == row.instance_id
    if row.app_scope == SYSTEM_SCOPE and not in_front:
        raise Refusal("lifecycle_denied", "Interact cannot bring itself in front of another MiniApp.")
    if row.app_scope != SYSTEM_SCOPE and not tool_calls.has_work(unit.tx, row.instance_id):
        raise Refusal("lifecycle_denied", "Only a MiniApp that holds an unfinished call may ask for the foreground.")
    bring_forward(unit, row, restore_focus=None)
    return _receipt(unit, row)


def request_background(unit: Unit, _params: SdkParams) -> CommandReceipt:
    """``sdk.lifecycle.requestBackground``."""
    row = live_instance(unit, unit.caller.instance_id)
    send_back(unit, row)
    return _receipt(unit, row)


def request_close(unit: Unit, params: SdkReasonParams) -> CommandReceipt:
    """``sdk.lifecycle.requestClose``: accepted whatever runs, and converged."""
    row = live_instance(unit, unit.caller.instance_id)
    closing.close(unit, row, params.reason or "app")
    return _receipt(unit, row)


def live_instance(unit: Unit, instance_id: str) -> tables.Instance:
    """The live instance.

    Raises:
        Refusal: ``app_instance_not_found``.
    """
    row = instances.live(unit.tx, instance_id)
    if row is None:
        raise Refusal("app_instance_not_found")
    return row


def _receipt(unit: Unit, row: tables.Instance) -> CommandReceipt:
    if unit.action != "miniapp.close" and not unit.action.endswith("requestClose"):
        unit.note(row.instance_id, of=row)
    return CommandReceipt(command_id=unit.new_id())
