"""Questions that nobody answers in time, and what was typed so far (RULES 5)."""

from __future__ import annotations

import pytest

from host_bridge.client import Sidecar
from tests.scenarios.conftest import OpenStage
from tests.scenarios.stage import (
    CONFIRM,
    FORM,
    HOUR,
    MINUTE,
    Stage,
    begin,
    refused,
    restart,
)

requirement = pytest.mark.requirement


async def present(stage: Stage, interaction_id: str) -> str:
    """The user sees it; its status."""
    status: str = (await stage.call("renderer.presented", interaction_id=interaction_id))["status"]
    return status


# -- expiry


@requirement("R5-expiry", "R5-expiry-reason", "A6")
@pytest.mark.parametrize("presented", [True, False])
async def test_a_question_expires_and_says_whether_it_was_seen(stage: Stage, presented: bool) -> None:
    app = await stage.start()
    await app.sdk("ui.subscribe")
    own = await app.ask()
    call_id, asked = await stage.ask("confirm")
    if presented:
        await present(stage, own)
        await present(stage, asked)
    reason = "no_answer" if presented else "never_presented"
    await stage.advance(15 * MINUTE - 1_000)
    assert await stage.result(call_id) is None
    await stage.advance(1_001)
    assert await stage.result(call_id) == {"call_id": call_id, "status": "expired", "reason": reason}
    [news] = await app.heard("sdk.ui.record")
    assert (news["record"]["status"], news["record"]["reason"]) == ("expired", reason)
    assert await stage.items() == []


@requirement("R5-expiry")
async def test_an_expiry_needs_no_request_to_be_noticed(stage: Stage) -> None:
    call_id, asked = await stage.ask("confirm", {**CONFIRM, "expires_in_ms": MINUTE})
    await stage.advance(MINUTE - 400)
    news = await stage.sidecar.wait_for("renderer.retract", lambda one: one["interaction_id"] == asked, timeout=1.4)
    assert news["status"] == "expired"
    assert (await stage.result(call_id) or {})["reason"] == "never_presented"


@requirement("R5-expiry", "R6-expire-at-start")
async def test_an_expiry_survives_a_restart(alone: Stage) -> None:
    short, _ = await alone.ask("confirm", {**CONFIRM, "expires_in_ms": MINUTE})
    _, long = await alone.ask("confirm", {**CONFIRM, "expires_in_ms": HOUR})
    before = (await alone.item(long))["record"]
    await alone.advance(MINUTE - 1_000)
    await restart(alone.sidecar, ahead_ms=MINUTE + 1_000)
    assert (await alone.result(short) or {})["status"] == "expired"
    [item] = await alone.items()
    assert item["record"] == before


# -- drafts


@requirement("R5-drafts", "A6")
async def test_a_draft_is_kept_until_the_end(stage: Stage) -> None:
    _, asked = await stage.ask("input", FORM)
    for values in ({"name": "half"}, {"name": "x", "age": 7, "unknown": "y"}, {}):
        await stage.call("renderer.saveDraft", interaction_id=asked, draft={"values": values})
        assert (await stage.item(asked))["draft"] == {"values": values}
    _, other = await stage.ask("confirm")
    with refused("interaction_result_invalid"):
        await stage.call("renderer.saveDraft", interaction_id=other, draft={"values": {}})
    with refused("limit_exceeded", limit="draft_bytes"):
        big = {"values": {"name": "x" * 64 * 1024}}
        await stage.call("renderer.saveDraft", interaction_id=asked, draft=big)
    assert (await stage.item(asked))["draft"] == {"values": {}}


@requirement("R5-drafts", "R6-killed-anywhere", "A11")
async def test_a_draft_survives_reload_and_restart(own: Sidecar, open_stage: OpenStage) -> None:
    stage = await open_stage(own)
    _, asked = await stage.ask("input", FORM)
    draft = {"values": {"name": "half"}}
    await stage.call("renderer.saveDraft", interaction_id=asked, draft=draft)
    await begin(own)
    assert (await stage.item(asked))["draft"] == draft
    await restart(own)
    assert (await stage.item(asked))["draft"] == draft
    assert (await stage.open())["interactions"][0]["draft"] == draft
