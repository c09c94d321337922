"""Fixtures: a store of each kind that is at hand; ``make test-postgresql`` has both, and names its server."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import count

import pytest

from scripts.postgresql import VARIABLE
from sidecar.store.database import Database
from sidecar.store.engine import open_database

KINDS = ["sqlite", *(["postgresql"] if VARIABLE in os.environ else [])]

_count = count(1)


@pytest.fixture(params=KINDS, scope="module")
def address(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Where one module's store of that kind is."""
    if request.param == "sqlite":
        return str(tmp_path_factory.mktemp("store") / "lineup.sqlite")
    return f"{os.environ[VARIABLE]}&schema=store_{os.getpid()}_{next(_count)}"


@pytest.fixture(scope="module")
def store(address: str) -> Iterator[Database]:
    """The module's store, owned."""
    database = open_database(address)
    yield database
    database.close()
