"""Capabilities: manifest, policy, user, provider, and every way to a no (RULES 8)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from host_bridge.client import Sidecar
from host_bridge.pytest_plugin import StartSidecar
from rpc_schema.limits import MAX_CAPABILITY_ARGUMENTS, MAX_CAPABILITY_REQUESTS
from tests.scenarios.conftest import OpenStage
from tests.scenarios.stage import MINUTE, App, Stage, begin, refused, restart

requirement = pytest.mark.requirement


async def outcome(app: App, request_id: str) -> dict[str, Any]:
    """What the app's Inbox says of a request."""
    payloads = [one["payload"] for one in await app.messages("capability.resolved")]
    [told] = [one for one in payloads if one["request_id"] == request_id]
    return told


async def policy_item(stage: Stage) -> dict[str, Any]:
    """The one question of the policy."""
    [item] = [one for one in await stage.items() if one["record"]["owner"]["source"] == "runtime_policy"]
    return item


@requirement("R8-chain", "R8-default-deny", "R8-reasons", "R8-nothing-handed-out", "R1-refused-is-audited")
@pytest.mark.parametrize(
    ("capability", "reason"),
    [
        ("probe.undeclared", "not_declared"),
        ("network.fetch", "not_declared"),
        ("fs.read", "not_declared"),
        ("clipboard.write", "not_declared"),
        ("microphone", "not_declared"),
        ("camera", "not_declared"),
        ("host.dom", "not_declared"),
        ("tauri.invoke", "not_declared"),
        ("rpc.raw", "not_declared"),
        ("probe.denied", "policy"),
        ("probe.orphan", "host_unsupported"),
    ],
)
async def test_a_no_says_who_said_it(stage: Stage, capability: str, reason: str) -> None:
    app = await stage.start()
    await stage.forget()
    with refused("capability_denied", capability=capability, reason=reason):
        await app.want(capability)
    assert stage.news == []
    assert await stage.items() == []
    assert await app.messages() == []
    [entry] = (await stage.audit())[-1:]
    assert (entry["code"], entry["detail"]["reason"]) == ("capability_denied", reason)


@requirement("R8-chain")
async def test_what_is_allowed_goes_to_the_provider_at_once(stage: Stage) -> None:
    app = await stage.start()
    request_id = await app.want("probe.allowed", reason="to show", arguments={"deep": [1, {"x": None}]})
    request = {
        "request_id": request_id,
        "instance_id": app.instance_id,
        "app_scope": "probe",
        "capability": "probe.allowed",
        "reason": "to show",
        "arguments": {"deep": [1, {"x": None}]},
    }
    assert await stage.heard("capability.requested") == [request]
    assert (await stage.open())["capability_requests"] == [request]
    assert await stage.items() == []
    await stage.call("capability.resolve", request_id=request_id, outcome="granted", result={"y": 2}, message="done")
    told = {"request_id": request_id, "outcome": "granted", "result": {"y": 2}, "reason": None, "message": "done"}
    assert await outcome(app, request_id) == told
    assert (await stage.open())["capability_requests"] == []
    for again in ("granted", "denied", "failed"):
        with refused("capability_request_not_found"):
            await stage.call("capability.resolve", request_id=request_id, outcome=again)
    with refused("capability_request_not_found"):
        await stage.call("capability.resolve", request_id="nothing", outcome="granted")


@requirement("R8-chain", "R8-reasons")
@pytest.mark.parametrize(("outcome_", "reason"), [("denied", "host_denied"), ("failed", "host_failed")])
async def test_the_provider_may_say_no(stage: Stage, outcome_: str, reason: str) -> None:
    app = await stage.start()
    request_id = await app.want("probe.allowed")
    await stage.call("capability.resolve", request_id=request_id, outcome=outcome_, message="out of paper")
    told = await outcome(app, request_id)
    assert told == {
        "request_id": request_id,
        "outcome": outcome_,
        "result": None,
        "reason": reason,
        "message": "out of paper",
    }


