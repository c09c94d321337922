"""A child whose stdout is read only while there is room for what it says."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from signal import Signals

from anyio.abc import ByteReceiveStream, ByteSendStream, Process

from host_bridge.process import ChildProcess, open_process

MayRead = Callable[[], Awaitable[None]]
"""Waits until more may be read."""


class GatedStream(ByteReceiveStream):
    """Another stream, behind a gate."""

    def __init__(self, stream: ByteReceiveStream, may_read: MayRead) -> None:
        self._stream = stream
        self._may_read = may_read

    async def receive(self, max_bytes: int = 65_536) -> bytes:
        """Read once the gate is open."""
        await self._may_read()
        return await self._stream.receive(max_bytes)

    async def aclose(self) -> None:
        """Close the stream behind the gate."""
        await self._stream.aclose()


class GatedProcess(Process):
    """Another process, its stdout behind a gate."""

    def __init__(self, process: Process, may_read: MayRead) -> None:
        self._process = process
        self._stdout = GatedStream(process.stdout, may_read) if process.stdout else None

    async def aclose(self) -> None:
        """Close its pipes and wait for its end."""
        await self._process.aclose()

    async def wait(self) -> int:
        """Wait for its end; the exit code."""
        return await self._process.wait()

    def terminate(self) -> None:
        """Ask it to end."""
        self._process.terminate()

    def kill(self) -> None:
        """Kill it."""
        self._process.kill()

    def send_signal(self, signal: Signals) -> None:
        """Send it a signal."""
        self._process.send_signal(signal)

    @property
    def pid(self) -> int:
        """Its id."""
        return self._process.pid

    @property
    def returncode(self) -> int | None:
        """Its exit code, or None while it runs."""
        return self._process.returncode

    @property
    def stdin(self) -> ByteSendStream | None:
        """Its input."""
        return self._process.stdin

    @property
    def stdout(self) -> ByteReceiveStream | None:
        """Its output, behind the gate."""
        return self._stdout

    @property
    def stderr(self) -> ByteReceiveStream | None:
        """Its log: read whatever happens."""
        return self._process.stderr


async def start_gated(command: Sequence[str], env: Mapping[str, str] | None, may_read: MayRead) -> ChildProcess:
    """Start a child whose stdout is read through the gate. Raises ConnectionLostError where it cannot be run."""
    return ChildProcess(GatedProcess(await open_process(command, env), may_read))
