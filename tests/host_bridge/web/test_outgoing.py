from __future__ import annotations

import json

import anyio

from host_bridge.web.outgoing import HIGH_WATER, Outgoing


async def test_frames_leave_in_order_and_count_until_they_were_taken() -> None:
    outgoing, sent, taken = Outgoing(), [], anyio.Event()

    async def send(frame: str) -> None:
        sent.append(json.loads(frame))
        await taken.wait()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(outgoing.send_all, send)
        for n in range(3):
            outgoing.put(n)
        await anyio.wait_all_tasks_blocked()
        assert (sent, outgoing.size) == ([0], 3)
        taken.set()
        await outgoing.drained()
        assert (sent, outgoing.size) == ([0, 1, 2], 0)
        tasks.cancel_scope.cancel()


async def test_past_the_bound_there_is_no_room_until_enough_was_sent() -> None:
    outgoing, go_on = Outgoing(), anyio.Event()
    order: list[str] = []

    async def send(_: str) -> None:
        await go_on.wait()
        order.append("sent")

    async def wait_for_room() -> None:
        await outgoing.room()
        order.append("room")

    outgoing.put("x" * HIGH_WATER)
    assert outgoing.full
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(outgoing.send_all, send)
        tasks.start_soon(wait_for_room)
        await anyio.wait_all_tasks_blocked()
        assert order == []
        go_on.set()
        await anyio.wait_all_tasks_blocked()
        assert order == ["sent", "room"]
        tasks.cancel_scope.cancel()


async def test_a_page_that_is_gone_holds_up_nobody_and_takes_nothing() -> None:
    outgoing = Outgoing()
    outgoing.put("x" * HIGH_WATER)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(outgoing.room)
        tasks.start_soon(outgoing.drained)
        await anyio.wait_all_tasks_blocked()
        outgoing.close()
    outgoing.put("late")
    assert outgoing.size == 0
