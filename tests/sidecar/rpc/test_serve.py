"""Serving a pipe: what ends it, and what comes in the same turn of the loop."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Iterator
from contextlib import suppress
from types import SimpleNamespace
from typing import Any, cast

import pytest

from rpc_schema.limits import KIB, MAX_QUEUED_BYTES
from sidecar.rpc.early import Early
from sidecar.rpc.serve import Server
from sidecar.rpc.stdio import Claimed

PIPE = 64 * KIB
FILL = MAX_QUEUED_BYTES // PIPE + 1
"""Answers of a pipe's size: so many take all room, one of them in the pipe itself."""


class StoreGoneError(Exception):
    """What a tick meets."""


class Desk:
    """One whose tick fails just as a request arrives, and that would fail on that request, too."""

    def __init__(self, requests: int) -> None:
        self.runtime = SimpleNamespace(next_due=0, clock=SimpleNamespace(now=lambda: 0))
        self.handled: list[list[object]] = []
        self._requests = requests

    def tick(self) -> None:
        os.write(self._requests, b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
        raise StoreGoneError

    def handle(self, _connection: object, frames: list[object]) -> int:
        self.handled.append(frames)
        raise StoreGoneError

    def drained(self) -> None:
        """Nothing waits here."""


class Pipes:
    """What a server claims, and the Host's ends of it."""

    def __init__(self) -> None:
        self.stdin, self.requests = os.pipe()
        self.answers, self.stdout = os.pipe()
        self.claimed = Claimed(self.stdin, self.stdout, os.getppid())

    def close(self) -> None:
        """Close what a test has not closed."""
        for descriptor in (self.stdin, self.requests, self.answers, self.stdout):
            with suppress(OSError):
                os.close(descriptor)


@pytest.fixture
def pipes(monkeypatch: pytest.MonkeyPatch) -> Iterator[Pipes]:
    """A server's pipes; the thread that ends a process some time after its input stays out."""
    monkeypatch.setattr("sidecar.rpc.serve.arm_hard_exit", lambda _: None)
    pipes = Pipes()
    yield pipes
    pipes.close()


async def test_a_request_that_arrives_as_the_store_is_lost_is_not_begun_and_the_loss_alone_is_told(
    pipes: Pipes,
) -> None:
    beside: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: beside.append(context))
    desk = Desk(pipes.requests)
    server = Server(pipes.claimed, Early(pipes.claimed), os.getppid())
    with pytest.raises(ExceptionGroup) as ended:
        await server.serve(cast("Any", desk), lambda: None)
    assert ended.group_contains(StoreGoneError)
    assert (desk.handled, beside) == ([], [])


class Slow(Desk):
    """One that answers much to each request. The Host reads once when all room is taken, and goes on with the next."""

    def __init__(self, answers: int) -> None:
        super().__init__(-1)
        self.heard = 0
        self._answers = answers
        self._reader = threading.Thread(target=self._read)

    def tick(self) -> None:
        """Nothing is due."""
        self.runtime.next_due = 1_000

    def handle(self, connection: Any, frames: list[object]) -> int:
        self.handled.append(frames[:1])
        connection.answer(b"x" * PIPE)
        if len(self.handled) == FILL:
            self.heard += len(os.read(self._answers, PIPE))
        if len(self.handled) == FILL + 1:
            self._reader.start()
        return 1

    def _read(self) -> None:
        while data := os.read(self._answers, PIPE):
            self.heard += len(data)

    def all_heard(self) -> int:
        """Wait for the reader: how much it was told."""
        self._reader.join(10)
        return self.heard


async def test_what_had_no_room_for_its_answer_is_answered_although_the_input_has_ended(pipes: Pipes) -> None:
    os.write(pipes.requests, b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n' * (FILL + 90))
    os.close(pipes.requests)
    desk = Slow(pipes.answers)
    stopped: list[int] = []
    server = Server(pipes.claimed, Early(pipes.claimed), os.getppid())
    assert await server.serve(cast("Any", desk), lambda: stopped.append(len(desk.handled))) == 0
    os.close(pipes.stdout)
    assert (len(desk.handled), stopped) == (FILL + 90, [FILL + 90])
    assert desk.all_heard() == (FILL + 90) * (PIPE + 1)
