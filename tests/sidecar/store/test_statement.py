"""The database takes every statement of the store, and those that serve hot paths use their index."""

import importlib
import pkgutil

import pytest

from sidecar.store import compiled, inspection, invariants
from sidecar.store.compiled import inbox, interactions, outbox, tool_calls
from sidecar.store.database import Database
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
    return told.replace("Index Scan on ", "INDEX ").replace("Scan using ", "INDEX ")


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
    ],
)
def test_a_hot_statement_is_served_by_its_partial_index(store, statement, index):
    assert f"INDEX {index} " in plan(store, statement) + " "
