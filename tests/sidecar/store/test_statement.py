"""The database takes every statement of the store, and those that serve hot paths use their index."""

import importlib
import pkgutil

import pytest

from sidecar.store import compiled, inspection, invariants
from sidecar.store.compiled import capability_requests, inbox, interactions, outbox, surfaces, tool_calls
from sidecar.store.database import Database
from sidecar.store.engine import open_database
from sidecar.store.statement import Statement

MODULES = [
    inspection,
    invariants,
    *(importlib.import_module(f"{compiled.__name__}.{one.name}") for one in pkgutil.iter_modules(compiled.__path__)),
]


def statements():
    return list(_statements())


def _statements():
    for module in MODULES:
        for name, value in vars(module).items():
            for one in value if isinstance(value, list) else [value]:
                if isinstance(one, Statement):
                    yield pytest.param(one, id=f"{module.__name__}.{name}")


def plan(store: Database, statement: Statement) -> str:
    text, values = statement.bind(dict.fromkeys(statement.parameters, "1"))
    if store.product == "SQLite":
        return " / ".join(row[3] for row in store.execute(f"EXPLAIN QUERY PLAN {text}", values).fetchall())
    store.execute("SET enable_seqscan = off", ())  # a table without rows is read through
    told = " / ".join(row[0] for row in store.execute(f"EXPLAIN {text}", values).fetchall())
    return (
        told.replace("Index Scan on ", "INDEX ")
        .replace("Scan using ", "INDEX ")
        .replace("Scan Backward using ", "INDEX ")
    )


@pytest.mark.parametrize("statement", statements())
def test_the_database_takes_the_statement(store, statement):
    assert plan(store, statement) is not None


@pytest.mark.parametrize(
    ("statement", "index"),
    [
        (outbox.NEXT, "unacked"),
        (outbox.COUNT_IN, "unacked"),
        (inbox.LIST, "unacknowledged"),
        (tool_calls.OPEN_OF_INSTANCE, "unfinished_calls"),
        (tool_calls.COUNT_OF_INSTANCE, "unfinished_calls"),
        (tool_calls.OPEN_OF_CONVERSATION, "unfinished_calls"),
        (tool_calls.DUE, "open_calls_by_due"),
        (tool_calls.NEXT_DUE, "open_calls_by_due"),
        (tool_calls.UNFINISHED, "unfinished_calls"),
        (interactions.OPEN_IN, "open_interactions"),
        (interactions.DUE, "open_interactions_by_due"),
        (interactions.COUNT_OF, "open_interactions"),
        (interactions.OWN_OPEN, "open_interactions"),
        (interactions.ANSWERED_OWN, "answered_interactions"),
        (interactions.OWN_ENDED, "ended_of_miniapp"),
        (interactions.AGENTS_ENDED, "ended_of_agent"),
        (tool_calls.AT_WORK, "unfinished_calls"),
        (surfaces.OPEN_IN, "one_surface_a_key"),
        (capability_requests.OPEN_OF, "open_requests"),
    ],
)
def test_a_hot_statement_is_served_by_its_partial_index(store, statement, index):
    assert f"INDEX {index} " in plan(store, statement) + " "


READ_THROUGH = {
    "audit": "its oldest or its newest entries, so many and no more",
    "anon_1": "what a statement has chosen already, so many and no more",
    "conversation": "there are few, and each is asked for its workspace",
    "delivery": "its oldest rows, so many and no more",
    "miniapp": "a row for each MiniApp that was switched",
    "receipt": "its oldest rows, so many and no more",
}
"""What a serving sidecar reads without an index, and why that does not grow with what is stored."""


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """SQLite's store: the other's plans depend on what is stored, its indexes are the same."""
    database = open_database(str(tmp_path_factory.mktemp("plans") / "lineup.sqlite"))
    yield database
    database.close()


@pytest.mark.parametrize("statement", [one for one in statements() if one.id.startswith(compiled.__name__)])
def test_no_statement_of_a_serving_sidecar_reads_through_what_was_ever_stored(file, statement):
    partial = {name for (name,) in file.execute("SELECT name FROM sqlite_master WHERE sql LIKE '%) WHERE %'", ())}
    for step in plan(file, statement).split(" / "):
        match step.split():
            case ["SCAN", table] | ["SCAN", table, "USING", *_]:
                assert table in READ_THROUGH or partial.intersection(step.split()), step
