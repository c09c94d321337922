"""Starting the worker of an instance that is needed (RULES 3 and 6)."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from sidecar.bundles.manifest import SYSTEM_SCOPE
from sidecar.domain.focus import top
from sidecar.services.unit import Unit
from sidecar.services.workspace import stack_in
from sidecar.store import inbox, instances, interactions, tool_calls

if TYPE_CHECKING:
    from sidecar.store import tables


def wake(unit: Unit, instance: tables.Instance, *, anew: bool = False) -> None:
    """Have the instance's worker run after the commit, where a worker runs it, the app is on and a session has begun.

    ``anew`` is said by an invoke, an open or a foreground: it forgets that the worker has failed for good.
    """
    if not unit.live.session_id or not unit.apps.enabled(instance.app_scope):
        return
    if unit.apps.run_by(instance.app_scope) == "worker":
        folder = unit.apps.bundles[instance.app_scope].folder
        unit.later.append(partial(_start, unit, instance.instance_id, instance.app_scope, folder, anew))


def _start(unit: Unit, instance_id: str, app_scope: str, folder: Path, anew: bool) -> None:
    if unit.apps.run_by(app_scope) == "worker":  # a session that began in the same group may have given it to the Host
        unit.runtime.workers.want(instance_id, folder, anew=anew)


def wake_needed(unit: Unit, conversation_id: str) -> None:
    """Have run what an opened workspace needs: the front, Interact, and whatever something waits for (RULES 6)."""
    front = top(stack_in(unit, conversation_id))
    for row in instances.live_in(unit.tx, conversation_id):
        needed = row.instance_id == front or row.app_scope == SYSTEM_SCOPE or _something_waits(unit, row)
        if needed and not unit.live.connected(row.instance_id):
            wake(unit, row)


def is_needed(unit: Unit, row: tables.Instance) -> bool:
    """Whether something waits for an instance whose logic a worker runs and may run now."""
    runs = unit.apps.enabled(row.app_scope) and unit.apps.run_by(row.app_scope) == "worker"
    return runs and _something_waits(unit, row)


def _something_waits(unit: Unit, row: tables.Instance) -> bool:
    return bool(
        tool_calls.count_of(unit.tx, row.instance_id)
        or inbox.count_of(unit.tx, row.instance_id)
        or interactions.has_answered(unit.tx, row.instance_id)
    )


def wake_front(unit: Unit, conversation_id: str) -> None:
    """Have the logic of the instance in front run, in a workspace that the Host has opened."""
    if conversation_id not in unit.live.opened:
        return
    front = top(stack_in(unit, conversation_id))
    row = None if front is None else instances.live(unit.tx, front)
    if row is not None and not unit.live.connected(row.instance_id):
        wake(unit, row)
