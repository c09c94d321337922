"""Every legal move leads where RULES says, and nothing else moves."""

import itertools

import pytest

from sidecar.domain import transitions
from sidecar.domain.transitions import IllegalMove

TABLES = [
    transitions.TOOL_CALL,
    transitions.INTERACTION,
    transitions.INSTANCE,
    transitions.APP_SESSION,
    transitions.SURFACE,
    transitions.CAPABILITY_REQUEST,
]


@pytest.mark.parametrize(
    ("table", "final"),
    [
        (transitions.TOOL_CALL, ("cancelled", "completed", "expired", "failed", "rejected")),
        (transitions.INTERACTION, ("cancelled", "completed", "expired", "failed")),
        (transitions.INSTANCE, ("closed",)),
        (transitions.APP_SESSION, ("closed",)),
        (transitions.SURFACE, ("closed",)),
        (transitions.CAPABILITY_REQUEST, ("cancelled", "denied", "failed", "granted")),
    ],
)
def test_the_final_statuses_are_those_of_the_rules(table, final):
    assert table.final == final


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.noun)
def test_what_is_not_in_the_table_cannot_happen(table):
    events = {event for _, event in table.moves}
    for status, event in itertools.product(table.statuses, events):
        if table.allows(status, event):
            assert table.after(status, event) in table.statuses
        else:
            with pytest.raises(IllegalMove, match=f"no {event} from {status}"):
                table.after(status, event)


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.noun)
def test_every_status_can_be_reached_from_the_start(table):
    reached = {table.start}
    while more := {target for (origin, _), target in table.moves.items() if origin in reached} - reached:
        reached |= more
    assert reached == set(table.statuses)


@pytest.mark.parametrize("event", ["cancel", "expire", "crash"])
def test_a_submitted_call_keeps_its_outcome(event):
    assert not transitions.TOOL_CALL.allows("submitted", event)


def test_a_table_cannot_be_changed():
    with pytest.raises(TypeError):
        transitions.TOOL_CALL.moves["received", "jump"] = "completed"