@requirement("R8-chain", "R5-policys-question", "R5-place-policys", "R5-app-is-named", "R5-focus-stays")
async def test_where_the_policy_asks_the_user_decides(stage: Stage) -> None:
    app = await stage.start()
    interact = await stage.mount("chat")
    await interact.sdk("renderer.subscribe")
    await app.sdk("ui.subscribe")
    request_id = await app.want("probe.asked", reason="“Trust me”, says the app")
    item = await policy_item(stage)
    owner, record = item["record"]["owner"], item["record"]
    assert (owner["app_scope"], owner["instance_id"]) == ("probe", app.instance_id)
    assert (record["kind"], record["call_id"], record["status"]) == ("confirm", None, "pending")
    assert "probe" in record["request"]["title"]
    assert "probe.asked" in record["request"]["title"]
    assert "“Trust me”, says the app" in record["request"]["prompt"]
    assert "Trust me" not in record["request"]["title"]
    assert item["placement"] == {
        "provider": "runtime",
        "mode": "modal",
        "instance_id": None,
        "overlay_instance_id": None,
    }
    assert await stage.stack() == ["chat", "probe"]
    assert await stage.heard("capability.requested") == []
    assert (await stage.open())["capability_requests"] == []
    asked = record["interaction_id"]
    assert (await app.sdk("ui.get", interaction_id=asked))["record"] is None
    with refused("interaction_not_found"):
        await app.sdk("ui.cancel", interaction_id=asked)
    assert await stage.answer(asked, {"approved": True}) == "submitted"
    assert [one["request_id"] for one in await stage.heard("capability.requested")] == [request_id]
    await stage.call("capability.resolve", request_id=request_id, outcome="granted")
    assert (await outcome(app, request_id))["outcome"] == "granted"
    assert await app.heard("sdk.ui.record") == []
    assert await interact.heard("sdk.renderer.record") == []
    assert await stage.sent("tool.result") == []


@requirement("R5-policys-question", "R5-place-policys")
async def test_the_policys_question_shows_over_whatever_is_in_front(stage: Stage) -> None:
    app = await stage.start()
    await stage.start("probe-two")
    await app.want("probe.asked")
    assert (await policy_item(stage))["placement"]["mode"] == "modal"


@requirement("R8-reasons", "R5-policys-question")
@pytest.mark.parametrize(
    ("ending", "expected"),
    [
        ("declined", ("denied", "user_denied")),
        ("dismissed", ("denied", "user_denied")),
        ("expired unseen", ("failed", "never_presented")),
        ("expired", ("failed", "no_answer")),
    ],
)
async def test_a_user_who_does_not_agree_denies_it(stage: Stage, ending: str, expected: tuple[str, str]) -> None:
    app = await stage.start()
    request_id = await app.want("probe.asked")
    asked = (await policy_item(stage))["record"]["interaction_id"]
    match ending:
        case "declined":
            await stage.answer(asked, {"approved": False})
        case "dismissed":
            await stage.call("renderer.cancel", interaction_id=asked)
        case "expired unseen":
            await stage.advance(15 * MINUTE)
        case "expired":
            await stage.call("renderer.presented", interaction_id=asked)
            await stage.advance(15 * MINUTE)
    told = await outcome(app, request_id)
    assert (told["outcome"], told["reason"]) == expected
    assert await stage.heard("capability.requested", request_id=request_id) == []
    with refused("capability_request_not_found"):
        await stage.call("capability.resolve", request_id=request_id, outcome="granted")


@requirement("R8-provider-time")
@pytest.mark.parametrize("asked", [True, False])
async def test_a_provider_has_15_minutes(stage: Stage, asked: bool) -> None:
    app = await stage.start()
    request_id = await app.want("probe.asked" if asked else "probe.allowed")
    if asked:
        await stage.advance(14 * MINUTE)
        await stage.answer((await policy_item(stage))["record"]["interaction_id"], {"approved": True})
    await stage.advance(15 * MINUTE - 1_000)
    assert await app.messages() == []
    await stage.advance(1_000)
    told = await outcome(app, request_id)
    assert (told["outcome"], told["reason"]) == ("failed", "timeout")
    with refused("capability_request_not_found"):
        await stage.call("capability.resolve", request_id=request_id, outcome="granted")


