"""Fixtures: a sidecar for all transcripts that leave it as it was."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from host_bridge.client import Sidecar
from host_bridge.command import serve_command
from tests.scenarios.bundles import write_probes
from tests.scenarios.stage import begin


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """One event loop for all, so that a sidecar may serve a whole file."""
    return "asyncio"


@pytest.fixture(scope="module")
async def shared(tmp_path_factory: pytest.TempPathFactory, anyio_backend: str) -> AsyncIterator[Sidecar]:
    """A sidecar; every MiniApp is run by the Host."""
    folder = tmp_path_factory.mktemp("golden")
    options = [*write_probes(folder), "--test-clock"]
    async with Sidecar(serve_command(folder / "lineup.sqlite", *options)) as sidecar:
        await begin(sidecar)
        yield sidecar
    assert not sidecar.faults, "the sidecar broke the contract:\n" + "\n".join(sidecar.faults)
