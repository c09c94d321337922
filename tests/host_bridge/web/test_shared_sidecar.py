"""Backpressure, and what two speakers on one connection must not do to each other."""

from __future__ import annotations

import anyio
import anyio.lowlevel
import anyio.to_thread
import pytest

from host_bridge.web.outgoing import HIGH_WATER
from rpc_schema.limits import MAX_MESSAGE_BYTES
from tests.host_bridge.web.conftest import StartServer, UsePeer
from tests.host_bridge.web.page_program import Server

MIB = 1024 * 1024
MANY = 48


@pytest.fixture
async def server(use_peer: UsePeer, start_server: StartServer) -> Server:
    """A server whose sidecar is the tiny peer."""
    use_peer()
    return await start_server()


async def test_while_a_page_does_not_read_the_sidecar_is_not_read_and_nothing_is_lost(server: Server) -> None:
    page = await server.connect(max_queue=1)
    await page.hear("bridge.sidecar")
    driver = server.up.seat.driver
    assert driver is not None
    sent = 0

    async def send_all() -> None:
        nonlocal sent
        for n in range(MANY):
            await page.send({"jsonrpc": "2.0", "id": n, "method": "some.echo", "params": {"text": "x" * MIB}})
            sent += 1

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(send_all)
        with anyio.fail_after(30):
            while not driver.outgoing.full:
                await anyio.lowlevel.checkpoint()
        await quiet()
        assert sent < MANY
        assert driver.outgoing.size < HIGH_WATER + 2 * MIB
        for n in range(MANY):
            answer = await page.receive()
            assert (answer["id"], len(answer["result"]["text"])) == (n, MIB)
    assert driver.outgoing.size == 0


async def test_a_page_that_leaves_while_it_does_not_read_holds_up_nobody(server: Server) -> None:
    page = await server.connect(max_queue=1)
    token = (await page.hear("bridge.hello"))["reconnect_token"]
    for n in range(12):
        await page.send({"jsonrpc": "2.0", "id": n, "method": "some.echo", "params": {"text": "x" * MIB}})
    page.socket.transport.abort()
    again = await server.connect(token)
    assert await again.call("some.echo", again=True) == {"again": True}


async def test_a_message_of_the_greatest_size_passes_both_ways(server: Server) -> None:
    page = await server.connect()
    await page.hear("bridge.sidecar")
    text = "x" * (MAX_MESSAGE_BYTES - 200)
    assert (await page.call("some.echo", text=text))["text"] == text


async def test_a_page_and_the_bridge_never_take_each_other_s_answers(server: Server) -> None:
    page = await server.connect()
    await page.hear("bridge.sidecar")
    sidecar = server.up.sidecar

    async def ask_as_page(n: int) -> None:
        assert await page.call("some.echo", page=n) == {"page": n}

    async with anyio.create_task_group() as tasks:

        async def ask_as_bridge(n: int) -> None:
            assert await sidecar.request("some.echo", {"bridge": n}) == {"bridge": n}

        for n in range(50):
            tasks.start_soon(ask_as_bridge, n)
        for n in range(50):
            await ask_as_page(n)


async def quiet() -> None:
    """Wait until this process has nothing more to do at once: its pipes and sockets are full."""
    for _ in range(3):
        await anyio.wait_all_tasks_blocked()
        await anyio.to_thread.run_sync(lambda: None)
