"""Switching MiniApps on and off, listing them, and telling Agents of a changed inventory (RULES 3 and 7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rpc_schema.base import Empty
from rpc_schema.workspace import MiniAppEntry, MiniAppListResult, MiniAppSetEnabledParams, MiniAppSetEnabledResult
from sidecar.domain.refusal import Refusal
from sidecar.services import calls, capabilities, inbox, interactions, outbox, waking
from sidecar.services.unit import Unit
from sidecar.store import conversations, instances, miniapps

if TYPE_CHECKING:
    from sidecar.store import tables


def list_miniapps(unit: Unit, _params: Empty) -> MiniAppListResult:
    """``miniapp.list``."""
    return MiniAppListResult(
        miniapps=[
            MiniAppEntry(
                manifest=bundle.manifest,
                enabled=unit.apps.enabled(scope),
                run_by=unit.apps.run_by(scope),
                unavailable=unit.apps.unavailable(scope),
            )
            for scope, bundle in sorted(unit.apps.bundles.items())
        ]
    )


def set_enabled(unit: Unit, params: MiniAppSetEnabledParams) -> MiniAppSetEnabledResult:
    """``miniapp.setEnabled``: off keeps the instances and delivers nothing; on delivers what waited."""
    scope = params.app_scope
    if scope not in unit.apps.bundles:
        raise Refusal("app_instance_not_found", "No such MiniApp.")
    if unit.apps.is_system(scope):
        raise Refusal("lifecycle_denied", "The system MiniApp cannot be switched off.")
    if unit.apps.enabled(scope) != params.enabled:
        miniapps.set_enabled(unit.tx, scope, params.enabled)
        unit.apps.set_enabled(scope, params.enabled)
        unit.note(scope, enabled=params.enabled)
        for row in instances.live_everywhere(unit.tx):
            if row.app_scope == scope:
                (_deliver_all if params.enabled else capabilities.deny_open)(unit, row)
        tell_everyone(unit)
    return MiniAppSetEnabledResult(inventory_revision=unit.apps.inventory.revision)


def tell_everyone(unit: Unit) -> None:
    """Tell each open conversation the inventory, where it was told another one last."""
    for conversation in conversations.every(unit.tx):
        outbox.say_inventory(unit, conversation)


def _deliver_all(unit: Unit, row: tables.Instance) -> None:
    waited = [
        calls.hand_over(unit, row),
        inbox.deliver_backlog(unit, row),
        interactions.deliver_records(unit, row),
    ]
    if any(waited) and not unit.live.connected(row.instance_id):
        waking.wake(unit, row)
    waking.wake_front(unit, row.conversation_id)
