"""``lineup-host agent`` on the real sidecar, driven by scripts."""

from __future__ import annotations

import subprocess
import sys

import anyio
import pytest


async def run(*lines: str) -> subprocess.CompletedProcess[bytes]:
    """Type these lines; what was printed."""
    script = "".join(f"{line}\n" for line in lines).encode()
    with anyio.fail_after(60):
        return await anyio.run_process([sys.executable, "-m", "host_bridge", "agent"], input=script, check=False)


async def printed(*lines: str) -> str:
    """What was printed, where nothing failed."""
    done = await run(*lines)
    assert (done.returncode, done.stderr) == (0, b""), done.stdout.decode()
    return done.stdout.decode()


async def test_the_tools_are_those_of_the_inventory() -> None:
    text = await printed("tools")
    assert "  task-dashboard.open  " in text
    assert "      task_id (string) " in text


async def test_a_call_shows_its_progress_and_its_result() -> None:
    text = await printed(
        'call task-dashboard.open {"task_id": "t", "title": "Ship it"}',
        'call task-dashboard.update {"task_id": "t", "progress": 50}',
        "wait 2",
        'call task-dashboard.update {"task_id": "t", "state": "completed"}',
        "wait",
        "calls",
    )
    assert " 50 %  running" in text
    assert 'task-dashboard.open: completed  {"result": {"status": "completed"}}' in text
    assert "  #3 task-dashboard.update  {" in text


async def test_without_json_each_field_is_asked_for() -> None:
    text = await printed("call task-dashboard.open", "t", "Ship it", "", "30", "cancel", "wait")
    assert "title (string) What the user reads.: Ship it\n" in text
    assert 'task-dashboard.open: cancelled  {"reason": "agent_cancelled"}' in text


@pytest.mark.parametrize(
    ("kind", "request_", "lines", "result"),
    [
        ("confirm", '"prompt": "Really?"', ["y"], '{"approved": true}'),
        ("notice", '"message": "Look"', [""], '{"presented": true}'),
        (
            "input",
            '"prompt": "p", "fields": [{"id": "n", "label": "N", "type": "number"}]',
            ["x", "7"],
            '{"values": {"n": 7}}',
        ),
        (
            "choice",
            '"prompt": "p", "mode": "button", "actions": [{"id": "a", "label": "A"}, {"id": "b", "label": "B"}]',
            ["2"],
            '{"action_ids": ["b"]}',
        ),
    ],
)
async def test_questions_are_answered_where_they_come(kind: str, request_: str, lines: list[str], result: str) -> None:
    text = await printed(f'call interaction.{kind} {{"title": "T", {request_}}}', *lines, "wait")
    assert f'? the Agent asks ({kind}) "T": ' in text
    assert f'interaction.{kind}: completed  {{"result": {result}}}' in text


async def test_a_question_may_be_left_and_answered_later() -> None:
    question = 'call interaction.confirm {"title": "T", "prompt": "p"}'
    text = await printed(question, "later", "calls", "answer", "n", "wait")
    assert "  #1 interaction.confirm  open" in text
    assert '{"approved": false}' in text


async def test_a_question_may_be_sent_away_or_taken_back() -> None:
    question = 'call interaction.confirm {"title": "T", "prompt": "p"}'
    text = await printed(question, "dismiss", "wait", question, "later", "dismiss 2", "wait")
    assert '{"reason": "user_cancelled"}' in text
    assert '{"reason": "dismissed"}' in text


async def test_agent_and_user_talk() -> None:
    text = await printed("message **hi**", "say hello", 'call interaction.notice {"title": "T", "message": "m"}', "")
    assert "the user says: hello" in text


async def test_an_app_is_opened_and_closed_by_the_user() -> None:
    text = await printed(
        "open task-dashboard",
        "wait",
        'call interaction.notice {"title": "T", "message": "m"}',
        "",
        "close task-dashboard",
    )
    assert "in front: task-dashboard" in text


async def test_an_app_asks_the_user_by_itself() -> None:
    text = await printed(
        'call task-dashboard.open {"task_id": "t", "title": "Ship it"}',
        'call task-dashboard.update {"task_id": "t", "progress": 10}',
        "wait 2",
        "emit task-dashboard close",
        "wait",
        "y",
        "wait",
    )
    assert '? task-dashboard asks (confirm) "Close Task Dashboard?": ' in text
    assert 'task-dashboard.open: completed  {"result": {"status": "cancelled"}}' in text


async def test_a_calls_story_is_told_while_the_sidecar_runs() -> None:
    text = await printed('call task-dashboard.open {"task_id": "t", "title": "T"}', "cancel", "wait", "explain")
    assert "asked for the Tool task-dashboard.open" in text


async def test_an_event_without_a_surface_is_told() -> None:
    done = await run("emit", "emit task-dashboard", "emit task-dashboard close", "emit chat send_text [1]")
    assert done.returncode == 1
    text = done.stdout.decode()
    assert text.count("✗ type emit APP EVENT [JSON]") == 2
    assert "✗ task-dashboard shows no surface" in text


async def test_what_the_runtime_refuses_is_told_and_the_script_fails() -> None:
    done = await run(
        'call task-dashboard.update {"task_id": "t"}',
        'call task-dashboard.open {"task_id": 1}',
        "call x.y",
        "call task-dashboard.open [1]",
    )
    text = done.stdout.decode()
    assert done.returncode == 1
    assert "✗ app_instance_not_found: " in text
    assert "✗ tool_input_invalid: " in text
    assert "✗ no such Tool: x.y; type tools" in text
    assert "✗ type a JSON object" in text
