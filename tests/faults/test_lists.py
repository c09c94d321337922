"""A hundred thousand records of every kind: each list is bounded, and no table is read into memory (RULES 6)."""

from __future__ import annotations

import os
import resource
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from string import Template
from typing import Any

import pytest

from host_bridge.agent import Agent
from host_bridge.client import Sidecar
from host_bridge.command import find_sidecar, serve_command
from rpc_schema.limits import (
    MAX_AUDIT_LIST,
    MAX_ENDED_RECORDS,
    MAX_INBOX_LIST,
    MAX_INBOX_PENDING,
    MAX_OUTBOX_PENDING,
    OUTBOX_WINDOW,
)
from tests.faults.bundles import write_bundles
from tests.faults.watch import GROWN, MIB, resident

pytestmark = [pytest.mark.anyio, pytest.mark.sqlite]

MANY = 100_000
CONVERSATION = "full"
CONFIRM = {"kind": "confirm", "title": "T", "prompt": "P"}
HOST_RUN = ["chat", "steady"]
PROVIDERS = ["probe.allowed"]
ACKED_ROWS = "SELECT count(*) FROM outboxrow WHERE acked_at IS NOT NULL"
COPY = Template(
    "WITH RECURSIVE count(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM count WHERE n < $times) "
    "INSERT INTO $table ($names) SELECT $row FROM count, (SELECT * FROM $table WHERE $where LIMIT 1) AS $table"
)
TEXT = "x" * 1_000


def ids(letter: str) -> str:
    """Ids below all that the Runtime makes, as SQL."""
    return f"printf('00{letter}%023d', n)"


async def live_a_little(sidecar: Sidecar) -> None:
    """One record of every kind, each of which has ended."""
    await sidecar.initialize(host_run=HOST_RUN, capability_providers=PROVIDERS)
    async with Agent(sidecar, CONVERSATION, ack=False) as agent:
        await sidecar.call("workspace.open", **agent.peer)
        call = await agent.invoke("steady.go", {"how": TEXT})
        found = (await sidecar.call("workspace.open", **agent.peer))["instances"]
        [instance_id] = [one["instance_id"] for one in found if one["app_scope"] == "steady"]
        token = (await sidecar.call("miniapp.mount", instance_id=instance_id))["context_token"]
        await sidecar.call("sdk.tools.subscribe", context_token=token)
        await sidecar.call("sdk.tools.complete", context_token=token, call_id=call.call_id, result={"ok": True})
        await agent.say("kept", app_scope="steady")
        asked = await sidecar.call("sdk.ui.request", context_token=token, request=CONFIRM)
        await sidecar.call("sdk.ui.cancel", context_token=token, interaction_id=asked["interaction_id"])
        theirs = await agent.ask("confirm", {"title": "T", "prompt": "P"})
        await agent.dismiss(theirs)
        opened = await sidecar.call("sdk.surfaces.requestOpen", context_token=token, request={"key": "k", "title": "t"})
        await sidecar.call("sdk.surfaces.requestClose", context_token=token, surface_id=opened["surface_id"])
        wanted = {"capability": "probe.allowed", "reason": "r", "arguments": {}}
        request = await sidecar.call("sdk.capabilities.request", context_token=token, **wanted)
        await sidecar.call("capability.resolve", request_id=request["request_id"], outcome="granted")


def multiply(store: sqlite3.Connection, table: str, where: str, times: int, **changed: str) -> None:
    """Write a row of the table so many times more; ``changed`` are columns as SQL, in which ``n`` counts."""
    names = [name for _, name, *_ in store.execute(f"PRAGMA table_info({table})")]
    if table != "audit":
        names = [name for name in names if name != "seq"]
    row = ", ".join(changed.get(name, f"{table}.{name}") for name in names)
    copy = COPY.substitute(table=table, names=", ".join(names), row=row, where=where, times=times)
    store.execute(copy)


def fill(database: Path) -> None:
    """Let the conversation be one of a hundred thousand records of each kind."""
    with closing(sqlite3.connect(database)) as store, store:
        store.execute("PRAGMA synchronous=OFF")
        acked = {"acked_at": "created_at"}
        multiply(store, "toolcall", "status = 'submitted'", MANY, call_id="'c' || n", status="'completed'")
        multiply(store, "interaction", "source = 'miniapp_tool'", MANY, interaction_id=ids("a"))
        multiply(store, "interaction", "source = 'agent_tool'", MANY, interaction_id=ids("b"), call_id="'c' || n")
        multiply(store, "surface", "status = 'closed'", MANY, surface_id=ids("a"), key="'k' || n")
        multiply(store, "capabilityrequest", "status = 'granted'", MANY, request_id=ids("a"))
        message = "type = 'agent.message'"
        multiply(store, "inboxmessage", message, MANY, message_id=ids("a"), **acked)
        multiply(store, "inboxmessage", message, MAX_INBOX_PENDING - 2, message_id=ids("b"))
        told = "type = 'lineup.v1.tool.result'"
        row = {"call_id": "NULL", "unique_key": "NULL"}
        multiply(store, "outboxrow", told, MANY, outbox_id=ids("a"), **row, **acked)
        multiply(store, "outboxrow", told, MAX_OUTBOX_PENDING - 10, outbox_id=ids("b"), **row)
        multiply(store, "delivery", "true", MANY, message_id="'d' || n")
        multiply(store, "receipt", "true", MANY, control_id="'x' || n")
        last = "(SELECT max(seq) FROM audit)"
        multiply(store, "audit", f"seq = {last}", MANY, seq="audit.seq + n", hash="audit.hash || n")


