"""The client against a peer that misbehaves: every call settles, whatever becomes of the process (B13)."""

from __future__ import annotations

import signal
from typing import Any

import anyio
import pytest

from host_bridge.client import Sidecar
from host_bridge.errors import ConnectionLostError, ContractBrokenError, RpcError


async def test_a_call_answers_with_the_result(peer: Sidecar) -> None:
    assert await peer.call("ping") == {}


async def test_initialize_keeps_the_session(peer: Sidecar) -> None:
    assert await peer.initialize(host_run=["probe"]) == peer.session
    assert peer.session
    assert peer.session["session_id"] == "session-1"


async def test_a_refusal_is_an_error_with_its_code(peer: Sidecar) -> None:
    with pytest.raises(RpcError) as caught:
        await peer.request("peer.refuse", {"status": "closed"})
    error = caught.value
    assert (error.code, error.message, error.refusal) == (1000, "no", "lifecycle_denied")
    assert error.data == {"code": "lifecycle_denied", "status": "closed"}


async def test_params_that_do_not_fit_are_never_sent(peer: Sidecar) -> None:
    with pytest.raises(ContractBrokenError, match=r"params of workspace.open: agent_id: Field required"):
        await peer.call("workspace.open", conversation_id="c")
    with pytest.raises(ContractBrokenError, match="no such method"):
        await peer.call("workspace.close")


async def test_a_result_that_does_not_fit_is_an_error(peer: Sidecar) -> None:
    with pytest.raises(ContractBrokenError, match=r"result of transport.setOnline: pending: Field required"):
        await peer.call("transport.setOnline", online=True)


async def test_answers_find_their_requests_in_any_number(peer: Sidecar) -> None:
    pending = [await peer.post("peer.echo", {"n": n}) for n in range(100)]
    assert [await one for one in reversed(pending)] == [{"n": n} for n in reversed(range(100))]


async def test_a_batch_answers_in_the_order_of_its_requests(peer: Sidecar) -> None:
    first, second, third = await peer.batch([("ping", {}), ("peer.refuse", {}), ("peer.echo", {"n": 3})])
    assert (first, third) == ({}, {"n": 3})
    assert isinstance(second, RpcError)


async def test_what_raw_bytes_bring_about_can_be_read(peer: Sidecar) -> None:
    await peer.send_raw(b'{"jsonrpc":"2.0","id":"mine","method":"ping"}\n')
    assert await peer.next_stray() == {"jsonrpc": "2.0", "id": "mine", "result": {}}


async def test_no_answer_in_time_is_a_timeout_that_names_the_method(start_peer: Any) -> None:
    peer = await start_peer("--silent", timeout=0.1, grace=0.1)
    with pytest.raises(TimeoutError, match=r"no answer to ping within 0.1 s"):
        await peer.call("ping")


async def test_a_large_message_passes_both_ways(peer: Sidecar) -> None:
    text = "漢😀" * 200_000
    assert await peer.request("peer.echo", {"text": text}) == {"text": text}


async def test_open_calls_fail_at_once_when_the_process_dies(peer: Sidecar) -> None:
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


@pytest.mark.parametrize(
    "unsound",
    [
        {"jsonrpc": "2.0"},
        {"jsonrpc": "2.0", "result": {}, "error": {"code": 1, "message": "m"}},
        {"jsonrpc": "2.0", "error": "text"},
        {"jsonrpc": "2.0", "error": None},
        {"jsonrpc": "2.0", "error": {"code": "1", "message": "m"}},
        {"jsonrpc": "2.0", "error": {"code": 1}},
    ],
    ids=str,
)
async def test_an_answer_that_is_none_settles_nothing_and_shows_as_a_fault(peer: Sidecar, unsound: Any) -> None:
    sound = {"jsonrpc": "2.0", "result": {"n": 1}}
    assert await peer.request("peer.answer", {"raw": [unsound, sound]}) == {"n": 1}
    assert ["an answer that has no one result and no one error" in one for one in peer.faults] == [True]
    assert await peer.call("ping") == {}
    peer.faults.clear()


async def test_last_words_are_part_of_the_error(peer: Sidecar) -> None:
    with pytest.raises(ConnectionLostError, match=r"exit code 7\nlast words"):
        await peer.request("peer.die", {"code": 7})
    assert await peer.ended() == 7


async def test_an_answer_of_an_earlier_process_fits_no_later_request(peer: Sidecar) -> None:
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


async def test_a_full_stderr_blocks_nothing_and_its_tail_is_kept(peer: Sidecar) -> None:
    await peer.request("peer.stderr", {"bytes": 1_000_000})
    assert await peer.call("ping") == {}
    await peer.stop()
    assert len(peer.stderr_tail) == 64 * 1024
    assert peer.stderr_tail.endswith("eEND")


async def test_a_process_that_cannot_start_says_why(start_peer: Any) -> None:
    peer = await start_peer("--code", "3")
    with pytest.raises(ConnectionLostError, match=r"exit code 3\ncannot start"):
        await peer.initialize()


async def test_a_command_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(ConnectionLostError, match=r"cannot run /no/such/command"):
        async with Sidecar(["/no/such/command"]):
            raise AssertionError("started")
