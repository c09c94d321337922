"""Fixtures: the bundle as an app has it installed, and a sidecar from it that leaves no process and no trace behind.

These tests are collected only where ``LINEUP_BUNDLE`` names the folder that ``make bundle`` filled. They look at
processes as Linux shows them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.bundle.installed import Installed, install, uninstall

BUNDLE = os.environ.get("LINEUP_BUNDLE")

collect_ignore_glob = [] if BUNDLE else ["test_*.py"]


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def app() -> Iterator[Installed]:
    """An app that may not be written to, on a path with spaces and letters beyond ASCII; it is as it was at the end."""
    assert BUNDLE
    app = install(Path(BUNDLE))
    before = app.inventory()
    yield app
    after = app.inventory()
    uninstall(app)
    assert after == before


@pytest.fixture(autouse=True)
def leave_no_process(app: Installed) -> Iterator[None]:
    """Hold each test to it that nothing of the app runs on."""
    yield
    assert app.processes() == set()
