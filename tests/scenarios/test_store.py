"""The audit's chain, what is kept how long, and a disk that is full (RULES 1 and 6)."""

from __future__ import annotations

import contextlib
import hashlib
import json
import resource
from collections.abc import Awaitable, Iterator
from pathlib import Path
from typing import Any

import pytest

from host_bridge.client import Sidecar
from host_bridge.errors import RpcError
from tests import stored
from tests.scenarios.conftest import OpenStage
from tests.scenarios.stage import DAY, App, Stage, begin, restart

requirement = pytest.mark.requirement


# -- the audit


def links(entries: list[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    """Each entry's hash as it should be and as it is."""
    for entry in entries:
        content = {name: value for name, value in entry.items() if name != "hash"}
        text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        yield hashlib.sha256(text.encode()).hexdigest(), entry["hash"]


async def all_entries(sidecar: Sidecar) -> list[dict[str, Any]]:
    """The whole audit."""
    entries: list[dict[str, Any]] = []
    while page := (await sidecar.call("audit.list", after_seq=entries[-1]["seq"] if entries else 0, limit=500))[
        "entries"
    ]:
        entries += page
    return entries


@requirement("R1-refused-is-audited", "R1-one-transaction")
async def test_the_audit_is_one_chain_across_restarts(alone: Stage) -> None:
    app, call_id = await alone.launch()
    await alone.reject("probe.launch", {"n": -1})
    await app.complete(call_id)
    await alone.invoke("probe.work")
    await restart(alone.sidecar)
    await alone.ask("confirm")
    entries = await all_entries(alone.sidecar)
    assert [one["seq"] for one in entries] == list(range(1, len(entries) + 1))
    assert [one["previous_hash"] for one in entries] == ["0" * 64, *[one["hash"] for one in entries[:-1]]]
    assert all(expected == actual for expected, actual in links(entries))
    assert {one["decision"] for one in entries} == {"accepted", "refused"}
    assert {one["actor"] for one in entries} >= {"host", "agent", "miniapp", "runtime"}


# -- keeping


COUNTS = {
    "outbox": "SELECT count(*) FROM outboxrow WHERE acked_at IS NOT NULL",
    "inbox": "SELECT count(*) FROM inboxmessage WHERE acked_at IS NOT NULL",
    "receipts": "SELECT count(*) FROM receipt",
    "deliveries": "SELECT count(*) FROM delivery",
}


@pytest.fixture
async def half_acked(alone: Stage) -> tuple[Stage, App]:
    """A conversation of which some is acked."""
    app, call_id = await alone.launch()
    await alone.say("read")
    await app.sdk("inbox.acknowledge", message_id=(await app.messages())[0]["message_id"])
    await alone.say("unread", message_id="old message")
    await alone.agent.cancel(call_id, control_id="old control")
    await alone.ack()
    await alone.invoke("probe.work", call_id="not acked")
    await app.complete("not acked")
    await alone.settle()
    return alone, app


@requirement("R6-kept-30-days")
async def test_what_is_acked_is_kept_30_days(half_acked: tuple[Stage, App], lineup_database: Path) -> None:
    stage, app = half_acked
    for days, kept in ((29, True), (31, False)):
        await restart(stage.sidecar, ahead_ms=days * DAY)
        await app.mount()
        oldest = (await stage.call("audit.list", limit=1))["entries"][0]
        assert (oldest["seq"] == 1) == kept
        counts = {name: stored.rows(lineup_database, query)[0][0] for name, query in COUNTS.items()}
        assert {name: count > 0 for name, count in counts.items()} == dict.fromkeys(counts, kept)
        assert [one["payload"]["text"] for one in await app.messages()] == ["unread"]
        assert [one["call_id"] for one in await stage.sent("tool.result") if one["call_id"] == "not acked"]
    entries = await all_entries(stage.sidecar)
    assert all(expected == actual for expected, actual in links(entries))
    assert [one["previous_hash"] for one in entries[1:]] == [one["hash"] for one in entries[:-1]]
    assert (await stage.say("again", message_id="old message"))["status"] == "accepted"


# -- a store that cannot be written


FULL = """
    CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN RAISE disk_full USING MESSAGE = ''could not extend file: No space left on device''; END';
    CREATE CONSTRAINT TRIGGER full_disk AFTER INSERT ON audit DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION full_disk()
"""
"""A server whose disk is full fails as late as that: no commit of a decision succeeds."""


@contextlib.contextmanager
def full_disk(pid: int, database: Path) -> Iterator[None]:
    """No file of the process may grow, as if its disk were full, or its server's."""
    if stored.IN_POSTGRESQL:
        stored.change(database, FULL)
        yield
        stored.change(database, "DROP TRIGGER full_disk ON audit")
        return
    size = max(Path(f"{database}{suffix}").stat().st_size for suffix in ("", "-wal"))
    soft, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (soft, hard))


async def fails(call: Awaitable[Any]) -> None:
    """The request is answered as an internal error, and says no more than that."""
    with pytest.raises(RpcError) as caught:
        await call
    assert caught.value.code == -32603
    assert not any(word in caught.value.message.lower() for word in ("sqlite", "postgres", "no space"))


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="only Linux bounds the files of another process")
@requirement("R1-one-transaction", "R1-after-the-commit")
async def test_what_cannot_be_written_did_not_happen(alone: Stage, lineup_database: Path) -> None:
    app, call_id = await alone.launch()
    before, revision = await alone.open(), await alone.revision()
    await alone.forget()
    with full_disk(alone.sidecar.pid, lineup_database):
        await fails(app.complete(call_id))
        await fails(alone.call("miniapp.setEnabled", app_scope="probe", enabled=False))
        await fails(alone.call("miniapp.close", instance_id=app.instance_id))
        await fails(alone.invoke("probe-two.launch", call_id="lost"))
        assert await alone.call("ping") == {}
    assert {one.method for one in alone.news} == {"runtime.resync"}
    after = await alone.open()
    assert after == before
    assert await alone.result(call_id) is None
    assert (await alone.call("miniapp.setEnabled", app_scope="probe-two", enabled=True))[
        "inventory_revision"
    ] == revision
    await app.complete(call_id)
    assert (await alone.result(call_id) or {})["status"] == "completed"
    await alone.invoke("probe-two.launch", call_id="lost")
    entries = await all_entries(alone.sidecar)
    assert [one["seq"] for one in entries] == list(range(1, len(entries) + 1))
    assert all(expected == actual for expected, actual in links(entries))


@requirement("R3-interact-stays")
async def test_a_workspace_that_was_opened_without_interact_gets_it(own: Sidecar, open_stage: OpenStage) -> None:
    with_bundled = own.command
    await own.kill()
    own.command = (*with_bundled, "--no-bundled")
    await own.start()
    await begin(own)
    empty, busy = await open_stage(own), await open_stage(own)
    await busy.start("probe")
    assert (await empty.open())["instances"] == []
    await own.kill()
    own.command = with_bundled
    await own.start()
    await begin(own)
    assert (await empty.stack(), await busy.stack()) == (["chat"], ["chat", "probe"])
    call_id, _ = await empty.ask("confirm")
    assert (await empty.items())[0]["record"]["call_id"] == call_id
