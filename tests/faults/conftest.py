"""Fixtures: one sidecar for all faults of a file, and a conversation of its own for each test."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator

import pytest

from host_bridge.agent import Agent
from host_bridge.client import Sidecar
from host_bridge.command import serve_command
from tests.faults.bundles import write_bundles
from tests.faults.house import House

_count = itertools.count(1)


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """One event loop for all, so that a sidecar may serve a whole file."""
    return "asyncio"


@pytest.fixture(scope="module")
async def sidecar(tmp_path_factory: pytest.TempPathFactory, anyio_backend: str) -> AsyncIterator[Sidecar]:
    """A sidecar that runs the logic of every MiniApp but Interact."""
    folder = tmp_path_factory.mktemp("faults")
    command = serve_command(folder / "lineup.sqlite", "--test-clock", *write_bundles(folder))
    async with Sidecar(command) as sidecar:
        await sidecar.initialize(host_run=["chat"], capability_providers=["probe.allowed", "probe.asked"])
        yield sidecar
        assert sidecar.alive
    assert not sidecar.faults, "the sidecar broke the contract:\n" + "\n".join(sidecar.faults)


@pytest.fixture
async def house(sidecar: Sidecar) -> AsyncIterator[House]:
    """A conversation; whatever happened in it, the Runtime itself has made no mistake."""
    async with Agent(sidecar, f"conv-{next(_count)}") as agent:
        house = House(sidecar, agent)
        await house.snapshot()
        yield house
        await house.others_are_well()
        await house.end()
    assert " ERROR " not in sidecar.stderr_tail, sidecar.stderr_tail
