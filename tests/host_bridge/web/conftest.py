"""Fixtures: a server on a passing store with a tiny front end, and pages that are programs."""

from __future__ import annotations

import io
import shlex
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from host_bridge.cli.terminal import Terminal
from host_bridge.web.serve import serving
from tests.host_bridge.web.page_program import Page, Server

PEER = [sys.executable, str(Path(__file__).parents[1] / "echo_peer.py")]
SCRIPT = "/assets/index-Ab3_xY9z.js"

RunServer = Callable[..., AbstractAsyncContextManager[Server]]
StartServer = Callable[..., Awaitable[Server]]
UsePeer = Callable[..., None]


@pytest.fixture
def front_end(tmp_path: Path) -> Path:
    """A built front end: one page, one script."""
    folder = tmp_path / "dist"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text(
        f'<!doctype html><title>Host</title><script type="module" src="{SCRIPT}"></script>'
    )
    (folder / SCRIPT[1:]).write_text("document.title = 'up';\n")
    return folder


@pytest.fixture
def run_server(front_end: Path, tmp_path: Path) -> RunServer:
    """Have a server up on the test's store, whose pages are closed before it."""

    @asynccontextmanager
    async def run(**more: Any) -> AsyncIterator[Server]:
        printed = io.StringIO()
        async with (
            serving(Terminal(printed), tmp_path / "lineup.sqlite", [], page=front_end, pace=0.0, **more) as up,
            AsyncExitStack() as pages,
        ):
            yield Server(up, printed, pages)

    return run


@pytest.fixture
async def start_server(run_server: RunServer) -> AsyncIterator[StartServer]:
    """Start servers that run to the end of the test."""
    async with AsyncExitStack() as stack:
        yield lambda **more: stack.enter_async_context(run_server(**more))


@pytest.fixture
async def server(start_server: StartServer) -> Server:
    """A server with a real sidecar."""
    return await start_server()


@pytest.fixture
def use_peer(monkeypatch: pytest.MonkeyPatch) -> UsePeer:
    """Let the servers of this test start a tiny peer instead of a sidecar, with options of its own."""

    def use(*options: str) -> None:
        monkeypatch.setenv("LINEUP_SIDECAR", shlex.join([*PEER, *options]))

    return use


@pytest.fixture
async def page(server: Server) -> Page:
    """A page that drives the real sidecar, in a conversation."""
    return await (await server.connect()).begin()
