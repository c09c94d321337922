"""``lineup-sidecar verify``: sound stores hold, whatever state they are in, and a fault ends it with 1 (PROTOCOL 9)."""

from __future__ import annotations

import contextlib
import sqlite3
import subprocess
from pathlib import Path

import anyio
import pytest

from host_bridge.agent import Agent
from host_bridge.client import Sidecar
from host_bridge.command import find_sidecar
from host_bridge.pytest_plugin import StartSidecar
from tests import stored
from tests.scenarios.bundles import write_probes
from tests.scenarios.stage import DAY, Stage, begin, restart
from tests.sidecar.commands.conftest import Run
from tests.sidecar.commands.history import History

UNCHECKED = (
    "ALTER TABLE toolcall DROP CONSTRAINT toolcall_status_check"
    if stored.IN_POSTGRESQL
    else "PRAGMA ignore_check_constraints = ON"
)
LOST = "UPDATE toolcall SET status = 'lost' WHERE call_id = 'call-done'"


@pytest.fixture
def lineup_options(tmp_path: Path) -> list[str]:
    """Give the sidecars of these tests the probes."""
    return write_probes(tmp_path)


async def swept(sidecar: Sidecar) -> None:
    """Wait until what was past its time is dropped."""
    with anyio.fail_after(30):
        while "sweep" not in [one["action"] for one in (await sidecar.call("audit.list"))["entries"]]:
            await sidecar.call("ping")


def test_a_store_with_a_history_holds_and_is_told_by_count(run: Run, history: History) -> None:
    answer = run("verify", "--database", history.database)
    assert (answer.code, answer.err) == (0, ""), answer.out
    told = {line[:20].strip(): line[21:] for line in answer.out.splitlines()}
    counts = {name: told[name] for name in ("conversations", "Tool calls", "questions", "surfaces", "artifacts")}
    expected = {"conversations": "2", "Tool calls": "21", "questions": "15", "surfaces": "2", "artifacts": "1"}
    assert counts == expected
    assert told["file"] == "sound"
    entries = count(history.database, "SELECT count(*) FROM audit")
    assert told["audit"].startswith(f"{entries} entries, 1 to {entries}, the last hash ")
    assert answer.out.endswith("everything holds\n")


def test_the_installed_command_ends_with_1_and_names_the_row(copy: Path) -> None:
    stored.change(copy, "UPDATE conversation SET focus_stack = '[]' WHERE conversation_id = 'conv-other'")
    command = [*find_sidecar(), "verify", "--database", f"sqlite:///{copy}"]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (ended.returncode, ended.stderr) == (1, "")
    last = ended.stdout.splitlines()[-1]
    assert last.startswith("does not hold: conversation conversation_id='conv-other': its live instance")


async def test_a_store_holds_while_its_sidecar_lives_and_after_it_was_killed(
    lineup_start: StartSidecar, lineup_database: Path, run: Run
) -> None:
    sidecar = await lineup_start()
    await sidecar.call("ping")
    assert run("verify", "--database", lineup_database).code == 0
    await begin(sidecar)
    async with Agent(sidecar, ack=False) as agent:
        stage = Stage(sidecar, agent)
        await stage.open()
        app, _ = await stage.launch("probe", "brief")
        for number in range(30):
            await stage.invoke("probe.launch", {"n": number})
            answer = run("verify", "--database", lineup_database)
            assert answer.code == 0, answer.out
        await app.take_calls()
    await sidecar.kill()
    answer = run("verify", "--database", lineup_database)
    assert answer.code == 0, answer.out


