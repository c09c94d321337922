"""A Runtime to run workers against, and bundles whose ``app.py`` is a plain script."""

import sys
import textwrap
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest

from sidecar.workers.backoff import Backoff
from sidecar.workers.pool import WorkerPool
from sidecar.workers.ports import Outlet

DEADLINE_S = 15


class Session:
    """One process's connection, as the Runtime has it."""

    def __init__(self, outlet: Outlet) -> None:
        self.outlet = outlet
        self.received = b""
        self.is_closed = False
        self.pause_at: int | None = None
        self._changed = anyio.Event()

    def feed(self, data: bytes) -> None:
        self.received += data
        if self.pause_at is not None and len(self.received) >= self.pause_at:
            self.outlet.pause_reading()
        self._stir()

    def drained(self) -> None:
        """What the worker was slow to read is read."""

    def closed(self) -> None:
        self.is_closed = True
        self._stir()

    def _stir(self) -> None:
        self._changed.set()
        self._changed = anyio.Event()

    async def until(self, reached: Callable[[], bool]) -> None:
        with anyio.fail_after(DEADLINE_S):
            while not reached():
                await self._changed.wait()

    async def line(self) -> bytes:
        """Take the next line."""
        await self.until(lambda: b"\n" in self.received)
        line, self.received = self.received.split(b"\n", 1)
        return line

    async def end(self) -> None:
        await self.until(lambda: self.is_closed)


class FakeRuntime:
    """Greets each process with its instance's name; the first that lives is the victim."""

    def __init__(self) -> None:
        self.sessions: list[tuple[str, Session]] = []
        self.lost: list[tuple[str, bool]] = []
        self.asked: list[tuple[list[str], str]] = []
        self.greet = lambda instance_id: f"hello {instance_id}\n".encode()
        self._changed = anyio.Event()

    def attach(self, instance_id: str, outlet: Outlet) -> tuple[Session, bytes]:
        session = Session(outlet)
        self.sessions.append((instance_id, session))
        self._stir()
        return session, self.greet(instance_id)

    def worker_lost(self, instance_id: str, final: bool) -> None:
        self.lost.append((instance_id, final))
        self._stir()

    def choose_victim(self, live: Sequence[str], wanted: str) -> str:
        self.asked.append((list(live), wanted))
        return live[0]

    def _stir(self) -> None:
        self._changed.set()
        self._changed = anyio.Event()

    async def until(self, reached: Callable[[], bool]) -> None:
        with anyio.fail_after(DEADLINE_S):
            while not reached():
                await self._changed.wait()

    async def session(self, instance_id: str, nth: int = 1) -> Session:
        """Wait for the instance's nth process."""

        def of_instance() -> list[Session]:
            return [session for name, session in self.sessions if name == instance_id]

        await self.until(lambda: len(of_instance()) >= nth)
        return of_instance()[nth - 1]

    async def lose(self, count: int) -> None:
        await self.until(lambda: len(self.lost) >= count)


def run_script(folder: Path) -> list[str]:
    return [sys.executable, "-I", "-S", str(folder / "app.py")]


def without_delay() -> Backoff:
    return Backoff(delays=(0, 0, 0))


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def bundle(tmp_path: Path) -> Callable[[str], Path]:
    def write(script: str) -> Path:
        folder = tmp_path / f"bundle-{len(list(tmp_path.iterdir()))}"
        folder.mkdir()
        (folder / "app.py").write_text(textwrap.dedent(script))
        return folder

    return write


@pytest.fixture
def runtime() -> FakeRuntime:
    return FakeRuntime()


@pytest.fixture
def start(runtime: FakeRuntime) -> Callable[..., Any]:
    """Run a pool for the length of a block; its end is the pool's ``stop``."""

    @asynccontextmanager
    async def running(**options: Any) -> AsyncIterator[WorkerPool]:
        pool = WorkerPool(runtime, **{"command": run_script, "make_backoff": without_delay, **options})
        async with anyio.create_task_group() as tasks:
            await tasks.start(pool.run)
            yield pool
            pool.stop()

    return running
