"""Fixtures: a sidecar for all scenarios of a file, each in a conversation of its own, and sidecars for one test."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from host_bridge.agent import Agent
from host_bridge.client import Sidecar
from host_bridge.command import serve_command
from host_bridge.pytest_plugin import StartSidecar
from tests.scenarios.bundles import write_probes
from tests.scenarios.pipes import Pipes
from tests.scenarios.stage import Stage, begin

_count = itertools.count(1)

OpenStage = Callable[..., Awaitable[Stage]]


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """One event loop for all, so that a sidecar may serve a whole file."""
    return "asyncio"


@pytest.fixture(scope="module")
async def shared(tmp_path_factory: pytest.TempPathFactory, anyio_backend: str) -> AsyncIterator[Sidecar]:
    """A sidecar for all scenarios of a file that leave it as it was; every MiniApp is run by the Host."""
    folder = tmp_path_factory.mktemp("shared")
    options = [*write_probes(folder), "--test-clock"]
    async with Sidecar(serve_command(folder / "lineup.sqlite", *options)) as sidecar:
        await begin(sidecar)
        yield sidecar
    assert not sidecar.faults, "the sidecar broke the contract:\n" + "\n".join(sidecar.faults)


@pytest.fixture
async def open_stage() -> AsyncIterator[OpenStage]:
    """Open a new conversation on a sidecar: ``await open_stage(sidecar, agent_id="agent-2")``."""
    async with AsyncExitStack() as stack:

        async def open_(sidecar: Sidecar, conversation_id: str = "", agent_id: str = "agent-1") -> Stage:
            agent = Agent(sidecar, conversation_id or f"conv-{next(_count)}", agent_id, ack=False)
            stage = Stage(sidecar, await stack.enter_async_context(agent))
            stack.callback(stage.end)
            await stage.open()
            await stage.settle()
            return stage

        yield open_


@pytest.fixture
async def stage(shared: Sidecar, open_stage: OpenStage) -> Stage:
    """A conversation of this test's own on the file's sidecar."""
    return await open_stage(shared)


@pytest.fixture
def lineup_options(tmp_path: Path) -> list[str]:
    """Give sidecars of one test the probes, and their policy."""
    return write_probes(tmp_path)


@pytest.fixture
async def own(lineup_start: StartSidecar) -> AsyncIterator[Sidecar]:
    """A sidecar for this test alone, initialized; at the end it is killed, which is faster than an ending."""
    sidecar = await lineup_start()
    await begin(sidecar)
    yield sidecar
    if sidecar.alive:
        await sidecar.kill()


@pytest.fixture
async def alone(own: Sidecar, open_stage: OpenStage) -> Stage:
    """A conversation on a sidecar for this test alone."""
    return await open_stage(own)


@pytest.fixture
def pipes(tmp_path: Path) -> Iterator[Pipes]:
    """A sidecar to which nothing was said yet."""
    pipes = Pipes(tmp_path / "lineup.sqlite", *write_probes(tmp_path))
    yield pipes
    pipes.close()
