"""Who may invoke what, and what becomes of an invoke or a message that is refused (RULES 1 and 2)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.scenarios.stage import Stage

requirement = pytest.mark.requirement


async def status(stage: Stage, call_id: str) -> str | None:
    """The status of a call as long as it is open."""
    calls = (await stage.open())["tool_calls"]
    return next((call["status"] for call in calls if call["call_id"] == call_id), None)


# -- who may, and what is refused


@requirement("R2-permissions", "R8-reasons")
@pytest.mark.parametrize("name", ["forbidden", "undeclared"])
async def test_a_tool_needs_its_permissions(stage: Stage, name: str) -> None:
    assert await stage.reject(f"probe.{name}") == "capability_denied"
    assert await stage.instance("probe") is None


@requirement("R2-permissions")
async def test_permissions_that_are_declared_and_not_denied_are_enough(stage: Stage) -> None:
    await stage.invoke("probe.permitted")
    assert await stage.stack() == ["chat", "probe"]


@requirement("R2-refused", "R1-refused-reaches-nobody", "R1-refused-is-audited", "R2-rejected-is-final", "A4", "A5")
@pytest.mark.parametrize(
    ("tool_id", "given", "more", "code"),
    [
        ("probe.launch", {"n": 1}, {"revision": "inv_0000000000000000"}, "inventory_revision_mismatch"),
        ("probe.nothing", {"n": 1}, {}, "tool_not_advertised"),
        ("future.launch", {"n": 1}, {}, "tool_not_advertised"),
        ("probe.launch", {}, {}, "tool_input_invalid"),
        ("probe.launch", {"n": True}, {}, "tool_input_invalid"),
        ("probe.launch", {"n": "1"}, {}, "tool_input_invalid"),
        ("probe.launch", {"n": 1, "extra": 1}, {}, "tool_input_invalid"),
        ("probe.launch", {"n": 1, "tags": [""]}, {}, "tool_input_invalid"),
        ("probe.launch", {"n": 1}, {"app_scope": "mute"}, "app_scope_mismatch"),
        ("probe.launch", {"n": 1}, {"app_session_id": "s"}, "app_session_invalid"),
        ("probe.forbidden", {"n": 1}, {}, "capability_denied"),
        ("mute.work", {"n": 1}, {}, "app_instance_not_found"),
        ("probe.launch", {"n": 1}, {"instance_id": "nobody"}, "app_instance_not_found"),
        ("interaction.confirm", {"title": "", "prompt": "p"}, {}, "tool_input_invalid"),
    ],
)
async def test_a_refused_invoke_is_told_and_recorded_and_reaches_nobody(
    stage: Stage, tool_id: str, given: dict[str, Any], more: dict[str, Any], code: str
) -> None:
    app, _ = await stage.launch()
    await app.subscribe()
    before = await stage.open()
    await stage.forget()
    assert await stage.reject(tool_id, given, call_id="refused", **more) == code
    after = await stage.open()
    assert after == before
    assert await stage.items() == []
    [told] = await stage.sent("tool.rejected", "refused")
    assert (told["code"], told["inventory_revision"]) == (code, await stage.revision())
    assert ("tool" in told) == (code == "inventory_revision_mismatch")
    assert {one.method for one in stage.news} <= {"transport.send"}
    assert [one["code"] for one in await stage.audit() if one["subject"] == "refused"][-1] == code
    assert await stage.reject("probe.launch", call_id="refused") == "call_already_final"
    assert len(await stage.sent("tool.rejected", "refused")) == 1


@requirement("A4")
async def test_a_stale_revision_comes_with_the_tool_as_it_is_now(stage: Stage) -> None:
    stale = "inv_0000000000000000"
    assert await stage.reject("probe.launch", call_id="known", revision=stale) == "inventory_revision_mismatch"
    assert await stage.reject("probe.gone", call_id="gone", revision=stale) == "inventory_revision_mismatch"
    [known], [gone] = await stage.sent("tool.rejected", "known"), await stage.sent("tool.rejected", "gone")
    assert known["tool"] == stage.agent.tools["probe.launch"]
    assert gone["tool"] is None


@requirement("R2-message-refusals")
async def test_a_message_needs_an_instance_that_wants_it(stage: Stage) -> None:
    assert (await stage.say("x", "no-such-app"))["code"] == "app_scope_mismatch"
    assert (await stage.say("x", "probe"))["code"] == "app_instance_not_found"
    assert (await stage.say("x", "mute"))["code"] == "permission_denied"
    await stage.invoke("mute.launch")
    assert (await stage.say("x", "mute"))["code"] == "permission_denied"
    assert (await stage.say("x", "future"))["code"] == "app_instance_not_found"
    app = await stage.mount("mute")
    assert await app.messages() == []
    assert await stage.sent("tool.rejected") == []


@requirement("R2-envelope-names")
async def test_what_an_envelope_names_must_be_the_calls_own(stage: Stage) -> None:
    app, _ = await stage.launch()
    other, _ = await stage.launch("probe-two")
    assert await stage.reject("probe.work", instance_id=other.instance_id) == "app_instance_not_found"
    assert await stage.reject("probe.work", app_scope="probe-two") == "app_scope_mismatch"
    assert await stage.reject("probe.work", app_scope="no-such-app") == "app_scope_mismatch"
    await stage.invoke("probe.work", app_scope="probe", instance_id=app.instance_id)
    assert (await stage.say("x", "probe", instance_id=other.instance_id))["code"] == "app_instance_not_found"
    assert (await stage.say("x", "probe", instance_id=app.instance_id))["status"] == "accepted"


@requirement("R3-closed-is-final", "R2-envelope-names")
async def test_an_instance_that_has_closed_is_no_longer_named(stage: Stage) -> None:
    app, _ = await stage.launch()
    await app.close()
    assert await stage.reject("probe.launch", instance_id=app.instance_id) == "app_instance_not_found"
    await stage.invoke("probe.launch")
    assert await stage.reject("probe.work", instance_id=app.instance_id) == "app_instance_not_found"


@requirement("A3", "A1")
async def test_the_inventory_has_each_tool_whole(stage: Stage) -> None:
    tool = stage.agent.tools["probe.brief"]
    assert set(tool) == {
        "id",
        "version",
        "handling",
        "target",
        "input_schema",
        "output_schema",
        "permissions",
        "timeout_ms",
    }
    assert (tool["version"], tool["handling"], tool["timeout_ms"]) == (1, "launch", 60_000)
    assert tool["target"] == {"app_scope": "probe", "requires_foreground": False, "restore_previous_focus": True}
    assert "future.launch" not in stage.agent.tools
