"""``lineup-sidecar explain``: whatever has an id is told of, under each of its names, and nothing steers a terminal."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from host_bridge.agent import Agent
from host_bridge.command import find_sidecar
from host_bridge.pytest_plugin import StartSidecar
from tests import stored
from tests.scenarios.bundles import write_probes
from tests.scenarios.stage import CONFIRM, Stage, begin, refused
from tests.sidecar.commands.conftest import Run
from tests.sidecar.commands.history import History

TITLES = {
    "call-done": "Tool call “call-done” in conversation “conv-main”",
    "{open}": "Question “{open}” in conversation “conv-main”",
    "{instance}": "Instance “{instance}” in conversation “conv-main”",
    "{session}": "App session “{session}” in conversation “conv-main”",
    "{surface}": "Surface “{surface}” in conversation “conv-main”",
    "{artifact}": "Artifact “{artifact}” in conversation “conv-main”",
    "{granted}": "Capability request “{granted}” in conversation “conv-main”",
    "conv-other": "Conversation “conv-other”",
    "{inbox}": "Inbox message “{inbox}” in conversation “conv-main”",
    "message-1": "Message “message-1” in conversation “conv-main”",
    "control-1": "Request “control-1” in conversation “conv-main”",
    "probe-three": "“probe-three”, as the audit knows it",
}


@pytest.fixture
def lineup_options(tmp_path: Path) -> list[str]:
    """Give the sidecars of these tests the probes."""
    return write_probes(tmp_path)


@pytest.mark.parametrize("name", TITLES)
def test_everything_that_has_an_id_is_told_of(run: Run, history: History, name: str) -> None:
    title = TITLES[name]
    for known, value in history.ids.items():
        name, title = name.replace(f"{{{known}}}", value), title.replace(f"{{{known}}}", value)
    answer = run("explain", name, "--database", history.database)
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.splitlines()[:3] == ["All times are UTC.", "", title]
    assert "\n  Now: " in answer.out
    assert max(len(line) for line in answer.out.splitlines()) <= 110


def test_an_id_of_several_conversations_is_told_of_in_each(run: Run, history: History) -> None:
    answer = run("explain", "call-done", "--database", history.database)
    titles = [line for line in answer.out.splitlines() if line.startswith("Tool call")]
    assert titles == [
        "Tool call “call-done” in conversation “conv-main”",
        "Tool call “call-done” in conversation “conv-other”",
    ]
    assert "The Agent “agent-1” asked for the Tool probe.launch" in answer.text
    assert "The Agent “agent-2” asked for the Tool “nobody.knows”; it was refused and reached nobody." in answer.text


def test_an_unknown_id_ends_with_1_and_says_so(history: History) -> None:
    command = [*find_sidecar(), "explain", "call-\x1b[31m", "--database", str(history.database)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr.startswith("lineup-sidecar: nothing in this store has the id “call-\\x1b[31m”: ")


def test_a_store_that_is_not_there_is_named(run: Run, tmp_path: Path) -> None:
    answer = run("explain", "call-1", "--database", tmp_path / "none.sqlite")
    assert (answer.code, answer.out) == (1, "")
    assert answer.err.startswith("lineup-sidecar: there is no store at ")


def test_a_row_that_does_not_hold_is_not_told_of(run: Run, history: History, copy: Path) -> None:
    stored.change(copy, "UPDATE interaction SET request = '[]'")
    answer = run("explain", history.open, "--database", copy)
    assert (answer.code, answer.out) == (1, "")
    assert answer.err.endswith("does not hold: see lineup-sidecar verify\n")


async def test_a_store_is_told_of_while_its_sidecar_lives(
    lineup_start: StartSidecar, lineup_database: Path, run: Run
) -> None:
    sidecar = await lineup_start()
    await begin(sidecar)
    async with Agent(sidecar, ack=False) as agent:
        stage = Stage(sidecar, agent)
        await stage.open()
        app, call_id = await stage.launch()
        before = run("explain", call_id, "--database", lineup_database).text
        await app.complete(call_id)
        after = run("explain", call_id, "--database", lineup_database).text
    assert "Now: It is running: the MiniApp probe has it and must finish it" in before
    assert "Now: Its outcome is fixed (completed) and is never changed" in after


async def test_words_of_others_are_shortened_and_cannot_steer_a_terminal(
    lineup_start: StartSidecar, lineup_database: Path, run: Run
) -> None:
    sidecar = await lineup_start()
    await begin(sidecar)
    async with Agent(sidecar, ack=False) as agent:
        stage = Stage(sidecar, agent)
        await stage.open()
        wicked = {**CONFIRM, "title": "\x1b]0;owned\x07\n\u202eevil\u2028", "prompt": "long " * 700}
        call_id, interaction_id = await stage.ask("confirm", wicked, call_id="call\n\x1b[2J")
        answers = [run("explain", one, "--database", lineup_database) for one in (call_id, interaction_id)]
    for answer in answers:
        assert all(one.isprintable() or one == "\n" for one in answer.out)
    assert "“\\x1b]0;owned\\x07\\n\\u202eevil\\u2028”" in answers[1].text
    assert "… (3500 characters)" in answers[1].text
    assert answers[0].out.splitlines()[2] == "Tool call “call\\n\\x1b[2J” in conversation “conv-1”"


async def test_no_token_is_ever_told(lineup_start: StartSidecar, lineup_database: Path, run: Run) -> None:
    sidecar = await lineup_start()
    await begin(sidecar)
    async with Agent(sidecar, ack=False) as agent:
        stage = Stage(sidecar, agent)
        await stage.open()
        app, call_id = await stage.launch()
        surface_id = await app.open_surface()
        attached = await stage.call("surface.attach", surface_id=surface_id)
        with refused("tool_output_invalid"):
            await app.complete(call_id, wrong=1)
        told = "".join(run("explain", one, "--database", lineup_database).out for one in (call_id, surface_id))
        told += run("explain", app.instance_id, "--database", lineup_database).out
    assert "tool_output_invalid" in told
    assert app.token not in told
    assert attached["surface_token"] not in told
