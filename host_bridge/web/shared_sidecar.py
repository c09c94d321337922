"""One sidecar whose one connection two speak on: the page, and the bridge itself for its scripted Agent.

Requests of the page get negative ids on the way in, the bridge's own are positive: they never meet. An answer goes to
whoever asked in the very moment in which it is read, so that the order of all that the sidecar says is kept.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import anyio

from host_bridge.client import Sidecar
from host_bridge.connection import Connection, Pending
from host_bridge.process import ChildProcess
from host_bridge.record import Notification
from host_bridge.web.gate import MayRead, start_gated
from rpc_schema.json_text import write_json
from rpc_schema.limits import MAX_MESSAGE_BYTES

Message = dict[str, Any]
Take = Callable[[Message], None]
"""Takes an answer; its id is not that of the request as it was made."""

_page_ids = itertools.count(-1, -1)
"""Never starts again: an answer to an earlier page fits no request of a later one."""


class MessageTooLongError(Exception):
    """What is to be forwarded is over the limit of the wire."""


class ForwardedRequest(Pending):
    """A request of the page. Where the sidecar ends, the page is told of that and not of each request."""

    def __init__(self, take: Take) -> None:
        super().__init__()
        self._take = take

    def settle(self, answer: Message) -> None:
        """Hand the answer over at once."""
        self._take(answer)


class SharedConnection(Connection):
    """A connection that carries the requests of others besides its own."""

    async def forward(self, messages: Iterable[tuple[Message, Take]], *, batch: bool) -> None:
        """Send requests and notifications as they are but for their ids, as one array where ``batch`` says so.

        Raises MessageTooLongError, ConnectionLostError.
        """
        forwarded: dict[int, ForwardedRequest] = {}
        sent = []
        for message, take in messages:
            if "id" in message:
                message_id = next(_page_ids)
                forwarded[message_id] = ForwardedRequest(take)
                message = {**message, "id": message_id}
            sent.append(message)
        body = write_json(sent if batch else sent[0])
        if len(body) > MAX_MESSAGE_BYTES:
            raise MessageTooLongError
        self._pending.update(forwarded)
        await self.send_raw(self._decoder.encode(body))


class SharedSidecar(Sidecar):
    """A sidecar that a page drives and others listen to. It remembers nothing of what it says: pages read snapshots."""

    def __init__(self, command: Sequence[str], *, may_read: MayRead) -> None:
        super().__init__(command)
        self._may_read = may_read
        self._listeners: list[Callable[[Notification], None]] = []
        self._began = anyio.Event()

    async def forward(self, messages: Iterable[tuple[Message, Take]], *, batch: bool) -> None:
        """Send what a page says. Raises MessageTooLongError, ConnectionLostError."""
        connection = self._connected()
        assert isinstance(connection, SharedConnection)
        await connection.forward(messages, batch=batch)

    def crash(self) -> None:
        """Kill the process as a crash would, without waiting for its end."""
        self._running().kill()

    # -- the session that the page began
    @property
    def in_session(self) -> bool:
        """Whether this process has answered an ``initialize``."""
        return self.alive and self.session is not None

    def begin_session(self, session: dict[str, Any]) -> None:
        """Note what ``initialize`` answered to the page."""
        self.session = session
        self._began.set()
        self._began = anyio.Event()

    async def wait_for_session(self) -> None:
        """Wait until a page has initialized the process that runs."""
        while not self.in_session:
            await self._began.wait()

    # -- hearing
    def listen(self, listener: Callable[[Notification], None]) -> Callable[[], None]:
        """Call ``listener`` with each notification, in order and across restarts; the result ends it."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def seen(self, method: str | None = None) -> list[Notification]:
        """Nothing: see the class."""
        return []

    # -- what it does otherwise
    async def _open(self) -> ChildProcess:
        return await start_gated(self.command, self._env, self._may_read)

    def _connect(self, process: ChildProcess) -> Connection:
        return SharedConnection(process.write, self._hear, self.faults.append)

    def _hand_on(self, notification: Notification) -> None:
        for listener in tuple(self._listeners):
            listener(notification)
