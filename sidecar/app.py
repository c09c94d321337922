"""Putting the Runtime together: store, apps, desk, workers, stdio; one event loop, one thread, one owner of each."""

from __future__ import annotations

import asyncio
import gc
import logging
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio

from rpc_schema import limits
from rpc_schema.notifications import SdkHello
from sidecar.bundles.catalog import Catalog
from sidecar.clock import Clock, Ids
from sidecar.domain.focus import top
from sidecar.domain.policy import read_policy
from sidecar.domain.worker_choice import Candidate, victim
from sidecar.rpc.connection import Connection, notification
from sidecar.rpc.desk import Desk
from sidecar.rpc.early import Early
from sidecar.rpc.stdio import Claimed
from sidecar.services import lifecycle, recovery, waking, workspace
from sidecar.services.apps import Apps
from sidecar.services.live import Live
from sidecar.services.unit import Runtime, Unit
from sidecar.settings import Settings
from sidecar.store import instances, keeping, miniapps, tool_calls
from sidecar.store.database import Database, StoreLostError
from sidecar.store.transaction import Transaction
from sidecar.workers.pool import WorkerPool
from sidecar.workers.ports import Inlet, Outlet

if sys.platform == "win32":
    from sidecar.rpc.threads import ThreadServer as Server
else:
    from sidecar.rpc.serve import Server

if TYPE_CHECKING:
    from sidecar.store import tables

logger = logging.getLogger("sidecar")

_GC_THRESHOLD = 10_000
"""Objects that a group of requests may make before they are looked through; what the start has made never is."""

_SWEEP_EVERY_S = limits.HOUR / 1_000
_BETWEEN_SWEEPS_S = 1.0
_LAST_WORDS_S = 0.2


async def serve(settings: Settings, database: Database, claimed: Claimed, early: Early) -> int:
    """Serve the Host until the end; the exit code."""
    tx = Transaction(database)
    server = Server(claimed, early, settings.parent_pid or claimed.parent_pid)
    runtime = _make_runtime(settings, tx)
    desk = Desk(runtime, tx, server.exit)
    desk.begin(recovery.recover)
    links = WorkerLinks(desk, tx)
    links.pool = WorkerPool(links)
    runtime.workers = Workers(links)
    gc.freeze()
    gc.set_threshold(_GC_THRESHOLD)
    gc.enable()
    async with anyio.create_task_group() as tasks:
        await tasks.start(links.pool.run)
        tasks.start_soon(_sweep, desk)
        tasks.start_soon(_watch_store, database)
        code = await server.serve(desk, links.pool.stop)
        tasks.cancel_scope.cancel()
    return code


async def _sweep(desk: Desk) -> None:
    """Drop what is past its time, a little at a time, now and every hour."""
    while True:
        dropped = desk.act(recovery.sweep)
        await anyio.sleep(_BETWEEN_SWEEPS_S if dropped else _SWEEP_EVERY_S)


async def _watch_store(database: Database) -> None:
    """Let everything end with the connection that the ownership hangs on, also while nothing is asked of it.

    What shows first where the loop calls us back, as it does for what a worker says, the loop would log and forget.
    """
    if database.descriptor is not None:
        asyncio.get_running_loop().set_exception_handler(_leave_loss)
    while database.descriptor is not None:
        await anyio.wait_readable(database.descriptor)
        database.check()


