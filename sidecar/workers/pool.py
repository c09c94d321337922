"""The pool of worker processes: which instances' logic runs, and how often it is tried (RULES 3 and 6)."""

import logging
from collections.abc import Callable
from functools import partial
from pathlib import Path

import anyio
from anyio.abc import TaskGroup, TaskStatus

from rpc_schema.limits import MAX_WORKERS
from sidecar.workers.backoff import Backoff
from sidecar.workers.command import Command, worker_command
from sidecar.workers.ports import Runtime
from sidecar.workers.process import WorkerProcess

logger = logging.getLogger("sidecar.workers")


class _Seat:
    """An instance whose logic is to run, or that is on its way out."""

    def __init__(self, folder: Path, backoff: Backoff) -> None:
        self.folder = folder
        self.backoff = backoff
        self.wanted = True
        self.process: WorkerProcess | None = None
        self._stirred = anyio.Event()

    async def rest(self, seconds: float) -> None:
        """Wait before the next start, for as long as it is wanted."""
        self._stirred = anyio.Event()
        with anyio.move_on_after(seconds):
            await self._stirred.wait()

    def leave(self, grace_s: float) -> None:
        """Want it no more."""
        self.wanted = False
        self._stirred.set()
        if self.process is not None:
            self.process.end(grace_s)


class WorkerPool:
    """Own the worker processes. Everything but ``run`` is synchronous and belongs on the event loop's thread.

    ``limit`` bounds the processes that exist at once; one that was asked to end counts until it is gone.
    """

    def __init__(
        self,
        runtime: Runtime,
        *,
        limit: int = MAX_WORKERS,
        command: Command = worker_command,
        make_backoff: Callable[[], Backoff] = Backoff,
    ) -> None:
        self._runtime = runtime
        self._limit = limit
        self._command = command
        self._make_backoff = make_backoff
        self._places = anyio.Semaphore(limit)
        self._seats: dict[str, _Seat] = {}
        self._failed: set[str] = set()
        self._stopped = anyio.Event()
        self._tasks: TaskGroup | None = None

    @property
    def live(self) -> list[str]:
        """Name the instances that have a connected process which is to stay."""
        return [name for name, seat in self._seats.items() if seat.process is not None and seat.process.connected]

    @property
    def occupied(self) -> list[str]:
        """Name the instances that have a place: their process lives, starts or is about to."""
        return [name for name, seat in self._seats.items() if seat.wanted]

    @property
    def has_room(self) -> bool:
        """Tell whether another instance can run without one that gives up its place."""
        return len(self.occupied) < self._limit

    async def run(self, *, task_status: TaskStatus[None] = anyio.TASK_STATUS_IGNORED) -> None:
        """Serve until ``stop`` and the last worker's end; cancelled, kill them all.

        Started on the main thread before the first ``want`` (``await tasks.start(pool.run)``).
        """
        async with anyio.create_task_group() as self._tasks:
            task_status.started()
            await self._stopped.wait()

    def want(self, instance_id: str, folder: Path, *, anew: bool = False) -> None:
        """See to it that an instance's logic runs; ``anew`` tries again one that failed for good."""
        if self._stopped.is_set() or (instance_id in self._failed and not anew):
            return
        seat = self._seats.get(instance_id)
        if seat is not None and seat.wanted:
            return
        self._make_room_for(instance_id)
        if instance_id in self._failed:
            self._failed.remove(instance_id)
            if seat is not None:
                seat.backoff = self._make_backoff()
        if seat is None:
            self._sit(instance_id, _Seat(folder, self._make_backoff()))
        else:
            seat.folder, seat.wanted = folder, True

    def end(self, instance_id: str, grace_ms: int) -> None:
        """Let a worker finish on its own for a while, then close its stdin, then kill it; it does not come back."""
        self._failed.discard(instance_id)
        if seat := self._seats.get(instance_id):
            seat.leave(grace_ms / 1000)

    def suspend(self, instance_id: str) -> None:
        """End a worker now; it comes back when it is wanted."""
        if seat := self._seats.get(instance_id):
            seat.leave(0)

    def stop(self) -> None:
        """End every worker; ``run`` returns when the last is gone."""
        self._stopped.set()
        for seat in self._seats.values():
            seat.leave(0)

    # -- inside
    def _make_room_for(self, wanted: str) -> None:
        if not self.has_room:
            self.suspend(self._runtime.choose_victim(self.occupied, wanted))

    def _sit(self, instance_id: str, seat: _Seat) -> None:
        if self._tasks is None:
            raise RuntimeError("WorkerPool.run is not running: start it before the first want")
        self._seats[instance_id] = seat
        self._tasks.start_soon(self._keep, instance_id, seat, name=f"worker {instance_id}")

    async def _keep(self, instance_id: str, seat: _Seat) -> None:
        """Run an instance's worker, again and again, while it is wanted."""
        while seat.wanted:
            async with self._places:
                died = seat.wanted and await self._run_once(instance_id, seat)
            if died:
                await self._recover(instance_id, seat)
        del self._seats[instance_id]

    async def _run_once(self, instance_id: str, seat: _Seat) -> bool:
        """Run one process to its end: whether it died of itself."""
        process = seat.process = WorkerProcess(instance_id, partial(self._runtime.attach, instance_id))
        try:
            await process.run(self._command(seat.folder), seat.folder)
        except OSError as error:
            logger.warning("%s: the worker cannot be started: %s", instance_id, error)
        seat.process = None
        return not process.ending

    async def _recover(self, instance_id: str, seat: _Seat) -> None:
        delay = seat.backoff.fail()
        if delay is None:
            seat.wanted = False
            self._failed.add(instance_id)
        self._runtime.worker_lost(instance_id, final=delay is None)
        if delay is not None and seat.wanted:
            await seat.rest(delay)
