"""One child process in a group of its own: its pipes are drained from the start and its end is bounded."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

import anyio
from anyio.abc import ByteReceiveStream, Process

from host_bridge.errors import ConnectionLostError

STDERR_TAIL_BYTES = 64 * 1024
"""How much of the newest stderr is kept for error messages."""

PIPES_CLOSE_SECONDS = 1.0
"""How long after its exit a child's pipes may stay open, held by a process that it left behind."""

if sys.platform == "win32":
    _OF_ITS_OWN: Final[dict[str, Any]] = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
else:
    _OF_ITS_OWN: Final[dict[str, Any]] = {"start_new_session": True}
"""What keeps Ctrl-C to this process alone, which then ends the child in order."""

EXIT_SECONDS = 5.0
"""How long a child that has closed its stdout may take to end before it is ended."""


class ChildProcess:
    """A running child. Somebody must be inside :meth:`run` for its output to be read."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self._stderr = bytearray()
        self.pid = process.pid
        self.exit_code: int | None = None
        self._silent = anyio.Event()

    @property
    def stderr_tail(self) -> str:
        """The newest part of what the child wrote to stderr."""
        return self._stderr.decode(errors="replace")

    async def run(self, on_stdout: Callable[[bytes], None]) -> int:
        """Hand over stdout as it comes and keep the tail of stderr until the child has ended; the exit code.

        When it is cancelled or has ended, nothing of the child's process group is left.
        """
        try:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(self._read, on_stdout)
                await self._process.wait()
                with anyio.move_on_after(PIPES_CLOSE_SECONDS):
                    await self._silent.wait()
                tasks.cancel_scope.cancel()
        finally:
            with anyio.CancelScope(shield=True):
                self.kill_group()
                await self._process.aclose()
            self.exit_code = self._process.returncode
        return await self._process.wait()

    async def write(self, data: bytes) -> None:
        """Write to stdin. Raises ConnectionLostError where nobody reads it any more."""
        assert self._process.stdin
        try:
            await self._process.stdin.send(data)
        except (anyio.BrokenResourceError, anyio.ClosedResourceError, OSError) as error:
            raise ConnectionLostError("the sidecar reads no more", self.exit_code, self.stderr_tail) from error

    async def close_stdin(self) -> None:
        """End the child's input, which asks it to end."""
        assert self._process.stdin
        await self._process.stdin.aclose()

    def kill(self) -> None:
        """Kill the child alone, as a crash would."""
        if self._process.returncode is None:
            self._kill(group=False)

    def kill_group(self) -> None:
        """Kill the child and whatever it started that is still there."""
        self._kill(group=True)

    def _kill(self, *, group: bool) -> None:
        """Signal without ``Popen.kill``, which takes the exit code away from whoever waits for it.

        Windows has no group to kill: the sidecar's workers are in jobs that end with it.
        """
        if sys.platform == "win32":
            with suppress(ProcessLookupError):
                self._process.kill()
        else:
            with suppress(ProcessLookupError, PermissionError):
                (os.killpg if group else os.kill)(self.pid, signal.SIGKILL)

    def _keep_stderr(self, data: bytes) -> None:
        self._stderr += data
        del self._stderr[:-STDERR_TAIL_BYTES]

    async def _read(self, on_stdout: Callable[[bytes], None]) -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_drain, self._process.stderr, self._keep_stderr)
            await _drain(self._process.stdout, on_stdout)
            with anyio.move_on_after(EXIT_SECONDS):
                await self._process.wait()
            self.kill_group()
        self._silent.set()


async def open_process(command: Sequence[str], env: Mapping[str, str] | None = None) -> Process:
    """Start a process with three pipes, in a group of its own. Raises ConnectionLostError where it cannot be run."""
    try:
        return await anyio.open_process(list(command), env=env, **_OF_ITS_OWN)
    except OSError as error:
        raise ConnectionLostError(f"cannot run {command[0]}: {error.strerror}") from error


async def _drain(stream: ByteReceiveStream | None, take: Callable[[bytes], None]) -> None:
    assert stream
    try:
        async for chunk in stream:
            take(chunk)
    except (anyio.BrokenResourceError, anyio.ClosedResourceError):
        return
