"""pytest fixtures: a sidecar on a fresh store, a headless Host on it and a scripted Agent in a conversation.

The tests are ``async def`` and run by AnyIO's own plugin. A marker says what is special about a test::

    @pytest.mark.lineup(host_run=["probe"], options=["--miniapps", "bundles"])
    async def test_something(lineup_host, lineup_agent): ...

Options of the marker: ``options`` (of the command line; those that depend on the test's own files come from a fixture
``lineup_options`` that the test defines), ``host_run``, ``renderers``, ``providers``, ``answer`` and
``present`` (of :class:`host_bridge.headless.HeadlessHost`), ``conversation_id`` and ``agent_id``.
A test fails where the sidecar said anything that does not fit the contract.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from host_bridge.agent import Agent
    from host_bridge.client import Sidecar
    from host_bridge.headless import HeadlessHost

HOST_OPTIONS = ("host_run", "renderers", "providers", "answer", "present")
OPTIONS = {"options", "conversation_id", "agent_id", *HOST_OPTIONS}

StartSidecar = Callable[..., "Awaitable[Sidecar]"]


def pytest_configure(config: pytest.Config) -> None:
    """Make the marker known."""
    config.addinivalue_line("markers", "lineup(**options): what is special about this test's LineUp sidecar and Host")


@pytest.fixture
def lineup_database(tmp_path: Path) -> Path:
    """The store that this test's sidecars share."""
    return tmp_path / "lineup.sqlite"


@pytest.fixture
def lineup_options() -> list[str]:
    """Options of the command line for each of this test's sidecars: none, unless a test defines this fixture anew."""
    return []


@pytest.fixture
async def lineup_start(
    request: pytest.FixtureRequest, lineup_database: Path, lineup_options: list[str]
) -> AsyncIterator[StartSidecar]:
    """Start a sidecar on the test's store, with a test clock: ``await lineup_start("--log-level", "debug")``.

    It is not initialized yet. All that were started are stopped at the end, the newest first.
    """
    from host_bridge.client import Sidecar
    from host_bridge.command import serve_command

    started: list[Sidecar] = []
    async with AsyncExitStack() as stack:

        async def start(*options: str) -> Sidecar:
            marked = _options(request).get("options", ())
            sidecar = Sidecar(serve_command(lineup_database, "--test-clock", *lineup_options, *marked, *options))
            started.append(await stack.enter_async_context(sidecar))
            return sidecar

        yield start
    faults = [fault for sidecar in started for fault in sidecar.faults]
    assert not faults, "the sidecar broke the contract:\n" + "\n".join(faults)


@pytest.fixture
async def lineup_sidecar(request: pytest.FixtureRequest, lineup_start: StartSidecar) -> Sidecar:
    """A running sidecar on a fresh store, initialized."""
    sidecar = await lineup_start()
    if "lineup_host" not in request.fixturenames:
        await sidecar.initialize(host_run=list(_options(request).get("host_run", ())))
    return sidecar


@pytest.fixture
async def lineup_host(request: pytest.FixtureRequest, lineup_sidecar: Sidecar) -> AsyncIterator[HeadlessHost]:
    """A headless Host that has initialized the sidecar and opened one conversation."""
    from host_bridge.headless import HeadlessHost

    marked = _options(request)
    options = {name: marked[name] for name in HOST_OPTIONS if name in marked}
    async with HeadlessHost(lineup_sidecar, **options) as host:
        await host.initialize()
        await host.open(*_peer(marked))
        yield host


@pytest.fixture
async def lineup_agent(request: pytest.FixtureRequest, lineup_host: HeadlessHost) -> AsyncIterator[Agent]:
    """A scripted Agent in the Host's conversation."""
    from host_bridge.agent import Agent

    async with Agent(lineup_host.sidecar, *_peer(_options(request))) as agent:
        yield agent


def _options(request: pytest.FixtureRequest) -> dict[str, Any]:
    marker = request.node.get_closest_marker("lineup")
    options = dict(marker.kwargs) if marker else {}
    if unknown := options.keys() - OPTIONS:
        raise pytest.UsageError(f"the lineup marker knows no {', '.join(sorted(unknown))}; it knows {sorted(OPTIONS)}")
    return options


def _peer(marked: dict[str, Any]) -> tuple[str, str]:
    return marked.get("conversation_id", "conv-1"), marked.get("agent_id", "agent-1")
