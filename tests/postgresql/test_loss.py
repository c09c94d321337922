"""What an owner loses with its connection, and what it keeps: crashes of either side, at rest and in mid-flight."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import psycopg
import pytest
from anyio.streams.buffered import BufferedByteReceiveStream

from host_bridge.agent import Agent
from host_bridge.client import HOST, Sidecar
from host_bridge.command import serve_command
from host_bridge.errors import ConnectionLostError
from rpc_schema import PROTOCOL_VERSION
from scripts.postgresql import KEY, Server
from tests.postgresql.command import verified
from tests.postgresql.relay import Relay
from tests.scenarios.bundles import write_probes
from tests.scenarios.stage import Stage, begin, restart

LOST = "was lost, and with it the ownership"


async def test_a_killed_owner_is_followed_at_once_and_nothing_answered_is_lost(address: str, tmp_path: Path) -> None:
    async with Sidecar(serve_command(address, *write_probes(tmp_path), "--test-clock")) as sidecar:
        await begin(sidecar)
        async with Agent(sidecar, ack=False) as agent:
            stage = Stage(sidecar, agent)
            await stage.open()
            _, call_id = await stage.launch()
            await restart(sidecar)
            app = await stage.mount("probe")
            assert [call["call_id"] for call in await app.take_calls()] == [call_id]
            await app.complete(call_id)
            assert (await stage.result(call_id) or {})["status"] == "completed"
            assert "everything holds" in verified(address)  # beside the owner


@pytest.mark.parametrize("how", ["the server crashes", "the server is stopped", "the network is cut"])
async def test_what_is_lost_in_mid_flight_ends_the_sidecar_and_takes_no_answer_back(
    server: Server, tmp_path: Path, how: str
) -> None:
    async with Relay(server.port) as relay:
        through = server.loopback_address.replace(f":{server.port}/", f":{relay.port}/")
        ways: dict[str, Callable[[], Awaitable[object]]] = {
            "the server crashes": partial(anyio.to_thread.run_sync, server.crash),
            "the server is stopped": partial(anyio.to_thread.run_sync, server.stop),
            "the network is cut": relay.cut,
        }
        command = serve_command(through, *write_probes(tmp_path), "--test-clock")
        async with Sidecar(command, env={**os.environ, "PGPASSWORD": KEY}) as sidecar:
            accepted = await speak_until(sidecar, ways[how])
            assert await sidecar.ended() == 1
            assert LOST in sidecar.stderr_tail
            if how != "the network is cut":
                server.start()
            await sidecar.start()
            await begin(sidecar)
            for message_id in accepted:
                answer = await sidecar.call("transport.deliver", peer=PEER, envelope=message(message_id))
                assert answer["status"] == "duplicate"
            await sidecar.stop()
    verified(server.address)


PEER = {"agent_id": "agent-1", "conversation_id": "conv-1"}


def message(message_id: str) -> dict[str, Any]:
    """An envelope that is accepted."""
    return {"type": "lineup.v1.message", "message_id": message_id, "payload": {"text": "hello"}}


async def speak_until(sidecar: Sidecar, cut: Callable[[], Awaitable[object]]) -> list[str]:
    """Deliver messages, cut in the midst of it, and go on until nothing is answered: the ids of what was accepted."""
    accepted: list[str] = []
    await begin(sidecar)
    await sidecar.call("workspace.open", **PEER)

    async def speak() -> None:
        with suppress(ConnectionLostError):
            for number in range(100_000):
                answer = await sidecar.call("transport.deliver", peer=PEER, envelope=message(f"m-{number}"))
                accepted.extend([f"m-{number}"] * (answer["status"] == "accepted"))

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(speak)
        while len(accepted) < 20:
            await sidecar.call("ping")
        await cut()
    return accepted


@pytest.mark.parametrize("is_busy", [False, True])
async def test_an_owner_whose_session_is_ended_ends_and_the_store_is_free(
    address: str, admin: psycopg.Connection, is_busy: bool
) -> None:
    async with Sidecar(serve_command(address)) as sidecar:
        await sidecar.initialize()
        [owner] = admin.execute("SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted").fetchall()
        admin.execute("SELECT pg_terminate_backend(%s)", owner)
        if is_busy:
            with suppress(ConnectionLostError):
                await sidecar.request("workspace.open", {"conversation_id": "c", "agent_id": "a"})
        with anyio.fail_after(30):
            assert await sidecar.ended() == 1
        assert LOST in sidecar.stderr_tail
        assert "Traceback" not in sidecar.stderr_tail
        await sidecar.start()
        assert await sidecar.call("ping") == {}


ENDED_WHILE_A_WORKER_SPEAKS = """
import os, sys
import psycopg
from sidecar import app
from sidecar.__main__ import main

def make(feed):
    def end_and_feed(inlet, data):
        with psycopg.connect(os.environ["LINEUP_POSTGRESQL"], autocommit=True) as admin:
            admin.execute("SELECT pg_terminate_backend(pid, 5000) FROM pg_locks WHERE locktype = 'advisory'")
        feed(inlet, data)
    return end_and_feed

app.WorkerInlet.feed = make(app.WorkerInlet.feed)
sys.exit(main(sys.argv[1:]))
"""


async def test_a_loss_that_shows_first_where_a_worker_is_heard_ends_the_sidecar(address: str) -> None:
    command = [sys.executable, "-c", ENDED_WHILE_A_WORKER_SPEAKS, "--database", address]
    async with Sidecar(command) as sidecar:
        await sidecar.initialize()
        with suppress(ConnectionLostError):
            await sidecar.request("workspace.open", PEER)
        with anyio.fail_after(30):
            assert await sidecar.ended() == 1
        assert LOST in sidecar.stderr_tail
        assert "Traceback" not in sidecar.stderr_tail


async def test_a_server_that_falls_silent_does_not_keep_a_sidecar_whose_host_is_gone(server: Server) -> None:
    """No time is set to a statement; the end of input ends the process all the same."""
    async with Relay(server.port) as relay:
        through = server.loopback_address.replace(f":{server.port}/", f":{relay.port}/")
        command, env = serve_command(through), {**os.environ, "PGPASSWORD": KEY}
        async with await anyio.open_process(command, env=env, stderr=None) as sidecar:
            assert sidecar.stdin
            assert sidecar.stdout
            await sidecar.stdin.send(request("initialize", protocol_version=PROTOCOL_VERSION, host=HOST))
            answers = BufferedByteReceiveStream(sidecar.stdout)
            assert b"session_id" in await answers.receive_until(b"\n", 1_000_000)
            relay.hold()
            await sidecar.stdin.send(request("workspace.open", **PEER))
            await sidecar.stdin.aclose()
            with anyio.fail_after(30):
                assert await sidecar.wait() == 0
                with pytest.raises(anyio.EndOfStream):
                    await answers.receive()


def request(method: str, **params: Any) -> bytes:
    """A request on a line of its own."""
    return json.dumps({"jsonrpc": "2.0", "id": method, "method": method, "params": params}).encode() + b"\n"
