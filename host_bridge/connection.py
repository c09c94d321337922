"""JSON-RPC over one process's pipes: requests are matched to answers, the rest is recorded (PROTOCOL 1)."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

import anyio

from host_bridge.errors import ConnectionLostError, ContractBrokenError, RpcError
from host_bridge.record import Notification
from rpc_schema.framing import Decoder, FramingFault
from rpc_schema.json_text import JsonTextError, read_json, write_json

KEPT = 1_000
"""How many answers that nobody here asked for are kept."""

_ids = itertools.count(1)
"""Never starts again: an answer of an earlier process fits no request of a later one."""


class Pending:
    """A request on its way. Await it for the result. Raises RpcError, ConnectionLostError."""

    def __init__(self) -> None:
        self._settled = anyio.Event()
        self._result: Any = None
        self._error: Exception | None = None

    def __await__(self) -> Any:
        return self._outcome().__await__()

    def settle(self, answer: dict[str, Any]) -> None:
        """Take the answer."""
        if "error" in answer:
            error = answer["error"]
            self._error = RpcError(error["code"], error["message"], error.get("data"))
        else:
            self._result = answer["result"]
        self._settled.set()

    def fail(self, error: Exception) -> None:
        """There will be no answer."""
        self._error = error
        self._settled.set()

    async def _outcome(self) -> Any:
        await self._settled.wait()
        if self._error:
            raise self._error
        return self._result


class Connection:
    """One process's requests and answers; what comes that is no protocol is a fault and shows as one."""

    def __init__(
        self,
        write: Callable[[bytes], Awaitable[None]],
        on_notification: Callable[[Notification], None],
        on_fault: Callable[[str], None],
    ) -> None:
        self._write = write
        self._on_notification = on_notification
        self._on_fault = on_fault
        self._decoder = Decoder(framing="lines")
        self._pending: dict[int, Pending] = {}
        self._lost: ConnectionLostError | None = None
        self.closed = anyio.Event()
        self._strays: deque[Any] = deque(maxlen=KEPT)
        self._strayed = anyio.Event()

    async def post(self, calls: Iterable[tuple[str, dict[str, Any]]], *, batch: bool = False) -> list[Pending]:
        """Send requests, as one array where ``batch`` says so, without waiting for their answers."""
        messages, pending = [], []
        for method, params in calls:
            message_id = next(_ids)
            self._pending[message_id] = Pending()
            pending.append(self._pending[message_id])
            messages.append({"jsonrpc": "2.0", "id": message_id, "method": method, "params": params})
        for message in [messages] if batch else messages:
            await self.send(message)
        return pending

    async def send(self, message: Any) -> None:
        """Send any JSON value as one message."""
        await self.send_raw(self._decoder.encode(write_json(message)))

    async def send_raw(self, data: bytes) -> None:
        """Send bytes as they are."""
        if self._lost:
            raise self._lost.again()
        await self._write(data)

    async def next_stray(self) -> Any:
        """Take the oldest message that answers none of the requests made here. Raises ConnectionLostError."""
        while not self._strays:
            if self._lost:
                raise self._lost.again()
            await self._strayed.wait()
        return self._strays.popleft()

    def feed(self, data: bytes) -> None:
        """Take bytes from the process."""
        for frame in self._decoder.feed(data):
            self._take_frame(frame)

    def lose(self, lost: ConnectionLostError) -> None:
        """The process is gone: every pending request fails now, every later one at once."""
        self._lost = lost
        for frame in self._decoder.end():
            self._take_frame(frame)
        for pending in self._pending.values():
            pending.fail(lost.again())
        self._pending.clear()
        self._strayed.set()
        self.closed.set()

    def _take_frame(self, frame: bytes | FramingFault) -> None:
        try:
            if isinstance(frame, FramingFault):
                raise ContractBrokenError("stdout", [frame.message])
            message = read_json(frame)
            if isinstance(message, list) and all(self._is_ours(one) for one in message):
                for one in message:
                    self._take(one)
            else:
                self._take(message)
        except (JsonTextError, ContractBrokenError) as error:
            self._on_fault(f"not protocol on stdout: {error}")

    def _take(self, message: Any) -> None:
        if self._is_ours(message):
            if _is_answer(message):
                self._pending.pop(message["id"]).settle(message)
            else:
                self._on_fault("not protocol on stdout: an answer that has no one result and no one error")
        elif isinstance(message, dict) and "method" in message:
            self._on_notification(Notification(message["method"], message.get("params", {})))
        else:
            self._strays.append(message)
            self._strayed.set()
            self._strayed = anyio.Event()

    def _is_ours(self, message: Any) -> bool:
        return isinstance(message, dict) and "method" not in message and _key(message) in self._pending


def _is_answer(message: dict[str, Any]) -> bool:
    """Whether it can settle a request: with a result, or with an error that is one, and not with both."""
    if "error" not in message:
        return "result" in message
    error = message["error"]
    sound = isinstance(error, dict) and type(error.get("code")) is int and isinstance(error.get("message"), str)
    return sound and "result" not in message


def _key(message: dict[str, Any]) -> int | None:
    message_id = message.get("id")
    return message_id if type(message_id) is int else None
