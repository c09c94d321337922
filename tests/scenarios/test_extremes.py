"""Text and numbers at the edge of what a database holds: whichever keeps them, they come back as they went in."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from host_bridge.command import find_sidecar
from tests.scenarios.conftest import OpenStage
from tests.scenarios.stage import FORM, Stage, restart

EDGES = ["\0", "a\0b\0", "\1", "\1\2", "\1\3\0", "\x1b[31m", "\x7f", "\uffff", "\U0010ffff", "e\u0301", "\u2028", "\\0"]
NUMBERS = [2**53, 2**63 - 1, 2**63, -(2**63) - 1, 10**30, 1.5e308, 5e-324]


@pytest.fixture
async def edge_stage(alone: Stage, open_stage: OpenStage) -> Stage:
    """A conversation and an Agent whose ids are edges, too."""
    return await open_stage(alone.sidecar, "conversation \0\1", "agent \0\1\2")


async def test_what_was_said_and_shown_comes_back_equal_after_a_restart(
    edge_stage: Stage, lineup_database: Path
) -> None:
    stage = edge_stage
    app, _ = await stage.launch()
    kept = {"text": dict.fromkeys(EDGES, EDGES), "numbers": NUMBERS}
    surface_id = await app.open_surface(key="k\0\1", title="\0\1\2", initial_state=kept)
    for number, text in enumerate(EDGES):
        await stage.say(text, message_id=f"{number} {text}")
    calls = [await stage.invoke("probe.work", call_id=f"call {text}") for text in EDGES]
    await app.take_calls()
    for call_id, text in zip(calls, EDGES, strict=True):
        await app.sdk("tools.fail", call_id=call_id, failure={"code": "c", "message": text, "details": {text: kept}})
    form = {**FORM, "title": "\0", "prompt": "\1\2"}
    asked, interaction_id = await stage.ask("input", form, call_id="asked \0")
    draft = {"values": {"name": "\0\1\2"}}
    await stage.call("renderer.saveDraft", interaction_id=interaction_id, draft=draft)
    before = await stage.audit()
    await restart(stage.sidecar)
    assert (await stage.open())["agent_id"] == "agent \0\1\2"
    await app.mount()
    assert (await app.sdk("surfaces.get", surface_id=surface_id))["state"] == kept
    assert [one["payload"]["text"] for one in await app.messages()] == EDGES
    for number, text in enumerate(EDGES):
        assert (await stage.say(text, message_id=f"{number} {text}"))["status"] == "duplicate"
    for call_id, text in zip(calls, EDGES, strict=True):
        error = {"code": "c", "message": text, "details": {text: kept}}
        assert (await stage.result(call_id) or {})["error"] == error
    item = await stage.item(interaction_id)
    assert (item["record"]["call_id"], item["draft"]) == (asked, draft)
    assert (item["record"]["request"]["title"], item["record"]["request"]["prompt"]) == ("\0", "\1\2")
    assert (await stage.audit())[: len(before)] == before
    await stage.sidecar.stop()
    verify = [*find_sidecar(), "verify", "--database", str(lineup_database)]
    assert subprocess.run(verify, capture_output=True, timeout=60, check=True).stdout.endswith(b"everything holds\n")