def _leave_loss(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    if not isinstance(context.get("exception"), StoreLostError):
        loop.default_exception_handler(context)


def _make_runtime(settings: Settings, tx: Transaction) -> Runtime:
    clock = Clock(settings.test_clock_ms or 0)
    policy = read_policy({"capabilities": settings.policy})
    catalog = Catalog.load(settings.miniapps, bundled=settings.bundled)
    for refused in catalog.refused:
        faults = "; ".join(f"{fault.path}: {fault.message}" for fault in refused.faults[:5])
        logger.warning("the MiniApp in %s is left out: %s", refused.folder, faults)
    return Runtime(
        clock=clock,
        ids=Ids(clock, keeping.greatest_id(tx)),
        live=Live(),
        apps=Apps(catalog.bundles, policy, miniapps.disabled(tx)),
        policy=policy,
        workers=NoWorkers(),
        started_at=clock.now(),
        test_clock=settings.test_clock_ms is not None,
    )


class NoWorkers:
    """Before the pool runs, and where nothing is to be started: nothing lives and nothing is wanted."""

    def want(self, instance_id: str, folder: Path, *, anew: bool = False) -> None:
        """Start nothing."""

    def end(self, instance_id: str, grace_ms: int) -> None:
        """End nothing."""

    def count(self) -> int:
        """None."""
        return 0

    def occupied(self) -> list[str]:
        """None."""
        return []


class Workers:
    """The pool, as the services see it."""

    def __init__(self, links: WorkerLinks) -> None:
        self.want = links.pool.want
        self._links = links

    def end(self, instance_id: str, grace_ms: int) -> None:
        """Let the process finish for that long, then end it; its place is another's from now on."""
        self._links.pool.end(instance_id, grace_ms)
        self._links.bring_back()

    def count(self) -> int:
        """How many processes live."""
        return len(self._links.pool.live)

    def occupied(self) -> list[str]:
        """The instances whose process lives, starts or is about to."""
        return self._links.pool.occupied


class WorkerLinks:
    """The Runtime, as the pool sees it: connects a process to the desk and hears of its end."""

    pool: WorkerPool

    def __init__(self, desk: Desk, tx: Transaction) -> None:
        self._desk = desk
        self._tx = tx
        self._displaced: dict[str, None] = {}
        """Who gave up its place although something waited for it, the longest first."""

    def attach(self, instance_id: str, outlet: Outlet) -> tuple[Inlet, bytes]:
        """A process was started: its connection, and ``sdk.hello`` with its token."""
        connection = Connection(outlet, self._desk.handle, instance_id=instance_id, framing="lines")
        unit = Unit(self._desk.runtime, self._tx)
        row = instances.get(self._tx, instance_id)
        assert row is not None  # noqa: S101 - the pool runs instances that exist
        token = self._desk.runtime.live.grant_context(workspace.caller_of(unit, row), connection)
        self._desk.runtime.live.keep()
        hello = SdkHello(context_token=token, context=workspace.context_of(unit, row))
        return WorkerInlet(self._desk, self, connection, outlet), notification("sdk.hello", hello) + b"\n"

    def worker_lost(self, instance_id: str, final: bool) -> None:
        """It died; for good, if it died too often. While its app is switched off it is left in peace."""
        if self._is_off(instance_id):
            self.pool.end(instance_id, 0)
        elif final:
            self._desk.act(lambda unit: recovery.worker_failed(unit, instance_id))
            self.bring_back()

    def choose_victim(self, live: Sequence[str], wanted: str) -> str:
        """The one that gives up its place."""
        chosen = victim([self._candidate(instance_id) for instance_id in live if instance_id != wanted])
        if self._needed(chosen) is not None:
            self._displaced[chosen] = None
        return chosen

    def bring_back(self) -> None:
        """Let those that gave up their place with work to do have one that is free, or of one that has none."""
        for instance_id in list(self._displaced):
            folder = None if instance_id in self.pool.occupied else self._needed(instance_id)
            if folder is not None:
                if not self.pool.has_room and not self._suspend_idle():
                    return
                self.pool.want(instance_id, folder)
            del self._displaced[instance_id]

    def _suspend_idle(self) -> bool:
        """Suspend the least recently used one that nothing waits for; whether there is one."""
        live = self._desk.runtime.live
        there = [one for one in self.pool.occupied if live.connected(one)]
        idle = [one for one in there if self._needed(one) is None]
        if idle:
            self.pool.suspend(min(idle, key=lambda one: live.used.get(one, 0)))
        return bool(idle)

    def _is_off(self, instance_id: str) -> bool:
        row = instances.get(self._tx, instance_id)
        return row is not None and not self._desk.runtime.apps.enabled(row.app_scope)

    def _needed(self, instance_id: str) -> Path | None:
        """The folder of the logic of an instance that something waits for."""
        unit = Unit(self._desk.runtime, self._tx)
        row = instances.live(self._tx, instance_id)
        needed = row is not None and waking.is_needed(unit, row)
        return unit.apps.bundles[row.app_scope].folder if row is not None and needed else None

    def _candidate(self, instance_id: str) -> Candidate:
        memory = self._desk.runtime.live
        row = instances.get(self._tx, instance_id)
        conversation_id = "" if row is None else row.conversation_id
        stack = workspace.stack_in(Unit(self._desk.runtime, self._tx), conversation_id)
        return Candidate(
            instance_id,
            in_front=top(stack) == instance_id and conversation_id in memory.opened,
            open_calls=tool_calls.count_of(self._tx, instance_id),
            left_front=memory.left_front.get(instance_id, 0),
            used=memory.used.get(instance_id, 0),
        )


class WorkerInlet:
    """The desk's end of one worker's connection."""

    def __init__(self, desk: Desk, links: WorkerLinks, connection: Connection, outlet: Outlet) -> None:
        self._desk = desk
        self._links = links
        self._connection = connection
        self._outlet = outlet

    def feed(self, data: bytes) -> None:
        """Take what the worker wrote; where that is much, others have their turn before it goes on."""
        self._connection.feed(data)
        if self._connection.is_behind:
            self._outlet.pause_reading()
        self._take_turns()

    def _take_turns(self) -> None:
        if self._connection.is_behind:
            asyncio.get_running_loop().call_soon(self._go_on)
        self._links.bring_back()

    def _go_on(self) -> None:
        self._connection.go_on()
        if not self._connection.is_behind:
            self._outlet.resume_reading()
        self._take_turns()

    def drained(self) -> None:
        """It reads again: tell it where something was dropped meanwhile."""
        self._connection.regain()

    def closed(self) -> None:
        """The process is gone: its last words are heard, for a moment; what it was handed waits for the next one."""
        until = time.monotonic() + _LAST_WORDS_S
        while self._connection.is_behind and time.monotonic() < until:
            self._connection.go_on()
        link = self._desk.runtime.live.links.get(self._connection.instance_id)
        if link is not None and link.hearer is self._connection:
            self._desk.act(self._disconnect)

    def _disconnect(self, unit: Unit) -> None:
        unit.by("runtime", "worker.gone")
        instance_id = self._connection.instance_id
        row: tables.Instance | None = instances.live(unit.tx, instance_id)
        if row is None:
            unit.live.unlink(instance_id)
        else:
            lifecycle.disconnect(unit, row)
