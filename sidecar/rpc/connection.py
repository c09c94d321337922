"""One connection, the Host's or a worker's: frames in, frames out, a bounded queue between (PROTOCOL 1.1).

Answers are never dropped: past the bound the connection asks for reading to pause. Notifications are: they may not take
the room that answers need, so that a Host that is slow to read is still listened to, and one ``runtime.resync`` follows
once there is room again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from rpc_schema import limits
from rpc_schema.base import Wire
from rpc_schema.framing import Decoder, Frames, Framing
from rpc_schema.notifications import RuntimeResync


class Sink(Protocol):
    """Where the bytes go: stdout, or a worker's stdin."""

    @property
    def queued_bytes(self) -> int:
        """What was written and not taken yet."""

    def write(self, data: bytes) -> None:
        """Queue bytes; never blocks."""


class Connection:
    """A peer that is spoken to in JSON-RPC; ``instance_id`` is set for a worker, empty for the Host."""

    def __init__(
        self,
        sink: Sink,
        handle: Callable[[Connection, Frames], int],
        *,
        instance_id: str = "",
        framing: Framing = "undecided",
        decoder: Decoder | None = None,
        waiting: Frames | None = None,
    ) -> None:
        self.instance_id = instance_id
        self.lost_news = False
        self._sink = sink
        self._handle = handle
        self._decoder = decoder or Decoder(framing=framing)
        self._waiting: Frames = waiting or []
        self._is_faulty = False

    @property
    def is_host(self) -> bool:
        """Whether this is the Host's connection."""
        return not self.instance_id

    # -- in
    @property
    def is_behind(self) -> bool:
        """Whether frames wait to be handled."""
        return bool(self._waiting)

    def feed(self, data: bytes) -> None:
        """Take bytes; the frames that they complete are handled as one group, or as several where that grows large."""
        self._waiting += self._decoder.feed(data)
        self.go_on()

    def end(self) -> None:
        """Take the end of input: a last line without its end counts."""
        self._waiting += self._decoder.end()
        self.go_on()

    def go_on(self) -> None:
        """Handle the frames that wait: all of the Host's for which there is room, one group of a worker's."""
        while self._waiting and (self.has_room or not self.is_host):
            frames, self._waiting = self._waiting, []
            done = self._handle(self, frames)
            self._waiting = [] if self._is_faulty else frames[done:]
            if not self.is_host:
                return

    # -- out
    @property
    def has_room(self) -> bool:
        """Whether the queue is below its bound."""
        return self._sink.queued_bytes < limits.MAX_QUEUED_BYTES

    @property
    def is_flowing(self) -> bool:
        """Whether the peer keeps up: what may wait in the store, waits while it does not."""
        return self._sink.queued_bytes < limits.MAX_QUEUED_BYTES // 2

    def answer(self, body: bytes) -> None:
        """Queue an answer, whatever is queued; a worker that reads none is ended, and asks for nothing more."""
        data = self._decoder.encode(body)
        if not self.is_host and self._sink.queued_bytes + len(data) > limits.MAX_QUEUED_BYTES:
            self._is_faulty = True
        self._sink.write(data)

    def tell(self, method: str, params: Wire) -> None:
        """Queue a notification, or drop it where there is no room."""
        if self.lost_news:
            return
        data = self._decoder.encode(notification(method, params))
        if self._sink.queued_bytes + len(data) > limits.MAX_QUEUED_NEWS:
            self.lost_news = True
        else:
            self._sink.write(data)

    def regain(self) -> None:
        """There is room again: say once that something was dropped."""
        if self.lost_news and self.is_flowing:
            self.lost_news = False
            self.tell("runtime.resync", RuntimeResync(reason="output_queue_full"))


def notification(method: str, params: Wire) -> bytes:
    """A notification as JSON text."""
    text = params.model_dump_json(ensure_ascii=True)
    return b'{"jsonrpc":"2.0","method":"%s","params":%s}' % (method.encode(), text.encode())