async def test_requests_of_an_instance_and_their_size_are_bounded(stage: Stage) -> None:
    app, other = await stage.start(), await stage.start("probe-two")
    with refused("limit_exceeded", limit="capability_arguments_bytes"):
        await app.want("probe.allowed", arguments={"x": "x" * MAX_CAPABILITY_ARGUMENTS})
    wanted = [await app.want("probe.allowed") for _ in range(MAX_CAPABILITY_REQUESTS)]
    with refused("limit_exceeded", limit="capability_requests"):
        await app.want("probe.allowed")
    await other.want("probe.allowed")
    await stage.call("capability.resolve", request_id=wanted[0], outcome="denied")
    await app.want("probe.allowed")


@requirement("A11", "R3-nothing-in-memory")
async def test_a_request_survives_reload_and_restart(own: Sidecar, open_stage: OpenStage) -> None:
    stage = await open_stage(own)
    app = await stage.start()
    provided = await app.want("probe.allowed")
    asked = await app.want("probe.asked")
    before = (await stage.open())["capability_requests"]
    for anew in (begin, restart):
        await anew(own)
        assert (await stage.open())["capability_requests"] == before
        assert (await policy_item(stage))["record"]["status"] == "pending"
    await app.mount()
    await stage.call("capability.resolve", request_id=provided, outcome="granted")
    await stage.answer((await policy_item(stage))["record"]["interaction_id"], {"approved": True})
    await stage.call("capability.resolve", request_id=asked, outcome="granted")
    assert [(await outcome(app, one))["outcome"] for one in (provided, asked)] == ["granted", "granted"]


@requirement("R8-provider-time", "R6-expire-at-start")
async def test_a_provider_that_was_away_too_long_has_failed(own: Sidecar, open_stage: OpenStage) -> None:
    stage = await open_stage(own)
    app = await stage.start()
    request_id = await app.want("probe.allowed")
    await restart(own, ahead_ms=16 * MINUTE)
    assert (await stage.open())["capability_requests"] == []
    await app.mount()
    assert (await outcome(app, request_id))["reason"] == "timeout"


@requirement("R8-chain", "R8-reasons")
async def test_a_host_that_has_lost_its_provider_is_not_asked(own: Sidecar, open_stage: OpenStage) -> None:
    stage = await open_stage(own)
    app = await stage.start()
    request_id = await app.want("probe.asked")
    asked = (await policy_item(stage))["record"]["interaction_id"]
    await begin(own, capability_providers=[])
    await stage.answer(asked, {"approved": True})
    await app.mount()
    told = await outcome(app, request_id)
    assert (told["outcome"], told["reason"]) == ("denied", "host_unsupported")
    assert await stage.heard("capability.requested") == []


@requirement("R8-default-deny")
@pytest.mark.parametrize("policy", [{}, {"probe.allowed": "deny"}, {"*": "allow"}])
async def test_what_the_policy_does_not_allow_is_denied(
    lineup_start: StartSidecar, open_stage: OpenStage, tmp_path: Path, policy: dict[str, str]
) -> None:
    stricter = tmp_path / "stricter.json"
    stricter.write_text(json.dumps({"capabilities": policy}))
    sidecar = await lineup_start("--policy", str(stricter))
    await begin(sidecar)
    stage = await open_stage(sidecar)
    app = await stage.start()
    for capability in ("probe.allowed", "probe.asked"):
        with refused("capability_denied", reason="policy"):
            await app.want(capability)
    assert (stage.agent.inventory or {})["capabilities"] == []
    await sidecar.kill()
