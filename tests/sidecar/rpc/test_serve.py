"""Serving a pipe: what ends it, and what comes in the same turn of the loop."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, cast

import pytest

from sidecar.rpc.early import Early
from sidecar.rpc.serve import Server
from sidecar.rpc.stdio import Claimed


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


@pytest.fixture
def pipes(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[int, Claimed]]:
    """Where requests are written, and what a server claims; the thread that ends a process at the end stays out."""
    monkeypatch.setattr("sidecar.rpc.serve.arm_hard_exit", lambda _: None)
    stdin, requests = os.pipe()
    answers, stdout = os.pipe()
    yield requests, Claimed(stdin, stdout, os.getppid())
    for descriptor in (stdin, requests, answers, stdout):
        os.close(descriptor)


async def test_a_request_that_arrives_as_the_store_is_lost_is_not_begun_and_the_loss_alone_is_told(
    pipes: tuple[int, Claimed],
) -> None:
    requests, claimed = pipes
    beside: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: beside.append(context))
    desk = Desk(requests)
    server = Server(claimed, Early(claimed), os.getppid())
    with pytest.raises(ExceptionGroup) as ended:
        await server.serve(cast("Any", desk), lambda: None)
    assert ended.group_contains(StoreGoneError)
    assert (desk.handled, beside) == ([], [])
