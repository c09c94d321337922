"""A sidecar process and the conversation with it: start, ask, hear, stop, start again."""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from types import TracebackType
from typing import Any, Self

import anyio
from anyio.abc import TaskGroup

from host_bridge import contract
from host_bridge.connection import Connection, Pending
from host_bridge.errors import ConnectionLostError, ContractBrokenError, RpcError
from host_bridge.process import ChildProcess, open_process
from host_bridge.record import Notification, NotificationRecord, NotificationStream, Where
from rpc_schema import PROTOCOL_VERSION

HOST = {"name": "lineup-host", "version": "1.0.0"}
"""Who ``initialize`` says is driving, unless told otherwise."""

FAULTS_KEPT = 100

Call = tuple[str, dict[str, Any]]


class Sidecar:
    """One sidecar, whose process may end and be started again. ``async with`` starts it and leaves nothing behind.

    Every answer is due at once, so ``timeout`` seconds bound each wait; TimeoutError means that something hangs.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        env: Mapping[str, str] | None = None,
        timeout: float = 30.0,
        grace: float = 5.0,
    ) -> None:
        self.command = tuple(command)
        self.timeout = timeout
        self.grace = grace
        self.record = NotificationRecord()
        self.faults: deque[str] = deque(maxlen=FAULTS_KEPT)
        self.stopping = False
        self.session: dict[str, Any] | None = None
        self._env = env
        self._stack = AsyncExitStack()
        self._tasks: TaskGroup | None = None
        self._process: ChildProcess | None = None
        self._connection: Connection | None = None

    async def __aenter__(self) -> Self:
        self._tasks = await self._stack.enter_async_context(anyio.create_task_group())
        try:
            await self.start()
        except BaseException:
            await self._stack.aclose()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        with anyio.CancelScope(shield=True):
            await self.stop()
        return await self._stack.__aexit__(kind, error, trace)

    # -- the process
    @property
    def pid(self) -> int:
        """The process's id. Raises ConnectionLostError where there was none yet."""
        return self._running().pid

    @property
    def alive(self) -> bool:
        """Whether there is a process that has not ended."""
        return self._connection is not None and not self._connection.closed.is_set()

    @property
    def stderr_tail(self) -> str:
        """The newest part of what the process wrote to stderr."""
        return self._process.stderr_tail if self._process else ""

    async def start(self) -> None:
        """Start the process, if it is not running; what was recorded stays."""
        assert self._tasks, "use 'async with Sidecar(...)'"
        if self.alive:
            return
        process = await self._open()
        self._process, self._connection = process, self._connect(process)
        self.stopping, self.session = False, None
        self.record.open()
        self._tasks.start_soon(self._run, process, self._connection)

    async def stop(self) -> int | None:
        """End the process: ``shutdown`` and ``exit``, else end of input, each within ``grace``, else kill; its code."""
        self.stopping = True
        process = self._process
        if process is None:
            return None
        for step in (self._say_goodbye, process.close_stdin):
            if self.alive:
                await self._try_to_end(step)
        if self.alive:
            process.kill_group()
        return await self.ended()

    async def kill(self) -> None:
        """Kill the process as a crash would, and wait until it is gone."""
        self._running().kill()
        await self.ended()

    async def ended(self) -> int | None:
        """Wait until the process has ended; its exit code."""
        process = self._running()
        await self._connected().closed.wait()
        return process.exit_code

    # -- asking
    async def call(self, method: str, /, **params: Any) -> Any:
        """Ask and wait: the result as plain JSON. Params and result are held against the contract.

        Raises RpcError, ConnectionLostError, ContractBrokenError, TimeoutError.
        """
        row = contract.find_method(method)
        contract.check_params(row, params)
        result = await self.request(method, params)
        contract.check_result(row, result)
        return result

    async def initialize(self, **params: Any) -> dict[str, Any]:
        """Begin a session; ``host`` and the version need not be given. The result stays as ``session``."""
        params = {"protocol_version": PROTOCOL_VERSION, "host": HOST, **params}
        session: dict[str, Any] = await self.call("initialize", **params)
        self.session = session
        return session

    async def request(self, method: str, params: Any) -> Any:
        """Ask anything, sound or not, and wait. Raises RpcError, ConnectionLostError, TimeoutError."""
        pending = await self.post(method, params)
        return await self._in_time(pending, f"answer to {method}")

    async def post(self, method: str, params: Any) -> Pending:
        """Send a request without waiting; await what comes back for the result."""
        [pending] = await self._connected().post([(method, params)])
        return pending

    async def batch(self, calls: Iterable[Call]) -> list[Any]:
        """Send requests as one array: each one's result, or its RpcError."""
        pending = await self._connected().post(calls, batch=True)
        return [await self._outcome(one) for one in pending]

    async def notify(self, method: str, **params: Any) -> None:
        """Send a notification."""
        await self._connected().send({"jsonrpc": "2.0", "method": method, "params": params})

    async def send_raw(self, data: bytes) -> None:
        """Send bytes as they are."""
        await self._connected().send_raw(data)

    async def next_stray(self) -> Any:
        """Take the oldest message that answers no request of this client: what ``send_raw`` brought about."""
        return await self._in_time(self._connected().next_stray(), "message")

    # -- hearing
    async def wait_for(
        self, method: str, where: Where = lambda params: True, timeout: float | None = None
    ) -> dict[str, Any]:
        """Take the oldest notification that fits and was not taken yet, past or to come; its params.

        Raises ConnectionLostError, TimeoutError.
        """
        params: dict[str, Any] = await self._in_time(self.record.wait_for(method, where), method, timeout)
        return params

    def notifications(self, method: str | None = None) -> NotificationStream:
        """Iterate over notifications from now on until the process is gone."""
        return self.record.stream(method)

    def seen(self, method: str | None = None) -> list[Notification]:
        """Every notification so far, of that method or of all, across restarts."""
        return self.record.seen(method)

    def listen(self, listener: Callable[[Notification], None]) -> Callable[[], None]:
        """Call ``listener`` with each notification, in order and across restarts; the result ends it."""
        return self.record.listen(listener)

    # -- inside
    async def _open(self) -> ChildProcess:
        return ChildProcess(await open_process(self.command, self._env))

    def _connect(self, process: ChildProcess) -> Connection:
        return Connection(process.write, self._hear, self.faults.append)

    async def _run(self, process: ChildProcess, connection: Connection) -> None:
        try:
            await process.run(connection.feed)
        finally:
            lost = ConnectionLostError(_obituary(process), process.exit_code, process.stderr_tail)
            self.record.close(lost)
            connection.lose(lost)

    def _hear(self, notification: Notification) -> None:
        try:
            contract.check_notification(notification)
        except ContractBrokenError as error:
            self.faults.append(str(error))
        self._hand_on(notification)

    def _hand_on(self, notification: Notification) -> None:
        self.record.add(notification)

    async def _say_goodbye(self) -> None:
        await self.request("shutdown", {})
        await self.notify("exit")

    async def _try_to_end(self, step: Callable[[], Awaitable[None]]) -> None:
        with anyio.move_on_after(self.grace), suppress(RpcError, ConnectionLostError):
            await step()
            await self.ended()

    async def _in_time(self, awaitable: Awaitable[Any], what: str, timeout: float | None = None) -> Any:
        seconds = self.timeout if timeout is None else timeout
        with anyio.move_on_after(seconds):
            return await awaitable
        raise TimeoutError(f"no {what} within {seconds:g} s\n{self.stderr_tail}".rstrip())

    async def _outcome(self, pending: Pending) -> Any:
        try:
            return await self._in_time(pending, "answer")
        except RpcError as error:
            return error

    def _running(self) -> ChildProcess:
        if self._process is None:
            raise ConnectionLostError("the sidecar was not started")
        return self._process

    def _connected(self) -> Connection:
        if self._connection is None:
            raise ConnectionLostError("the sidecar was not started")
        return self._connection


def _obituary(process: ChildProcess) -> str:
    return f"the sidecar (pid {process.pid}) ended with exit code {process.exit_code}"
