"""One worker process: its pipes, its log and its end."""

import asyncio
import logging
import signal
from collections.abc import Callable
from pathlib import Path
from typing import cast

import anyio

from rpc_schema.limits import MAX_QUEUED_BYTES
from sidecar.workers import group
from sidecar.workers.command import worker_environment
from sidecar.workers.ports import Inlet, Outlet
from sidecar.workers.stderr_log import StderrLog

logger = logging.getLogger("sidecar.workers")

END_OF_INPUT_GRACE_S = 0.5
"""How long a worker may take to end after its input ended."""
REMAINS_GRACE_S = 1.0
"""How long the pipes of a dead worker are read: a process that it left behind may hold them open."""

STDIN, STDOUT, STDERR = 0, 1, 2


class WorkerProcess(asyncio.SubprocessProtocol):
    """A process as asyncio's own callbacks: bytes pass without a task, a thread or a copy of ours between.

    ``attach`` is called once the pipes stand, and not at all where the end was asked for before that.
    """

    def __init__(self, instance_id: str, attach: Callable[[Outlet], tuple[Inlet, bytes]]) -> None:
        self.instance_id = instance_id
        self.ending = False
        """The end was asked for: it is no failure."""
        self._attach = attach
        self._inlet: Inlet | None = None
        self._log = StderrLog(instance_id)
        self._gone = anyio.Event()
        self._transport: asyncio.SubprocessTransport | None = None
        self._group: group.Group | None = None

    async def run(self, command: list[str], folder: Path) -> None:
        """Start the process and return when it is gone. Raises OSError: it could not be started.

        Must be awaited on the main thread: a worker asks the kernel to die with the *thread* that forked it.
        """
        loop = asyncio.get_running_loop()
        with anyio.CancelScope(shield=True):  # a start that is broken off halfway could not be awaited
            transport, _ = await loop.subprocess_exec(
                lambda: self,
                *command,
                cwd=folder,
                env=worker_environment(),
                close_fds=True,
                **group.START,  # its children die with it
            )
        try:
            await self._gone.wait()
        except asyncio.CancelledError:
            self.ending = True
            self.kill()
            with anyio.CancelScope(shield=True):
                await self._gone.wait()
            raise
        finally:
            transport.close()

    @property
    def connected(self) -> bool:
        """Tell whether the Runtime has it as a connection that is to stay."""
        return self._inlet is not None and not self.ending and not self._gone.is_set()

    # -- the Runtime's hold (Outlet)
    @property
    def queued_bytes(self) -> int:
        return self._stdin.get_write_buffer_size()

    def write(self, data: bytes) -> None:
        if self._gone.is_set() or self._stdin.is_closing():
            return
        if self.queued_bytes + len(data) > MAX_QUEUED_BYTES:
            logger.warning("%s: the worker does not read: it is ended", self.instance_id)
            self.kill()
        else:
            self._stdin.write(data)

    def pause_reading(self) -> None:
        self._pause(STDOUT)

    def resume_reading(self) -> None:
        self._resume(STDOUT)

    def kill(self) -> None:
        if self._transport is None or self._gone.is_set():
            return
        if self._group is None:
            self._transport.kill()
        else:
            self._group.kill()

    def end(self, grace_s: float) -> None:
        """Let it finish for a while, then close its stdin, then kill it."""
        self.ending = True
        if self._transport is not None:
            self._later(grace_s, self._close_stdin)

    # -- asyncio's calls
    def resume_writing(self) -> None:
        if self._inlet is not None:
            self._inlet.drained()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.SubprocessTransport, transport)
        try:
            self._group = group.Group(self._transport.get_pid())
        except OSError as error:
            logger.error("%s: the worker cannot be put under control: %s", self.instance_id, error)
            self.kill()
            return
        if self.ending:
            self.kill()
            return
        self._inlet, first = self._attach(self)
        self.write(first)

    def pipe_data_received(self, fd: int, data: bytes | str) -> None:
        chunk = cast(bytes, data)
        if fd == STDOUT and self._inlet is not None:
            self._inlet.feed(chunk)
        elif fd == STDERR and (pause := self._log.feed(chunk)):
            self._pause(STDERR)
            self._later(pause, lambda: self._resume(STDERR))

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        if fd == STDOUT:
            self.kill()  # a worker that closed its connection cannot speak again

    def process_exited(self) -> None:
        self.kill()  # children that it left behind
        self._resume(STDOUT)
        self._resume(STDERR)
        if self._transport is not None:
            self._later(REMAINS_GRACE_S, self._transport.close)

    def connection_lost(self, exc: Exception | None) -> None:
        self._gone.set()
        self._log.end()
        if self._group is not None:
            self._group.close()
        if not self.ending:
            logger.warning("%s: the worker died (%s)", self.instance_id, self._fate())
        if self._inlet is not None:
            self._inlet.closed()

    # -- inside
    @property
    def _stdin(self) -> asyncio.WriteTransport:
        return cast(asyncio.WriteTransport, self._pipe(STDIN))

    def _pipe(self, fd: int) -> asyncio.BaseTransport | None:
        return None if self._transport is None else self._transport.get_pipe_transport(fd)

    def _pause(self, fd: int) -> None:
        pipe = self._pipe(fd)
        if isinstance(pipe, asyncio.ReadTransport) and not self._has_exited():
            pipe.pause_reading()

    def _resume(self, fd: int) -> None:
        pipe = self._pipe(fd)
        if isinstance(pipe, asyncio.ReadTransport) and not pipe.is_closing():
            pipe.resume_reading()

    def _has_exited(self) -> bool:
        return self._transport is None or self._transport.get_returncode() is not None

    def _close_stdin(self) -> None:
        self._stdin.close()
        self._later(END_OF_INPUT_GRACE_S, self.kill)

    def _later(self, seconds: float, act: Callable[[], None]) -> None:
        """Act after a while; nothing of it is harmful once the process is gone, so nothing is called off."""
        asyncio.get_running_loop().call_later(seconds, act)

    def _fate(self) -> str:
        code = None if self._transport is None else self._transport.get_returncode()
        if code is None or code >= 0:
            return f"exit code {code}"
        return f"signal {-code}, {signal.strsignal(-code)}"
