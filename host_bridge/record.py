"""The notifications of a sidecar: a bounded record of all of them, to wait on, to stream from and to listen to."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from itertools import islice
from types import TracebackType
from typing import Any

import anyio

from host_bridge.errors import ConnectionLostError, NotificationsMissedError

RECORD_LIMIT = 10_000
"""How many notifications are remembered, and how many a stream may lag behind."""

Where = Callable[[dict[str, Any]], bool]


@dataclass(frozen=True)
class Notification:
    """One notification as it came."""

    method: str
    params: dict[str, Any]


@dataclass
class _Entry:
    notification: Notification
    taken: bool = False


class NotificationRecord:
    """All notifications in the order in which they came, across restarts of the process."""

    def __init__(self) -> None:
        self._entries: deque[_Entry] = deque(maxlen=RECORD_LIMIT)
        self._count = 0
        self._listeners: list[Callable[[Notification], None]] = []
        self._streams: set[NotificationStream] = set()
        self._changed = anyio.Event()
        self._lost: ConnectionLostError | None = None

    def add(self, notification: Notification) -> None:
        """Remember one and tell everybody who waits for it."""
        self._entries.append(_Entry(notification))
        self._count += 1
        for listener in tuple(self._listeners):
            listener(notification)
        for stream in tuple(self._streams):
            stream.offer(notification)
        self._wake()

    def open(self) -> None:
        """A process is up: whoever waits may hope again."""
        self._lost = None

    def close(self, lost: ConnectionLostError) -> None:
        """The process is gone: waits fail and streams end."""
        self._lost = lost
        for stream in tuple(self._streams):
            stream.end()
        self._wake()

    def seen(self, method: str | None = None) -> list[Notification]:
        """Everything remembered of that method, or of all of them."""
        return [e.notification for e in self._entries if method in (None, e.notification.method)]

    def listen(self, listener: Callable[[Notification], None]) -> Callable[[], None]:
        """Call ``listener`` with each notification from now on, in order and across restarts; the result ends it."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def stream(self, method: str | None) -> NotificationStream:
        """Iterate over what comes from now on until the process is gone."""
        stream = NotificationStream(method, self._streams)
        if self._lost:
            stream.end()
        return stream

    async def wait_for(self, method: str, where: Where) -> dict[str, Any]:
        """Take the oldest that fits and was not taken yet; its params. Raises ConnectionLostError."""
        looked_at = 0
        while True:
            for entry in self._after(looked_at):
                if not entry.taken and entry.notification.method == method and where(entry.notification.params):
                    entry.taken = True
                    return entry.notification.params
            looked_at = self._count
            if self._lost:
                raise self._lost.again()
            await self._changed.wait()

    def _after(self, count: int) -> list[_Entry]:
        """The entries that came after so many had come, of those that are remembered."""
        return list(islice(self._entries, max(0, len(self._entries) - (self._count - count)), None))

    def _wake(self) -> None:
        self._changed.set()
        self._changed = anyio.Event()


class NotificationStream(AsyncIterator[Notification]):
    """What comes from the moment of its making on. Use it in ``async with`` or iterate it to its end."""

    def __init__(self, method: str | None, streams: set[NotificationStream]) -> None:
        self._method = method
        self._streams = streams
        self._queue: deque[Notification] = deque()
        self._missed = False
        self._ended = False
        self._news = anyio.Event()
        streams.add(self)

    def offer(self, notification: Notification) -> None:
        """Queue one that fits; a reader that is too slow loses its backlog and is told so."""
        if self._method not in (None, notification.method):
            return
        if len(self._queue) >= RECORD_LIMIT:
            self._queue.clear()
            self._missed = True
            self.end()
        else:
            self._queue.append(notification)
            self._news.set()

    def end(self) -> None:
        """Nothing more comes; what is queued is still handed out."""
        self._ended = True
        self._streams.discard(self)
        self._news.set()

    async def __anext__(self) -> Notification:
        while not self._queue:
            if self._missed:
                raise NotificationsMissedError("the stream was read too slowly; read the snapshots and start a new one")
            if self._ended:
                raise StopAsyncIteration
            self._news = anyio.Event()
            await self._news.wait()
        return self._queue.popleft()

    async def __aenter__(self) -> NotificationStream:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()
