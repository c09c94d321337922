"""Keep a sidecar running: start it again when it ends unasked, ever later, and bring it back to where it was."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import anyio

from host_bridge.client import Sidecar
from host_bridge.errors import ConnectionLostError, HostError


@dataclass(frozen=True)
class Backoff:
    """Seconds before each new start; one that stays up for ``steady`` seconds begins the row again."""

    delays: tuple[float, ...] = (0.1, 1.0, 5.0)
    steady: float = 60.0


async def supervise(sidecar: Sidecar, ready: Callable[[], Awaitable[object]], backoff: Backoff | None = None) -> None:
    """Restart the sidecar until it is stopped on purpose; ``ready`` initializes each new process.

    Raises ConnectionLostError when the last delay was in vain.
    """
    delays = (backoff or Backoff()).delays
    steady = (backoff or Backoff()).steady
    attempt = 0
    while True:
        up_since = anyio.current_time()
        await sidecar.ended()
        if anyio.current_time() - up_since >= steady:
            attempt = 0
        if not sidecar.stopping and attempt == len(delays):
            raise ConnectionLostError(f"the sidecar ended {attempt + 1} times; giving up", stderr=sidecar.stderr_tail)
        if not sidecar.stopping:
            await anyio.sleep(delays[attempt])
        if sidecar.stopping:
            return
        attempt += 1
        await _start(sidecar, ready)


async def _start(sidecar: Sidecar, ready: Callable[[], Awaitable[object]]) -> None:
    try:
        await sidecar.start()
        await ready()
    except (HostError, TimeoutError):
        if sidecar.alive:
            await sidecar.kill()
