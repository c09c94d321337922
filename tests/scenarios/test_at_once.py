"""What is said at once, by several or many times, is done in some order and each thing once (RULES 1)."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from host_bridge.agent import Call
from host_bridge.command import find_sidecar
from host_bridge.connection import Pending
from host_bridge.errors import RpcError
from host_bridge.pytest_plugin import StartSidecar
from tests.scenarios.bundles import manifest, tool, write_bundle
from tests.scenarios.conftest import OpenStage
from tests.scenarios.stage import Stage, begin, restart

requirement = pytest.mark.requirement

ROUNDS = 200
HELD_S = 0.05


@contextmanager
def others_at(database: Path) -> Iterator[list[int]]:
    """Meanwhile others read the store, hold what they have read, and take its write lock for a moment each."""
    ended = threading.Event()
    turns = [0]

    def look() -> None:
        with closing(sqlite3.connect(database, isolation_level=None, timeout=30)) as reader:
            while not ended.is_set():
                reader.execute("BEGIN")
                reader.execute("SELECT count(*) FROM audit").fetchone()
                ended.wait(HELD_S)
                reader.execute("COMMIT")
                reader.execute("BEGIN IMMEDIATE")
                ended.wait(HELD_S)
                reader.execute("ROLLBACK")
                turns[0] += 1

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield turns
    finally:
        ended.set()
        thread.join()


@pytest.mark.sqlite
@requirement("R1-one-transaction")
async def test_two_who_read_and_then_write_the_same_lose_nothing_and_meet_no_lock(
    alone: Stage, lineup_database: Path
) -> None:
    """One of the two finds that the other was first; a third acknowledges beside them; strangers use the file."""
    app, call_id = await alone.launch()
    surface_id = await app.open_surface(initial_state={})
    view = (await alone.call("surface.attach", surface_id=surface_id))["surface_token"]
    named = {"surface_id": surface_id}
    with others_at(lineup_database) as turns:
        for number in range(ROUNDS):
            read = await app.sdk("surfaces.get", **named)
            await alone.say(f"{number}")
            [message] = await app.messages()
            based = {**named, "base_revision": read["revision"]}
            asked = [
                ("sdk.surfaces.update", {**based, "context_token": app.token, "patch": {f"app {number}": number}}),
                ("sdk.surfaces.update", {**based, "context_token": view, "patch": {f"view {number}": number}}),
                ("sdk.inbox.acknowledge", {"context_token": app.token, "message_id": message["message_id"]}),
            ]
            pending = [await alone.sidecar.post(*one) for one in (asked if number % 2 else asked[::-1])]
            told = [await outcome(one) for one in pending]
            acknowledged, first, second = told if number % 2 == 0 else [told[2], *told[:2]]
            assert (first["revision"], acknowledged) == (read["revision"] + 1, {"acknowledged": True})
            assert isinstance(second, RpcError)
            assert second.refusal == "surface_revision_conflict"
    assert turns[0] > 0
    state = (await app.sdk("surfaces.get", **named))["state"]
    assert state == {f"{'app' if number % 2 else 'view'} {number}": number for number in range(ROUNDS)}
    assert await app.messages() == []
    await app.complete(call_id)
    assert "locked" not in alone.sidecar.stderr_tail
    checked = subprocess.run(
        [*find_sidecar(), "verify", "--database", str(lineup_database)], capture_output=True, timeout=60, check=False
    )
    assert checked.returncode == 0, checked.stdout


async def outcome(pending: Pending) -> Any:
    """The result, or the error."""
    try:
        return await pending
    except RpcError as error:
        return error


# -- the same call, many times


COUNTER = """
    import time
    from miniapps.sdk import MiniApp

    app = MiniApp()
    sdk = app.sdk

    @app.on_start
    def start(begun):
        sdk.surfaces.request_open("main", "Counter", initial_state={"runs": 0})

    @app.tool("counter.count")
    def count(call):
        surface = sdk.surfaces.opened("main")
        surface.update({"runs": surface.state["runs"] + 1})
        time.sleep(0.2)
        call.complete({"ok": True, "note": str(surface.state["runs"])})
"""


@pytest.fixture
async def counting(lineup_start: StartSidecar, open_stage: OpenStage, tmp_path: Path) -> AsyncIterator[Stage]:
    """A conversation with an app in a worker, which counts how often it was asked."""
    bundles = tmp_path / "counters"
    write_bundle(bundles, manifest("counter", tools=[tool("count", "launch", "counter")]), COUNTER)
    sidecar = await lineup_start("--miniapps", str(bundles))
    await begin(sidecar, host_run=["chat"])
    yield await open_stage(sidecar)
    await sidecar.kill()


def copies(stage: Stage, revision: str, *, each_its_own: bool) -> list[dict[str, Any]]:
    """The same call twenty times, each in a message of its own or all in one."""
    given = {"call_id": "c", "tool_id": "counter.count", "inventory_revision": revision, "input": {"n": 1}}
    return [
        {
            "jsonrpc": "2.0",
            "id": f"copy {number}",
            "method": "transport.deliver",
            "params": {
                "peer": stage.agent.peer,
                "envelope": {
                    "type": "lineup.v1.tool.invoke",
                    "message_id": f"m{number if each_its_own else 0}",
                    "payload": given,
                },
            },
        }
        for number in range(20)
    ]


@requirement("R2-known-call", "R1-unique-in-the-store", "R1-duplicate-repeats")
@pytest.mark.parametrize("each_its_own", [True, False], ids=["twenty messages", "one message"])
@pytest.mark.parametrize("as_batch", [True, False], ids=["batch", "lines"])
async def test_a_call_that_comes_twenty_times_in_one_write_is_carried_out_once(
    counting: Stage, as_batch: bool, each_its_own: bool
) -> None:
    wanted = copies(counting, await counting.revision(), each_its_own=each_its_own)
    data = json.dumps(wanted) + "\n" if as_batch else "".join(json.dumps(one) + "\n" for one in wanted)

    async def say() -> list[tuple[str, str]]:
        await counting.sidecar.send_raw(data.encode())
        told = await counting.sidecar.next_stray()
        answers = told if as_batch else [told, *[await counting.sidecar.next_stray() for _ in wanted[1:]]]
        assert [one["id"] for one in answers] == [one["id"] for one in wanted]
        return [(one["result"]["status"], one["result"]["code"]) for one in answers]

    call = counting.agent.calls.setdefault("c", Call("c", "counter.count"))
    assert await say() == [("accepted", None), *[("duplicate", None)] * 19]
    assert (await call.result())["result"] == {"ok": True, "note": "1"}
    assert await say() == [("duplicate", None)] * 20
    await restart(counting.sidecar, host_run=["chat"])
    assert await say() == [("duplicate", None)] * 20
    assert len(await counting.sent("tool.result", "c")) == 1
    assert (await counting.open())["tool_calls"] == []
