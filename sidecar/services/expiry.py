"""What is overdue ends before anything else is decided (RULES 1, 2, 5, 8)."""

from __future__ import annotations

from sidecar.services import calls, capabilities, interactions
from sidecar.services.unit import Unit
from sidecar.store import capability_requests, tool_calls
from sidecar.store import interactions as interaction_rows

NEVER = 2**62
"""Later than any time."""


def run(unit: Unit) -> None:
    """End every overdue call, interaction and capability request."""
    unit.by("runtime", "expiry")
    for request in capability_requests.due(unit.tx, unit.now):
        capabilities.expire(unit, request)
    for question in interaction_rows.due(unit.tx, unit.now):
        interactions.expire(unit, question)
    for call in tool_calls.due(unit.tx, unit.now):
        calls.end(unit, call, "expire", reason="timeout")
    unit.runtime.next_due = next_due(unit)


def next_due(unit: Unit) -> int:
    """When the next of them is due, in milliseconds."""
    found = [module.next_due(unit.tx) for module in (tool_calls, interaction_rows, capability_requests)]
    return min((at for at in found if at is not None), default=NEVER)
