"""After a crash or an end: what was running waits, what failed for good is said so (RULES 6)."""

from __future__ import annotations

from rpc_schema import limits
from rpc_schema.notifications import MiniAppFailed
from rpc_schema.session import Recovered
from rpc_schema.tools import ToolError
from sidecar.clock import timestamp
from sidecar.domain.focus import without
from sidecar.services import calls, expiry, interactions, lifecycle, surfaces, waking, workspace
from sidecar.services.unit import Unit
from sidecar.store import conversations, instances, keeping, outbox, tool_calls
from sidecar.store import interactions as interaction_rows
from sidecar.store import surfaces as surface_rows

CRASHED = "app_crashed"


def recover(unit: Unit) -> None:
    """At the start: the overdue expires, and calls that ran wait again."""
    unit.by("runtime", "recovery")
    for instance_id in tool_calls.at_work(unit.tx):
        calls.take_back(unit, instance_id)
    lifecycle.complete_workspaces(unit)
    expiry.run(unit)


def sweep(unit: Unit) -> int:
    """Drop some of what is past its time; how many rows. The audit says where it begins since then."""
    unit.by("runtime", "sweep")
    before = unit.now - limits.KEEP_MS
    dropped = keeping.drop_older_than(unit.tx, before)
    if dropped.rows:
        unit.note(rows=dropped.rows, before=timestamp(before), audit_from=dropped.audit_from)
    return dropped.rows


def recovered(unit: Unit) -> Recovered:
    """What is unfinished, by count."""
    return Recovered(
        conversations=conversations.count(unit.tx),
        instances=instances.count(unit.tx),
        tool_calls=tool_calls.count(unit.tx),
        interactions=interaction_rows.count(unit.tx),
        surfaces=surface_rows.count(unit.tx),
        outbox=outbox.count(unit.tx),
    )


def worker_failed(unit: Unit, instance_id: str) -> None:
    """The process of an instance died for good: what it had open fails, and those who see it are told."""
    unit.by("runtime", "worker.failed")
    row = instances.live(unit.tx, instance_id)
    if row is None:
        return
    unit.note(instance_id, of=row)
    error = ToolError.having(code=CRASHED, message="The MiniApp stopped working.", retryable=True)
    for call in tool_calls.open_of(unit.tx, instance_id):
        calls.end(unit, call, "crash", error=error)
    for question in interaction_rows.open_of(unit.tx, instance_id):
        interactions.end(unit, question, "fail", CRASHED)
    for surface in surface_rows.open_of(unit.tx, instance_id):
        surfaces.fail_surface(unit, surface)
    stack = workspace.stack_in(unit, row.conversation_id)
    below = (instance_id, *without(stack, instance_id))
    workspace.set_stack(unit, row.conversation_id, stack, below)
    waking.wake_front(unit, row.conversation_id)
    news = MiniAppFailed(
        instance_id=instance_id,
        app_scope=row.app_scope,
        code=CRASHED,
        message="Its process died three times within a minute; invoke, open or foreground it to start it anew.",
    )
    unit.tell_host("miniapp.failed", news)
