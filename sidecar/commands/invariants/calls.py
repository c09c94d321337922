"""Tool calls: what each status says of the outcome, the clock and what the Agent is told (RULES 2)."""

from __future__ import annotations

from typing import Any

from rpc_schema import limits
from rpc_schema.errors import REFUSAL_CODES
from sidecar.commands.invariants.fault import Faults, check_rows, object_of
from sidecar.commands.invariants.trail import Trail
from sidecar.domain.interactive import kind_of
from sidecar.domain.transitions import CALL_OPEN
from sidecar.services import calls
from sidecar.store import invariants, tables
from sidecar.store.inspection import View

_OUTCOMES = ("completed", "failed", "cancelled")


def check_calls(view: View, trail: Trail) -> int:
    """Each call's columns, outbox row and audit entries agree with its status."""

    def faults(row: Any) -> Faults:
        if row.status == "rejected":
            yield from _faults_of_rejected(row)
        elif row.status in CALL_OPEN:
            yield from _faults_of_open(row)
        else:
            yield from _faults_of_ended(row)
        if row.status not in CALL_OPEN:
            yield from _faults_of_telling(row, trail)
        if object_of(row.input) is None:
            yield "its input is no JSON object"
        yield from trail.faults(tables.ToolCall, (row.conversation_id, row.call_id), row, handed=0, progress_seq=0)

    return check_rows(view, tables.ToolCall, invariants.CALLS, faults)


def _faults_of_rejected(row: Any) -> Faults:
    if row.error_code not in REFUSAL_CODES:
        yield "it was rejected, yet its error_code is no refusal"
    if row.instance_id is not None or row.outcome is not None or row.due_at is not None:
        yield "it was rejected, yet it has an instance, an outcome or a deadline: a refused call reaches nobody"


def _faults_of_open(row: Any) -> Faults:
    if (row.outcome, row.result, row.error, row.error_code, row.reason) != (None,) * 5:
        yield f"it is {row.status}, yet it has an outcome"
    if kind_of(row.tool_id) is not None:
        if row.instance_id is not None or row.status == "running":
            yield "it is a question to the user, yet a MiniApp has it"
        return
    if row.instance_id is None:
        yield f"it is {row.status}, yet no instance is to do it"
    elif row.instance_status != "live":
        yield f"it is {row.status}, yet its instance {row.instance_id} is closed"
    if row.status == "running" and row.handed < 1:
        yield "it is running, yet it was never handed over"
    yield from _faults_of_clock(row)


def _faults_of_clock(row: Any) -> Faults:
    last = row.created_at + limits.MAX_CALL_LIFETIME_MS
    standing = row.paused_at is not None
    if row.due_at != (last if standing else calls.due(row.created_at, row.deadline_at)):
        yield "its due_at is not what its deadline and its creation say"
    if row.deadline_at is not None and standing != bool(row.is_asking):
        asking = "a question is open for it" if row.is_asking else "no question is open for it"
        yield f"its clock {'stands still' if standing else 'runs'}, yet {asking}"
    if row.deadline_at is None and standing:
        yield "its clock stands still, yet it has no deadline"


def _faults_of_ended(row: Any) -> Faults:
    expected = _OUTCOMES if row.status == "submitted" else (row.status,)
    if row.outcome not in expected:
        yield f"it is {row.status}, yet its outcome is {row.outcome}"
    if row.due_at is not None:
        yield f"it is {row.status}, yet it is still due at some time"
    if (row.outcome == "completed") != (object_of(row.result) is not None):
        yield f"its outcome is {row.outcome}, which does not go with its result"
    error = object_of(row.error)
    if (row.outcome == "failed") != (error is not None):
        yield f"its outcome is {row.outcome}, which does not go with its error"
    if error is not None and error.get("code") != row.error_code:
        yield "its error_code is not the code of its error"
    if (row.outcome in ("cancelled", "expired")) != (row.reason is not None):
        yield f"its outcome is {row.outcome}, which does not go with its reason"


def _faults_of_telling(row: Any, trail: Trail) -> Faults:
    """Once a call is decided its Agent is told so once; the row may go a while after it was acked."""
    said = "tool.rejected" if row.status == "rejected" else "tool.result"
    if row.outbox_id is None:
        if row.status == "submitted" or trail.keeps(row.updated_at - limits.DAY):
            yield f"it is {row.status}, yet the outbox has no {said} of it"
    elif row.status == "submitted" and row.acked_at is not None:
        yield f"its Agent has the result (outbox row {row.outbox_id} is acked), yet it is not final"
    elif row.status == "completed" and row.acked_at is None:
        yield f"it is completed, yet its Agent has not acked the result (outbox row {row.outbox_id})"
