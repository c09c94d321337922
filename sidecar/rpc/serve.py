"""Serving stdio: read, hand to the desk, write, tick; end at the end of input, at exit, on a signal (PROTOCOL 1.1)."""

from __future__ import annotations

import asyncio
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import anyio
import anyio.lowlevel

from rpc_schema import limits
from sidecar.rpc.connection import Connection
from sidecar.rpc.desk import Desk
from sidecar.rpc.early import Early
from sidecar.rpc.signals import SIGNALS
from sidecar.rpc.stdio import Claimed, Output, read_chunk
from sidecar.rpc.watch import Parent, arm_hard_exit

_LONGEST_SLEEP_S = 0.5
_PARENT_CHECK_S = 1.0
SIGNALLED_DRAIN_S = 1.0
"""Who sends a signal, or has died, waits for no more than this."""


class Server:
    """The Host's connection over claimed descriptors; ``serve`` returns the process's exit code."""

    def __init__(self, claimed: Claimed, early: Early, parent_pid: int) -> None:
        self._claimed = claimed
        self._early = early
        self._parent = Parent(parent_pid, claimed.parent_pid)
        self._exit_code: int | None = None
        self._drain_s = 0.0
        self._stopped = anyio.Event()
        self._to_write = anyio.Event()
        self._drained = anyio.Event()
        self.output = self._open_output()

    def exit(self, code: int, drain_s: float = limits.DRAIN_MS / 1_000) -> None:
        """End once what is queued is written, or after that many seconds."""
        if self._exit_code is None:
            self._exit_code, self._drain_s = code, drain_s
        self._stopped.set()

    async def serve(self, desk: Desk, on_stop: Callable[[], None]) -> int:
        """Serve until the end; ``on_stop`` is called before the last answers are written. The exit code."""
        host = Connection(self.output, desk.handle, decoder=self._early.decoder, waiting=self._early.frames)
        self._watch_for_end()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._write, desk)
            tasks.start_soon(self._tick, desk)
            tasks.start_soon(self._watch_parent)
            tasks.start_soon(self._obey_signals)
            tasks.start_soon(self._read, host)
            await self._stopped.wait()
            with anyio.move_on_after(self._drain_s) as drain:
                await self._finish_answering(host)
            on_stop()
            with anyio.CancelScope(deadline=drain.deadline):
                await self._finish_writing()
            tasks.cancel_scope.cancel()
        self.output.close()
        return self._exit_code or 0

    # -- tasks
    async def _read(self, host: Connection) -> None:
        while self._exit_code is None:
            await self._go_on(host)
            if not host.is_behind and host.has_room:
                await self._take_while_room(host)

    async def _take_while_room(self, host: Connection) -> None:
        """Hand over what arrives, until some of it must wait for room for its answers or the end has come.

        The descriptor stays registered meanwhile: to wait for it anew costs as much as a short request itself.
        """
        loop, stopped = asyncio.get_running_loop(), asyncio.Future[None]()

        def take() -> None:
            if stopped.done():  # something else has ended the serving in this very turn of the loop
                return
            try:
                self._take(host, read_chunk(self._claimed.stdin))
            except BaseException as error:
                stopped.set_exception(error)
                loop.remove_reader(self._claimed.stdin)
            else:
                if self._exit_code is not None or host.is_behind or not host.has_room:
                    stopped.set_result(None)
                    loop.remove_reader(self._claimed.stdin)

        try:
            self._register(loop, take)
        except OSError:  # a regular file, or the null device: always readable, and not to be waited for
            await anyio.lowlevel.checkpoint()
            self._take(host, read_chunk(self._claimed.stdin))
            return
        try:
            await stopped
        finally:
            loop.remove_reader(self._claimed.stdin)

    def _register(self, loop: asyncio.AbstractEventLoop, take: Callable[[], None]) -> None:
        if stat.S_ISREG(os.fstat(self._claimed.stdin).st_mode):
            raise PermissionError  # epoll says so itself; kqueue would wait, and never tell the end
        loop.add_reader(self._claimed.stdin, take)

    def _take(self, host: Connection, data: bytes) -> None:
        with self._gathered():
            if data:
                host.feed(data)
            else:
                host.end()
                self.exit(0)

    @contextmanager
    def _gathered(self) -> Iterator[None]:
        """What is written meanwhile leaves at once."""
        self.output.hold()
        try:
            yield
        finally:
            self.output.release()

    async def _write(self, desk: Desk) -> None:
        while True:
            await self._to_write.wait()
            while not self.output.flush():
                await self._wait_writable()
                self._drained.set()
            self._to_write = anyio.Event()
            self._drained.set()
            desk.drained()

    async def _tick(self, desk: Desk) -> None:
        while True:
            ahead_s = (desk.runtime.next_due - desk.runtime.clock.now()) / 1_000
            await anyio.sleep(min(max(ahead_s, 0.0), _LONGEST_SLEEP_S))
            desk.tick()

    async def _watch_parent(self) -> None:
        while self._parent.is_there():
            await anyio.sleep(_PARENT_CHECK_S)
        self.exit(0, SIGNALLED_DRAIN_S)

    async def _obey_signals(self) -> None:
        with anyio.open_signal_receiver(*SIGNALS) as signals:
            async for _ in signals:
                self.exit(0, SIGNALLED_DRAIN_S)

    # -- what threads.py does in another way
    def _open_output(self) -> Output:
        return Output(self._claimed.stdout, self._wake_writer)

    def _watch_for_end(self) -> None:
        arm_hard_exit(self._claimed.stdin)

    async def _wait_writable(self) -> None:
        await anyio.wait_writable(self._claimed.stdout)

    # -- inside
    def _wake_writer(self) -> None:
        self._to_write.set()

    async def _go_on(self, host: Connection) -> None:
        """Handle what waits, once there is room for its answers."""
        while not host.has_room:
            await self._some_written()
        with self._gathered():
            host.go_on()

    async def _finish_answering(self, host: Connection) -> None:
        """Handle what had arrived before the end."""
        while host.is_behind:
            await self._go_on(host)

    async def _finish_writing(self) -> None:
        """Wait until the writer, which alone may wait for stdout, has written all."""
        while self.output.queued_bytes:
            await self._some_written()

    async def _some_written(self) -> None:
        """Wait until the Host has taken something; several may wait."""
        if self._drained.is_set():
            self._drained = anyio.Event()
        await self._drained.wait()
