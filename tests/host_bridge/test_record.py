"""Notifications: a record to wait on, streams, listeners, and the contract that each is held against."""

from __future__ import annotations

from typing import Any

import anyio
import pytest

from host_bridge.client import Sidecar
from host_bridge.errors import NotificationsMissedError

CHANGED = {"conversation_id": "c", "revision": 1, "foreground": None, "focus_stack": [], "instances": []}


async def say(peer: Sidecar, *notifications: tuple[str, dict[str, Any]]) -> None:
    await peer.request("peer.say", {"notifications": notifications})


async def test_wait_takes_the_oldest_that_fits_once(peer: Sidecar) -> None:
    await say(peer, *[("workspace.changed", {**CHANGED, "revision": n}) for n in (1, 2, 3)])
    assert (await peer.wait_for("workspace.changed", lambda p: p["revision"] > 1))["revision"] == 2
    assert (await peer.wait_for("workspace.changed"))["revision"] == 1
    assert (await peer.wait_for("workspace.changed"))["revision"] == 3
    with pytest.raises(TimeoutError, match=r"no workspace.changed within 0 s"):
        await peer.wait_for("workspace.changed", timeout=0)


async def test_wait_hears_what_comes_later(peer: Sidecar) -> None:
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(peer.wait_for, "workspace.changed")
        await anyio.wait_all_tasks_blocked()
        await say(peer, ("workspace.changed", CHANGED))


async def test_a_stream_gives_what_comes_after_it_and_ends_with_the_process(peer: Sidecar) -> None:
    await say(peer, ("workspace.changed", CHANGED))
    async with peer.notifications("workspace.changed") as stream, peer.notifications() as everything:
        await say(peer, ("workspace.changed", {**CHANGED, "revision": 2}), ("runtime.resync", {"reason": "full"}))
        await peer.kill()
        assert [one.params["revision"] async for one in stream] == [2]
        assert [one.method async for one in everything] == ["workspace.changed", "runtime.resync"]
    assert [one async for one in peer.notifications()] == []


async def test_a_reader_that_is_too_slow_is_told_so(peer: Sidecar, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("host_bridge.record.RECORD_LIMIT", 2)
    stream = peer.notifications()
    await say(peer, *[("runtime.resync", {"reason": str(n)}) for n in range(3)])
    with pytest.raises(NotificationsMissedError):
        await anext(stream)


async def test_a_listener_hears_across_restarts_until_it_is_ended(peer: Sidecar) -> None:
    heard: list[str] = []
    end = peer.listen(lambda one: heard.append(one.params["reason"]))
    await say(peer, ("runtime.resync", {"reason": "one"}))
    await peer.kill()
    await peer.start()
    await say(peer, ("runtime.resync", {"reason": "two"}))
    end()
    await say(peer, ("runtime.resync", {"reason": "three"}))
    assert heard == ["one", "two"]
    assert [one.params["reason"] for one in peer.seen("runtime.resync")] == ["one", "two", "three"]


async def test_what_breaks_the_contract_is_a_fault(peer: Sidecar) -> None:
    envelope = {"type": "lineup.v1.message", "message_id": "m", "conversation_id": "c", "payload": {}}
    sent = {"outbox_id": "o", "peer": {"agent_id": "a", "conversation_id": "c"}, "envelope": envelope}
    await say(
        peer,
        ("runtime.resync", {}),
        ("runtime.nonsense", {}),
        ("transport.send", {**sent, "envelope": {**envelope, "sent_at": "2026-01-01T00:00:00.000Z"}}),
    )
    assert [fault.split(":")[0] for fault in peer.faults] == [
        "runtime.resync",
        "runtime.nonsense",
        "lineup.v1.message",
    ]


async def test_noise_on_stdout_is_a_fault_and_the_talk_goes_on(peer: Sidecar) -> None:
    await peer.request("peer.noise", {})
    assert len(peer.faults) == 2
    assert await peer.call("ping") == {}
