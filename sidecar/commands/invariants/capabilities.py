"""Capability requests (RULES 8)."""

from __future__ import annotations

from typing import Any

from sidecar.commands.invariants.fault import Faults, check_rows, object_of
from sidecar.commands.invariants.trail import Trail
from sidecar.domain.transitions import CAPABILITY_OPEN, INTERACTION_OPEN
from sidecar.store import invariants, tables
from sidecar.store.inspection import View


def check_capabilities(view: View, trail: Trail) -> int:
    """Each open request waits for the user or for the Host's provider, and for nobody else."""

    def faults(row: Any) -> Faults:
        if object_of(row.arguments) is None:
            yield "its arguments are no JSON object"
        if row.status in CAPABILITY_OPEN and row.instance_status != "live":
            yield f"it is {row.status}, yet its instance {row.instance_id} is closed"
        if (row.status == "requested") != (row.due_at is not None):
            yield "only while the Host's provider has it is it due at some time"
        if row.interaction_id is not None and row.question_source != "runtime_policy":
            yield f"its question {row.interaction_id} was not asked by the policy"
        if row.status == "asking" and row.question_status not in INTERACTION_OPEN:
            yield f"it waits for the user, yet its question {row.interaction_id} is {row.question_status}"
        yield from trail.faults(tables.CapabilityRequest, (row.conversation_id, row.request_id), row)

    return check_rows(view, tables.CapabilityRequest, invariants.CAPABILITY_REQUESTS, faults)
