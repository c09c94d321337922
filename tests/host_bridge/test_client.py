"""The client against a peer that misbehaves: every call settles, and nothing is left behind."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import anyio
import anyio.lowlevel
import pytest

from host_bridge.client import Sidecar
from host_bridge.errors import ConnectionLostError, ContractBrokenError, NotificationsMissedError, RpcError

CHANGED = {"conversation_id": "c", "revision": 1, "foreground": None, "focus_stack": [], "instances": []}


def is_gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"


async def say(peer: Sidecar, *notifications: tuple[str, dict[str, Any]]) -> None:
    await peer.request("peer.say", {"notifications": notifications})


class TestAsking:
    async def test_a_call_answers_with_the_result(self, peer: Sidecar) -> None:
        assert await peer.call("ping") == {}

    async def test_initialize_keeps_the_session(self, peer: Sidecar) -> None:
        assert await peer.initialize(host_run=["probe"]) == peer.session
        assert peer.session
        assert peer.session["session_id"] == "session-1"

    async def test_a_refusal_is_an_error_with_its_code(self, peer: Sidecar) -> None:
        with pytest.raises(RpcError) as caught:
            await peer.request("peer.refuse", {"status": "closed"})
        error = caught.value
        assert (error.code, error.message, error.refusal) == (1000, "no", "lifecycle_denied")
        assert error.data == {"code": "lifecycle_denied", "status": "closed"}

    async def test_params_that_do_not_fit_are_never_sent(self, peer: Sidecar) -> None:
        with pytest.raises(ContractBrokenError, match=r"params of workspace.open: agent_id: Field required"):
            await peer.call("workspace.open", conversation_id="c")
        with pytest.raises(ContractBrokenError, match="no such method"):
            await peer.call("workspace.close")

    async def test_a_result_that_does_not_fit_is_an_error(self, peer: Sidecar) -> None:
        with pytest.raises(ContractBrokenError, match=r"result of transport.setOnline: pending: Field required"):
            await peer.call("transport.setOnline", online=True)

    async def test_answers_find_their_requests_in_any_number(self, peer: Sidecar) -> None:
        pending = [await peer.post("peer.echo", {"n": n}) for n in range(100)]
        assert [await one for one in reversed(pending)] == [{"n": n} for n in reversed(range(100))]

    async def test_a_batch_answers_in_the_order_of_its_requests(self, peer: Sidecar) -> None:
        first, second, third = await peer.batch([("ping", {}), ("peer.refuse", {}), ("peer.echo", {"n": 3})])
        assert (first, third) == ({}, {"n": 3})
        assert isinstance(second, RpcError)

    async def test_what_raw_bytes_bring_about_can_be_read(self, peer: Sidecar) -> None:
        await peer.send_raw(b'{"jsonrpc":"2.0","id":"mine","method":"ping"}\n')
        assert await peer.next_stray() == {"jsonrpc": "2.0", "id": "mine", "result": {}}

    async def test_no_answer_in_time_is_a_timeout_that_names_the_method(self, start_peer: Any) -> None:
        peer = await start_peer("--silent", timeout=0.1, grace=0.1)
        with pytest.raises(TimeoutError, match=r"no answer to ping within 0.1 s"):
            await peer.call("ping")

    async def test_a_large_message_passes_both_ways(self, peer: Sidecar) -> None:
        text = "漢😀" * 200_000
        assert await peer.request("peer.echo", {"text": text}) == {"text": text}


class TestHearing:
    async def test_wait_takes_the_oldest_that_fits_once(self, peer: Sidecar) -> None:
        await say(peer, *[("workspace.changed", {**CHANGED, "revision": n}) for n in (1, 2, 3)])
        assert (await peer.wait_for("workspace.changed", lambda p: p["revision"] > 1))["revision"] == 2
        assert (await peer.wait_for("workspace.changed"))["revision"] == 1
        assert (await peer.wait_for("workspace.changed"))["revision"] == 3
        with pytest.raises(TimeoutError, match=r"no workspace.changed within 0 s"):
            await peer.wait_for("workspace.changed", timeout=0)

    async def test_wait_hears_what_comes_later(self, peer: Sidecar) -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(peer.wait_for, "workspace.changed")
            await anyio.wait_all_tasks_blocked()
            await say(peer, ("workspace.changed", CHANGED))

    async def test_a_stream_gives_what_comes_after_it_and_ends_with_the_process(self, peer: Sidecar) -> None:
        await say(peer, ("workspace.changed", CHANGED))
        async with peer.notifications("workspace.changed") as stream, peer.notifications() as everything:
            await say(peer, ("workspace.changed", {**CHANGED, "revision": 2}), ("runtime.resync", {"reason": "full"}))
            await peer.kill()
            assert [one.params["revision"] async for one in stream] == [2]
            assert [one.method async for one in everything] == ["workspace.changed", "runtime.resync"]
        assert [one async for one in peer.notifications()] == []

    async def test_a_reader_that_is_too_slow_is_told_so(self, peer: Sidecar, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("host_bridge.record.RECORD_LIMIT", 2)
        stream = peer.notifications()
        await say(peer, *[("runtime.resync", {"reason": str(n)}) for n in range(3)])
        with pytest.raises(NotificationsMissedError):
            await anext(stream)

    async def test_a_listener_hears_across_restarts_until_it_is_ended(self, peer: Sidecar) -> None:
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

    async def test_what_breaks_the_contract_is_a_fault(self, peer: Sidecar) -> None:
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

    async def test_noise_on_stdout_is_a_fault_and_the_talk_goes_on(self, peer: Sidecar) -> None:
        await peer.request("peer.noise", {})
        assert len(peer.faults) == 2
        assert await peer.call("ping") == {}


class TestLosing:
    async def test_open_calls_fail_at_once_when_the_process_dies(self, peer: Sidecar) -> None:
        pending = [await peer.post("peer.hang", {}) for _ in range(3)]
        with anyio.fail_after(1):
            await peer.kill()
            for one in pending:
                with pytest.raises(ConnectionLostError) as caught:
                    await one
                assert caught.value.exit_code == -signal.SIGKILL
            with pytest.raises(ConnectionLostError):
                await peer.call("ping")
            with pytest.raises(ConnectionLostError):
                await peer.wait_for("workspace.changed")
            with pytest.raises(ConnectionLostError):
                await peer.next_stray()

    async def test_last_words_are_part_of_the_error(self, peer: Sidecar) -> None:
        with pytest.raises(ConnectionLostError, match=r"exit code 7\nlast words"):
            await peer.request("peer.die", {"code": 7})
        assert await peer.ended() == 7

    async def test_an_answer_of_an_earlier_process_fits_no_later_request(self, peer: Sidecar) -> None:
        lost = await peer.post("peer.hang", {})
        await peer.kill()
        await peer.start()
        again = await peer.post("peer.hang", {})
        await peer.send_raw(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
        assert (await peer.next_stray())["result"] == {}
        with pytest.raises(ConnectionLostError):
            await lost
        await peer.kill()
        with pytest.raises(ConnectionLostError):
            await again

    async def test_a_full_stderr_blocks_nothing_and_its_tail_is_kept(self, peer: Sidecar) -> None:
        await peer.request("peer.stderr", {"bytes": 1_000_000})
        assert await peer.call("ping") == {}
        await peer.stop()
        assert len(peer.stderr_tail) == 64 * 1024
        assert peer.stderr_tail.endswith("eEND")

    async def test_a_process_that_cannot_start_says_why(self, start_peer: Any) -> None:
        peer = await start_peer("--code", "3")
        with pytest.raises(ConnectionLostError, match=r"exit code 3\ncannot start"):
            await peer.initialize()

    async def test_a_command_that_does_not_exist_is_an_error(self) -> None:
        with pytest.raises(ConnectionLostError, match=r"cannot run /no/such/command"):
            async with Sidecar(["/no/such/command"]):
                raise AssertionError("started")


class TestEnding:
    async def test_a_willing_process_ends_with_code_0(self, peer: Sidecar) -> None:
        assert await peer.stop() == 0
        assert not peer.alive
        assert await peer.stop() == 0

    async def test_a_process_that_ignores_everything_is_killed(self, start_peer: Any) -> None:
        peer = await start_peer("--deaf", grace=0.2)
        assert await peer.stop() == -signal.SIGKILL

    async def test_a_process_that_answers_nothing_ends_with_its_input(self, start_peer: Any) -> None:
        peer = await start_peer("--silent", grace=0.5)
        await peer.post("ping", {})
        assert await peer.stop() == 0

    @pytest.mark.parametrize("crash", [True, False])
    async def test_nothing_of_its_group_remains(self, peer: Sidecar, crash: bool) -> None:
        child = (await peer.request("peer.child", {}))["pid"]
        await (peer.kill() if crash else peer.stop())
        with anyio.fail_after(5):
            while not is_gone(child):
                await anyio.lowlevel.checkpoint()

    async def test_leaving_the_block_by_cancellation_leaves_no_process(self, peer: Sidecar) -> None:
        pid = 0
        with anyio.CancelScope() as scope:
            async with Sidecar(peer.command) as another:
                pid = another.pid
                scope.cancel()
                await anyio.sleep_forever()
        assert pid
        assert is_gone(pid)

    async def test_start_while_it_runs_changes_nothing(self, peer: Sidecar) -> None:
        pid = peer.pid
        await peer.start()
        assert peer.pid == pid
