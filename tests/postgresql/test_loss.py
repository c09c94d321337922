"""What an owner loses with its connection, and what it keeps: crashes of either side, at rest and in mid-flight."""

from __future__ import annotations

import subprocess
from contextlib import suppress
from pathlib import Path

import anyio
import psycopg
import pytest

from host_bridge.agent import Agent
from host_bridge.client import Sidecar
from host_bridge.command import find_sidecar, serve_command
from host_bridge.errors import ConnectionLostError
from scripts.postgresql import Server
from tests.scenarios.bundles import write_probes
from tests.scenarios.stage import Stage, begin, restart

LOST = "was lost, and with it the ownership"


def verified(address: str) -> str:
    """What ``verify`` says of a store that holds."""
    command = [*find_sidecar(), "verify", "--database", address]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


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


async def test_a_server_that_crashes_in_mid_flight_ends_the_sidecar_and_takes_no_answer_back(
    server: Server, tmp_path: Path
) -> None:
    command = serve_command(server.address, *write_probes(tmp_path), "--test-clock")
    accepted: list[str] = []
    async with Sidecar(command) as sidecar:
        await begin(sidecar)
        agent = {"agent_id": "agent-1", "conversation_id": "conv-1"}
        await sidecar.call("workspace.open", **agent)

        async def speak() -> None:
            with suppress(ConnectionLostError):
                for number in range(100_000):
                    envelope = {"type": "lineup.v1.message", "message_id": f"m-{number}", "payload": {"text": "hello"}}
                    answer = await sidecar.call("transport.deliver", peer=agent, envelope=envelope)
                    accepted.extend([f"m-{number}"] * (answer["status"] == "accepted"))

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(speak)
            while len(accepted) < 20:
                await sidecar.call("ping")
            await anyio.to_thread.run_sync(server.crash)
            assert await sidecar.ended() == 1
        assert LOST in sidecar.stderr_tail
        server.start()
        await sidecar.start()
        await begin(sidecar)
        for message_id in accepted:
            envelope = {"type": "lineup.v1.message", "message_id": message_id, "payload": {"text": "hello"}}
            answer = await sidecar.call("transport.deliver", peer=agent, envelope=envelope)
            assert answer["status"] == "duplicate"
        verified(server.address)
        await sidecar.stop()


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
