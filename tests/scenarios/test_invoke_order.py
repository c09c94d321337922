"""The order in which an invoke is checked: of two faults at once the earlier one is the code (RULES 2)."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

from host_bridge.client import Sidecar
from tests.scenarios.conftest import OpenStage
from tests.scenarios.stage import CONFIRM, NOTICE, Stage

pytestmark = pytest.mark.requirement("R2-check-order")

ORDINARY = [
    "envelope_invalid",
    "call_already_final",
    "inventory_revision_mismatch",
    "tool_not_advertised",
    "app_disabled",
    "tool_input_invalid",
    "app_scope_mismatch",
    "app_session_invalid",
    "capability_denied",
    "app_instance_not_found",
    "limit_exceeded",
]
INTERACTIVE = [
    "envelope_invalid",
    "call_already_final",
    "inventory_revision_mismatch",
    "tool_input_invalid",
    "app_scope_mismatch",
    "app_session_invalid",
    "app_instance_not_found",
    "limit_exceeded",
]
STALE = "inv_0000000000000000"


def pairs(codes: list[str]) -> list[tuple[str, str]]:
    """Each pair, the earlier first; a Tool cannot be both unknown and switched off."""
    return [pair for pair in combinations(codes, 2) if pair != ("tool_not_advertised", "app_disabled")]


def spoil(whole: dict[str, Any], code: str) -> None:
    """Give an envelope the fault of that code; limits are the conversation's."""
    payload = whole["payload"]
    match code:
        case "envelope_invalid":
            whole["agent_id"] = "somebody-else"
        case "call_already_final":
            payload["call_id"] = "ended"
        case "inventory_revision_mismatch":
            payload["inventory_revision"] = STALE
        case "tool_input_invalid":
            payload["input"] = {"n": "one"}
        case "app_scope_mismatch":
            whole["app_scope"] = "mute"
        case "app_session_invalid":
            payload["app_session_context"] = {"app_session_id": "no-such-session"}
        case "capability_denied":
            payload["tool_id"] = "probe.forbidden"
        case "app_instance_not_found":
            whole["instance_id"] = "no-such-instance"


def spoil_tool(whole: dict[str, Any], code: str) -> None:
    """Name a Tool that nobody has, or one of the app that is switched off; its other faults stay."""
    payload = whole["payload"]
    if code == "tool_not_advertised":
        payload["tool_id"] = "probe.nothing"
    if code == "app_disabled":
        payload["tool_id"] = payload["tool_id"].replace("probe.", "probe-three.")


async def code_of(stage: Stage, tool_id: str, given: dict[str, Any], faults: tuple[str, ...]) -> str | None:
    """What an invoke with these faults is refused with."""
    payload = {"call_id": f"call {faults}", "tool_id": tool_id, "inventory_revision": await stage.revision()}
    whole: dict[str, Any] = {"type": "lineup.v1.tool.invoke", "message_id": f"message {faults}", "payload": payload}
    payload["input"] = given
    for code in faults:
        spoil(whole, code)
    for code in faults:
        spoil_tool(whole, code)
    answer = await stage.call("transport.deliver", peer=stage.agent.peer, envelope=whole)
    code: str | None = answer["code"]
    return code


async def end_one(stage: Stage) -> None:
    """Let the call ``ended`` have ended."""
    app, _ = await stage.launch()
    await app.complete(await stage.invoke("probe.work", call_id="ended"))


@pytest.fixture
async def switched_off(shared: Sidecar) -> None:
    """The third probe is switched off in this file."""
    await shared.call("miniapp.setEnabled", app_scope="probe-three", enabled=False)


@pytest.fixture
async def roomy(stage: Stage, switched_off: None) -> Stage:
    """A conversation in which nothing is at its bound."""
    await stage.settle()
    await end_one(stage)
    return stage


@pytest.mark.parametrize("faults", [pair for pair in pairs(ORDINARY) if "limit_exceeded" not in pair], ids=" ".join)
async def test_the_earlier_of_two_faults_is_the_code(roomy: Stage, faults: tuple[str, str]) -> None:
    assert await code_of(roomy, "probe.work", {"n": 1}, faults) == faults[0]


async def test_the_bound_is_looked_at_last(stage: Stage, switched_off: None) -> None:
    await stage.settle()
    await end_one(stage)
    await stage.invoke_many("probe.work", [{"n": n} for n in range(99)])
    assert await code_of(stage, "probe.work", {"n": 1}, ()) == "limit_exceeded"
    for code in ORDINARY[:-1]:
        assert await code_of(stage, "probe.work", {"n": 1}, (code, "limit_exceeded")) == code


@pytest.mark.parametrize("faults", [pair for pair in pairs(INTERACTIVE) if "limit_exceeded" not in pair], ids=" ".join)
async def test_a_question_is_checked_in_the_same_order(roomy: Stage, faults: tuple[str, str]) -> None:
    assert await code_of(roomy, "interaction.confirm", CONFIRM, faults) == faults[0]


async def test_the_bound_of_questions_is_looked_at_last(stage: Stage) -> None:
    await end_one(stage)
    await stage.invoke_many("interaction.confirm", [CONFIRM] * 50)
    assert await code_of(stage, "interaction.confirm", CONFIRM, ()) == "limit_exceeded"
    for code in INTERACTIVE[:-1]:
        assert await code_of(stage, "interaction.confirm", CONFIRM, (code, "limit_exceeded")) == code


async def test_a_conflict_comes_before_a_stale_revision(stage: Stage) -> None:
    call_id = await stage.invoke("probe.launch")
    assert await stage.reject("probe.launch", {"n": 2}, call_id=call_id, revision=STALE) == "call_id_conflict"


async def test_the_same_again_is_a_duplicate_whatever_its_revision(stage: Stage) -> None:
    payload = {"call_id": "c", "tool_id": "probe.launch", "inventory_revision": await stage.revision()}
    first = await stage.deliver("tool.invoke", {**payload, "input": {"n": 1}})
    again = await stage.deliver("tool.invoke", {**payload, "input": {"n": 1}, "inventory_revision": STALE})
    assert (first["status"], again["status"]) == ("accepted", "duplicate")


async def test_a_missing_renderer_comes_after_the_question_and_before_the_bound(
    own: Sidecar, open_stage: OpenStage
) -> None:
    await own.initialize(renderers=["modal"], host_run=["chat"])
    stage = await open_stage(own)
    assert await stage.reject("interaction.notice", {**NOTICE, "title": ""}) == "tool_input_invalid"
    assert await stage.reject("interaction.notice", NOTICE, app_session_id="x") == "app_session_invalid"
    assert await stage.reject("interaction.notice", NOTICE) == "renderer_unavailable"
