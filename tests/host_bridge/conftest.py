"""Fixtures of the client's tests: a tiny peer instead of a sidecar."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from host_bridge.client import Sidecar

PEER = (sys.executable, str(Path(__file__).with_name("echo_peer.py")))

StartPeer = Callable[..., Awaitable[Sidecar]]


@pytest.fixture
async def start_peer() -> AsyncIterator[StartPeer]:
    """Start peers with options of their own; they are stopped at the end, the newest first."""
    async with AsyncExitStack() as stack:

        async def start(*options: str, **more: Any) -> Sidecar:
            more.setdefault("timeout", 10.0)
            return await stack.enter_async_context(Sidecar([*PEER, *options], **more))

        yield start


@pytest.fixture
async def peer(start_peer: StartPeer) -> Sidecar:
    """A running peer."""
    return await start_peer()