@pytest.fixture(scope="module")
def command(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What serves that store."""
    folder = tmp_path_factory.mktemp("lists")
    return serve_command(folder / "lineup.sqlite", "--test-clock", *write_bundles(folder))


@pytest.fixture(scope="module")
async def sidecar(command: list[str], anyio_backend: str) -> AsyncIterator[Sidecar]:
    """A sidecar on the full store."""
    async with Sidecar(command) as sidecar:
        await live_a_little(sidecar)
        await sidecar.stop()
        fill(database_of(command))
        await sidecar.start()
        await sidecar.initialize(host_run=HOST_RUN, capability_providers=PROVIDERS)
        yield sidecar
    assert not sidecar.faults


def database_of(command: list[str]) -> Path:
    """Where the store is."""
    return Path(command[command.index("--database") + 1])


async def token_of(sidecar: Sidecar, scope: str) -> str:
    """Speak for an app."""
    snapshot = await sidecar.call("workspace.open", conversation_id=CONVERSATION, agent_id="agent-1")
    [instance_id] = [one["instance_id"] for one in snapshot["instances"] if one["app_scope"] == scope]
    token: str = (await sidecar.call("miniapp.mount", instance_id=instance_id))["context_token"]
    return token


@pytest.mark.requirement("R6-bound-inbox", "R6-outbox-again")
async def test_every_list_of_a_full_store_is_bounded_and_memory_stays(sidecar: Sidecar) -> None:
    before = resident(sidecar.pid)
    token, chat = await token_of(sidecar, "steady"), await token_of(sidecar, "chat")
    snapshot = await sidecar.call("workspace.open", conversation_id=CONVERSATION, agent_id="agent-1")
    assert [snapshot[name] for name in ("surfaces", "interactions", "tool_calls", "capability_requests")] == [[]] * 4
    assert (await sidecar.call("renderer.list", conversation_id=CONVERSATION))["items"] == []
    assert (await sidecar.call("sdk.tools.subscribe", context_token=token))["calls"] == []
    for method, bearer in (("sdk.ui.subscribe", token), ("sdk.renderer.subscribe", chat)):
        assert len((await sidecar.call(method, context_token=bearer))["records"]) == MAX_ENDED_RECORDS
    listed = (await sidecar.call("sdk.inbox.list", context_token=token))["messages"]
    assert len(listed) == MAX_INBOX_LIST
    assert len((await sidecar.call("sdk.inbox.subscribe", context_token=token))["messages"]) == MAX_INBOX_PENDING
    assert len((await sidecar.call("audit.list", limit=MAX_AUDIT_LIST))["entries"]) == MAX_AUDIT_LIST
    page = {"conversation_id": CONVERSATION, "after_seq": MANY // 2, "limit": MAX_AUDIT_LIST}
    assert len((await sidecar.call("audit.list", **page))["entries"]) <= MAX_AUDIT_LIST
    status = await sidecar.call("runtime.status")
    assert status["inbox_pending"] == MAX_INBOX_PENDING
    assert status["outbox_pending"] >= MAX_OUTBOX_PENDING - 10
    sent = [news.params["outbox_id"] for news in sidecar.seen("transport.send")]
    assert len(set(sent[-OUTBOX_WINDOW:])) == OUTBOX_WINDOW
    assert resident(sidecar.pid) - before < GROWN


@pytest.mark.requirement("R6-kept-30-days")
async def test_a_full_store_is_served_while_what_is_past_its_time_is_dropped(sidecar: Sidecar) -> None:
    await sidecar.kill()
    clock = f"--test-clock={40 * 86_400_000}"
    sidecar.command = tuple(clock if one.startswith("--test-clock") else one for one in sidecar.command)
    await sidecar.start()
    await sidecar.initialize(host_run=HOST_RUN, capability_providers=PROVIDERS)
    before = resident(sidecar.pid)
    with closing(sqlite3.connect(f"file:{database_of(list(sidecar.command))}?mode=ro", uri=True)) as store:
        while store.execute(ACKED_ROWS).fetchone()[0] > MANY - 3_000:
            assert await sidecar.call("ping") == {}
    assert (await sidecar.call("workspace.open", conversation_id=CONVERSATION, agent_id="agent-1"))["instances"]
    assert resident(sidecar.pid) - before < GROWN


async def test_a_conversation_of_a_hundred_thousand_calls_is_explained_in_few_lines_and_little_memory(
    sidecar: Sidecar,
) -> None:
    told, weight = run("explain", CONVERSATION, "--database", str(database_of(list(sidecar.command))))
    assert told.count("\n") < 1_000
    assert " more are left out here" in told
    assert weight < 200 * MIB


def run(*arguments: str) -> tuple[str, int]:
    """What the command says, and the most memory that it had."""
    read, write = os.pipe()
    program = find_sidecar()
    actions: list[Any] = [(os.POSIX_SPAWN_DUP2, write, 1), (os.POSIX_SPAWN_CLOSE, read)]
    pid = os.posix_spawnp(program[0], [*program, *arguments], os.environ, file_actions=actions)
    os.close(write)
    with os.fdopen(read) as said:
        text = said.read()
    _, status, used = os.wait4(pid, 0)
    assert status == 0
    assert isinstance(used, resource.struct_rusage)
    return text, used.ru_maxrss * 1024