async def test_what_was_dropped_after_its_30_days_is_not_missed(
    lineup_start: StartSidecar, lineup_database: Path, run: Run
) -> None:
    sidecar = await lineup_start()
    await begin(sidecar)
    async with Agent(sidecar, ack=False) as agent:
        stage = Stage(sidecar, agent)
        await stage.open()
        app, call_id = await stage.launch()
        await app.sdk("tools.reportProgress", call_id=call_id, progress={"percent": 1})
        await stage.say("Hello")
        await app.complete(call_id)
        await stage.reject("nobody.knows", call_id="call-old")
        await app.open_surface()
        for message in await app.messages():
            await app.sdk("inbox.acknowledge", message_id=message["message_id"])
        await stage.agent.cancel("call-unknown")
        await stage.ack()
        await restart(sidecar, ahead_ms=31 * DAY)
        await swept(sidecar)
        await stage.open()
        app = await stage.mount("probe")
        await stage.invoke("probe.launch", call_id="call-young")
        await app.take_calls()
        await app.complete("call-young")
        await app.close()
        await stage.ack()
    await sidecar.stop()
    answer = run("verify", "--database", lineup_database)
    assert answer.code == 0, answer.out
    assert count(lineup_database, "SELECT count(*) FROM outboxrow WHERE type LIKE '%tool.result'") == 1
    first = count(lineup_database, "SELECT min(seq) FROM audit")
    assert first > 10
    stored.change(lineup_database, "DELETE FROM audit WHERE seq = (SELECT min(seq) FROM audit)")
    answer = run("verify", "--database", lineup_database)
    assert answer.code == 1
    assert f"the entry is missing: the chain begins with {first + 1}" in answer.out


async def test_an_end_that_was_cut_off_shows_also_after_the_runtime_went_on(
    lineup_start: StartSidecar, lineup_database: Path, run: Run
) -> None:
    sidecar = await lineup_start()
    await begin(sidecar)
    await sidecar.stop()
    last = count(lineup_database, "SELECT max(seq) FROM audit")
    stored.change(lineup_database, "DELETE FROM audit WHERE seq = (SELECT max(seq) FROM audit)")
    again = await lineup_start()
    await begin(again)
    await again.stop()
    answer = run("verify", "--database", lineup_database)
    assert answer.code == 1
    assert f"audit seq={last}: the entry is missing: {last + 1} comes after {last - 1}" in answer.out


def test_a_store_that_is_not_there_is_named(run: Run, tmp_path: Path) -> None:
    answer = run("verify", "--database", tmp_path / "none.sqlite")
    assert (answer.code, answer.out) == (1, "")
    assert answer.err.startswith("lineup-sidecar: there is no store at ")


@pytest.mark.sqlite
def test_a_file_that_is_no_store_is_named(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("Dear Sir or Madam, " * 100)
    answer = run("verify", "--database", file)
    assert answer.code == 1
    assert "is no store" in answer.err


@pytest.mark.sqlite
def test_a_store_of_another_version_is_named(run: Run, copy: Path) -> None:
    stored.change(copy, "PRAGMA user_version = 9")
    answer = run("verify", "--database", copy)
    assert answer.code == 1
    assert "has version 9; this program reads 1" in answer.err


@pytest.mark.sqlite
def test_a_file_that_is_torn_does_not_hold(run: Run, copy: Path) -> None:
    with contextlib.closing(sqlite3.connect(copy)) as store:
        (page,) = store.execute("SELECT rootpage FROM sqlite_master WHERE name = 'artifact'").fetchone()
        (page_size,) = store.execute("PRAGMA page_size").fetchone()
    with copy.open("r+b") as file:
        file.seek((page - 1) * page_size)
        file.write(b"\xff" * 256)
    answer = run("verify", "--database", copy)
    assert answer.code == 1
    assert "does not hold: file as SQLite reads it: " in answer.out


def test_a_status_that_the_database_itself_would_not_take_does_not_hold(run: Run, copy: Path) -> None:
    stored.change(copy, f"{UNCHECKED}; {LOST}")
    answer = run("verify", "--database", copy)
    assert answer.code == 1
    assert "toolcall conversation_id='conv-main' call_id='call-done': its status 'lost' is none" in answer.out


def count(database: Path, sql: str) -> int:
    """The one number that a query gives."""
    [(found,)] = stored.rows(database, sql)
    return int(found)
