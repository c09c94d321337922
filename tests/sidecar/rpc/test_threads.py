"""Threads between the loop and its pipes: what is read ahead, what is written, and the end."""

from __future__ import annotations

import os
import select
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress

import anyio
import anyio.to_thread
import pytest

from sidecar.rpc import watch
from sidecar.rpc.threads import Reading, ThreadOutput

MIB = 1024 * 1024
HUNG = """
import asyncio
from sidecar.rpc import threads, watch

watch.GRACE_S = 0.1

async def hang():
    threads.Reading(0)
    print("reading", flush=True)
    while True:
        pass

asyncio.run(hang())
"""


class Pipe:
    """A pipe's two ends."""

    def __init__(self) -> None:
        self.read_end, self.write_end = os.pipe()

    def read_all(self, size: int) -> bytes:
        """Read that much."""
        data = b""
        while len(data) < size:
            data += os.read(self.read_end, size - len(data))
        return data


@pytest.fixture
def pipe(monkeypatch: pytest.MonkeyPatch) -> Iterator[Pipe]:
    """A pipe whose reading thread, at its end, ends itself and not the tests."""
    monkeypatch.setattr("sidecar.rpc.threads.end_soon", lambda: None)
    pipe = Pipe()
    yield pipe
    for end in (pipe.read_end, pipe.write_end):
        with suppress(OSError):
            os.close(end)


async def test_what_is_read_comes_in_order_to_its_end(pipe: Pipe) -> None:
    reading = Reading(pipe.read_end)
    os.write(pipe.write_end, b"one")
    assert await reading.next_chunk() == b"one"
    os.write(pipe.write_end, b"two")
    assert await reading.next_chunk() == b"two"
    os.close(pipe.write_end)
    assert await reading.next_chunk() == b""


async def test_a_loop_that_takes_nothing_lets_the_peer_wait(pipe: Pipe) -> None:
    reading = Reading(pipe.read_end)
    os.set_blocking(pipe.write_end, False)
    taken = 0
    while select.select([], [pipe.write_end], [], 1.0)[1]:  # the last of these waits is the bound that is looked for
        with suppress(BlockingIOError):
            taken += os.write(pipe.write_end, bytes(64 * 1024))
        assert taken < 2 * MIB
    heard = 0
    with anyio.fail_after(10):
        while heard < taken:
            heard += len(await reading.next_chunk())
    os.close(pipe.write_end)
    assert await reading.next_chunk() == b""


async def test_what_is_written_arrives_in_order_and_counts_until_it_is_taken(pipe: Pipe) -> None:
    asked: list[bool] = []
    output = ThreadOutput(pipe.write_end, lambda: asked.append(True))
    pieces = [bytes([number]) * 50_000 for number in range(40)]
    output.hold()
    for piece in pieces:
        output.write(piece)
    output.release()
    assert asked
    assert output.queued_bytes > MIB
    assert not output.flush()
    assert await anyio.to_thread.run_sync(pipe.read_all, 2_000_000) == b"".join(pieces)
    with anyio.fail_after(10):
        while not output.flush():
            await output.wait_until_less()
    assert output.queued_bytes == 0
    output.close()


async def test_what_a_peer_that_is_gone_will_not_read_is_dropped(pipe: Pipe) -> None:
    output = ThreadOutput(pipe.write_end, lambda: None)
    os.close(pipe.read_end)
    output.write(bytes(MIB))
    with anyio.fail_after(10):
        while not output.flush():
            await output.wait_until_less()
    output.write(b"more")
    assert output.queued_bytes == 0
    output.close()


def test_a_loop_that_hangs_is_ended_by_the_end_of_input() -> None:
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", HUNG], stdin=pipe, stdout=pipe) as process:
        assert process.stdin
        assert process.stdout
        assert process.stdout.readline() == b"reading\n"
        process.stdin.close()
        assert process.wait(30) == 0


def test_a_parent_that_is_there_is_seen_and_one_that_is_gone_too() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        other = watch.Parent(process.pid, os.getppid())
        assert other.is_there()
        process.kill()
        process.wait()
        assert not other.is_there()
    assert watch.Parent(os.getppid(), os.getppid()).is_there()
