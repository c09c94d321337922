"""What the end-to-end tests of the MiniApps share: a view's events, and the death of workers."""

from __future__ import annotations

import os
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from host_bridge.headless import HeadlessHost

Emit = Callable[..., Awaitable[None]]


@pytest.fixture
def emit(lineup_host: HeadlessHost) -> Emit:
    """Let an app's view say something: ``await emit("task-dashboard", "close")``."""

    async def say(app_scope: str, event: str, **payload: Any) -> None:
        surface = await lineup_host.surface(app_scope)
        await lineup_host.view(surface, "emit", event=event, payload=payload)

    return say


@pytest.fixture
def kill_workers(lineup_host: HeadlessHost) -> Callable[[], int]:
    """Kill every worker process as a crash would; how many there were."""

    def kill() -> int:
        [tasks] = Path("/proc").glob(f"{lineup_host.sidecar.pid}/task")
        children = [int(pid) for one in tasks.glob("*/children") for pid in one.read_text().split()]
        for pid in children:
            os.kill(pid, signal.SIGKILL)
        return len(children)

    return kill


@pytest.fixture
def restart(lineup_host: HeadlessHost) -> Callable[[], Awaitable[None]]:
    """Kill the sidecar, start it again and come back to the conversation."""

    async def kill_and_start() -> None:
        await lineup_host.sidecar.kill()
        await lineup_host.sidecar.start()
        await lineup_host.initialize()

    return kill_and_start
