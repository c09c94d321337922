"""Fixtures: schemas of one test, on the server that ``make test-postgresql`` has started.

These tests are collected only where ``LINEUP_POSTGRESQL`` names that server.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import count

import psycopg
import pytest

from scripts.postgresql import VARIABLE, Server

ADDRESS = os.environ.get(VARIABLE)

collect_ignore_glob = [] if ADDRESS else ["test_*.py"]

_count = count(1)


@pytest.fixture
def schema() -> str:
    """The name of a schema that is not there yet."""
    return f"test_{os.getpid()}_{next(_count)}"


@pytest.fixture
def address(schema: str) -> str:
    """The address of a store that is not there yet."""
    assert ADDRESS
    return f"{ADDRESS}&schema={schema}"


@pytest.fixture
def admin(schema: str) -> Iterator[psycopg.Connection]:
    """Somebody who goes around the Runtime, in that schema."""
    assert ADDRESS
    with psycopg.connect(ADDRESS, autocommit=True) as connection:
        connection.execute("SELECT set_config('search_path', %s, false)", (schema,))
        yield connection


@pytest.fixture
def server() -> Iterator[Server]:
    """A server of this test's own, which may be stopped."""
    with Server() as server:
        yield server
