"""A Host that stops reading while everybody speaks, that reads again, or that leaves by halves (PROTOCOL 1.1)."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from rpc_schema.limits import MAX_QUEUED_BYTES
from tests.faults.bundles import write_bundles
from tests.faults.watch import GROWN, resident
from tests.scenarios.pipes import Pipes

PEER = {"agent_id": "a", "conversation_id": "c"}
PATIENCE_S = 60.0


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Pipes]:
    """A sidecar that runs the logic of every MiniApp but Interact, and a conversation."""
    host = Pipes(tmp_path / "lineup.sqlite", *write_bundles(tmp_path), patience_s=2 * PATIENCE_S)
    host.begin(["chat"])
    yield host
    host.close()


def deliver(host: Pipes, message_id: str, type_: str, payload: dict[str, Any]) -> None:
    """Let the Agent send an envelope."""
    envelope = {"type": f"lineup.v1.{type_}", "message_id": message_id, "payload": payload}
    host.say(message_id, "transport.deliver", peer=PEER, envelope=envelope)


def invoke(host: Pipes, call_id: str, tool_id: str, given: dict[str, Any]) -> None:
    """Let the Agent invoke a Tool by the inventory of now."""
    host.say("list", "initialize", protocol_version="1.0", host={"name": "d", "version": "1.0.0"}, host_run=["chat"])
    revision = host.hear_until("list")[-1]["result"]["inventory_revision"]
    host.say("again", "workspace.open", **PEER)
    host.hear_until("again")
    wanted = {"call_id": call_id, "tool_id": tool_id, "inventory_revision": revision, "input": given}
    deliver(host, f"invoke {call_id}", "tool.invoke", wanted)


def until_stored(database: Path, **counts: int) -> None:
    """Wait until the store has so many calls of each status: nobody reads what could tell of it."""
    until = time.monotonic() + PATIENCE_S
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as store:
        while dict(store.execute("SELECT status, count(*) FROM toolcall GROUP BY status")) != counts:
            assert time.monotonic() < until, "it stands still"


@pytest.mark.requirement("C-transport", "A11", "R6-others-unaffected")
def test_a_host_that_reads_again_is_told_once_that_it_missed_news_and_finds_all_that_counts(
    host: Pipes, tmp_path: Path
) -> None:
    """Sixty MiB of news by a worker, three hundred requests and as many rows, and nobody reads."""
    before = resident(host.process.pid)
    invoke(host, "painted", "storms.go", {"how": "paint-large 600"})
    host.hear_until("invoke painted")
    for number in range(300):
        host.say(f"ping {number}", "ping")
        deliver(host, f"say {number}", "message", {"text": f"{number}"})
        deliver(host, f"row {number}", "tool.invoke", {**NO_SUCH, "call_id": f"call {number:03}"})
    until_stored(tmp_path / "lineup.sqlite", submitted=1, rejected=300)
    assert resident(host.process.pid) - before < GROWN + MAX_QUEUED_BYTES
    host.say("last", "runtime.status")
    heard = host.hear_until("last")
    assert [one["id"] for one in heard if str(one.get("id")).startswith("ping")] == [f"ping {n}" for n in range(300)]
    host.say("snapshot", "workspace.open", **PEER)
    heard += host.hear_until("snapshot")
    resyncs = [one["params"] for one in heard if one.get("method") == "runtime.resync"]
    assert resyncs == [{"reason": "output_queue_full"}]
    [surface] = [one for one in heard[-1]["result"]["surfaces"] if one["title"] == "Storms"]
    assert surface["revision"] == 601
    told = rows_of(host, heard)
    assert [one["call_id"] for one in told if "code" in one] == [f"call {number:03}" for number in range(300)]
    [painted] = [one for one in told if one.get("status")]
    assert painted["result"] == {"ok": True, "note": "ok=600"}


NO_SUCH = {"tool_id": "none", "inventory_revision": "none", "input": {}}


def rows_of(host: Pipes, heard: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Ack what was sent until nothing more comes: the payloads of all rows about Tools, each once."""
    rows: dict[str, dict[str, Any]] = {}
    count = -1
    while len(rows) > count:
        count = len(rows)
        sent = [one["params"] for one in heard if one.get("method") == "transport.send"]
        rows.update({one["outbox_id"]: one["envelope"]["payload"] for one in sent})
        host.say(f"ack {count}", "transport.ack", outbox_ids=list(rows))
        heard = host.hear_until(f"ack {count}")
        host.say(f"round {count}", "ping")
        heard += host.hear_until(f"round {count}")
    return [payload for _, payload in sorted(rows.items()) if "call_id" in payload]


def test_a_host_that_closes_what_it_reads_by_is_served_in_silence_until_it_ends(host: Pipes, tmp_path: Path) -> None:
    """Nobody can read what is said, so nothing of it is kept; what is asked is done."""
    before = resident(host.process.pid)
    host.stdout.close()
    for number in range(2_000):
        deliver(host, f"row {number}", "tool.invoke", {**NO_SUCH, "call_id": f"call {number:04}"})
        host.say(number, "runtime.status")
    until_stored(tmp_path / "lineup.sqlite", rejected=2_000)
    assert resident(host.process.pid) - before < GROWN
    host.stdin.close()
    assert host.process.wait(PATIENCE_S) == 0


def test_a_host_that_closes_what_it_speaks_by_hears_all_that_it_asked_for(host: Pipes) -> None:
    for number in range(2_000):
        host.say(number, "runtime.status")
    rest, code = host.end()
    assert [one["id"] for one in rest if "id" in one] == list(range(2_000))
    assert code == 0
