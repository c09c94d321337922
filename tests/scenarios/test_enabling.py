"""An app that is switched off: what is refused, what still works, and what comes when it is on again (RULES 3)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest

from host_bridge.client import Sidecar
from tests.scenarios.conftest import OpenStage
from tests.scenarios.stage import CONFIRM, MINUTE, App, Stage, refused, restart

requirement = pytest.mark.requirement

Switch = Callable[[bool], Awaitable[None]]


@pytest.fixture
async def switch(shared: Sidecar) -> AsyncIterator[Switch]:
    """Switch the probe on or off; it is on again at the end."""

    async def set_enabled(enabled: bool) -> None:
        await shared.call("miniapp.setEnabled", app_scope="probe", enabled=enabled)
        await shared.call("ping")

    yield set_enabled
    await set_enabled(True)


@requirement("R3-disabled-keeps")
async def test_its_instances_stay_where_they_are(stage: Stage, switch: Switch) -> None:
    app, call_id = await stage.launch()
    surface_id = await app.open_surface()
    before = await stage.open()
    await switch(False)
    assert await stage.open() == before
    assert (await app.get_call(call_id))["status"] == "running"
    assert await app.state() == "foreground"
    await app.sdk("surfaces.update", surface_id=surface_id, patch={"a": 1})
    assert (await app.sdk("surfaces.get", surface_id=surface_id))["state"] == {"a": 1}


@requirement("R3-disabled-refuses", "A5")
@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("tools.complete", {"result": {"ok": True}}),
        ("tools.fail", {"failure": {"code": "c", "message": "m"}}),
        ("tools.cancel", {}),
        ("tools.reportProgress", {"progress": {"percent": 1}}),
        ("ui.request", {"request": {"kind": "confirm", **CONFIRM}}),
        ("surfaces.requestOpen", {"request": {"key": "new", "title": "t"}}),
        ("surfaces.requestOpen", {"request": {"key": "known", "title": "t"}}),
        ("capabilities.request", {"capability": "probe.allowed", "reason": "r", "arguments": {}}),
        ("capabilities.request", {"capability": "probe.denied", "reason": "r", "arguments": {}}),
    ],
)
async def test_what_it_writes_is_refused(stage: Stage, switch: Switch, method: str, params: dict[str, Any]) -> None:
    app, call_id = await stage.launch()
    await app.open_surface("known")
    named = {"call_id": call_id} if method.startswith("tools.") else {}
    await switch(False)
    await stage.forget()
    with refused("app_disabled"):
        await app.sdk(method, **named, **params)
    await stage.settle()
    assert stage.news == []
    assert [one["code"] for one in await stage.audit()][-1] == "app_disabled"


@requirement("R3-disabled-refuses", "R2-disabled-code")
async def test_nobody_gets_through_to_it(stage: Stage, switch: Switch) -> None:
    await stage.launch()
    await switch(False)
    assert "probe.work" not in stage.agent.tools
    for name in ("direct", "launch", "raise", "work"):
        assert await stage.reject(f"probe.{name}", call_id=name) == "app_disabled"
        assert [one["code"] for one in await stage.sent("tool.rejected", name)] == ["app_disabled"]
    assert await stage.reject("probe.nothing") == "tool_not_advertised"
    assert (await stage.say("hello"))["code"] == "app_disabled"
    with refused("app_disabled"):
        await stage.call("miniapp.open", conversation_id=stage.conversation_id, app_scope="probe")


@requirement("R3-disabled-refuses")
async def test_no_instance_of_it_is_made(stage: Stage, switch: Switch) -> None:
    await switch(False)
    assert await stage.reject("probe.launch") == "app_disabled"
    with refused("app_disabled"):
        await stage.call("miniapp.open", conversation_id=stage.conversation_id, app_scope="probe")
    assert await stage.stack() == ["chat"]


@requirement("R3-disabled-allows")
async def test_the_hosts_focus_unmount_mount_and_close_still_work(stage: Stage, switch: Switch) -> None:
    app, call_id = await stage.launch()
    await stage.start("probe-two")
    await switch(False)
    await app.foreground()
    assert await stage.stack() == ["chat", "probe-two", "probe"]
    await app.background()
    assert await stage.stack() == ["chat", "probe", "probe-two"]
    await app.unmount()
    await app.mount()
    await app.close()
    assert await stage.stack() == ["chat", "probe-two"]
    assert (await stage.result(call_id) or {})["reason"] == "app_closed"


@requirement("R3-disabled-allows")
async def test_the_agents_cancel_and_the_clock_still_work(stage: Stage, switch: Switch) -> None:
    app, call_id = await stage.launch()
    brief = await stage.invoke("probe.brief")
    await switch(False)
    assert (await stage.agent.cancel(call_id))["outcome"] == "cancelled"
    await stage.advance(MINUTE)
    assert (await stage.result(brief) or {})["reason"] == "timeout"
    assert (await app.get_call(call_id))["status"] == "cancelled"


@requirement("R3-disabled-allows")
async def test_it_may_still_look_and_go(stage: Stage, switch: Switch) -> None:
    app, call_id = await stage.launch()
    asked = await app.ask()
    await switch(False)
    assert (await app.record(asked))["status"] == "pending"
    await app.sdk("ui.cancel", interaction_id=asked)
    await app.sdk("lifecycle.requestBackground")
    await app.sdk("lifecycle.requestClose")
    assert (await stage.result(call_id) or {})["reason"] == "app_closed"


@requirement("R3-disabled-keeps", "R3-enabled-delivers", "R3-nothing-in-memory")
async def test_calls_that_waited_come_when_it_is_on_again(stage: Stage, switch: Switch) -> None:
    app, _ = await stage.launch()
    await app.sdk("tools.unsubscribe")
    waiting = [await stage.invoke("probe.work", {"n": n}) for n in range(3)]
    await switch(False)
    assert await app.take_calls() == []
    assert await app.heard("sdk.tools.call") == []
    await switch(True)
    assert [one["call"]["call_id"] for one in await app.heard("sdk.tools.call")] == waiting
    for call_id in waiting:
        await app.complete(call_id)


@requirement("R3-disabled-keeps", "R3-enabled-delivers", "R2-redelivery")
async def test_calls_that_were_taken_back_come_again(stage: Stage, switch: Switch) -> None:
    app, call_id = await stage.launch()
    await switch(False)
    await app.unmount()
    await app.mount()
    assert await app.take_calls() == []
    await switch(True)
    [news] = await app.heard("sdk.tools.call")
    assert (news["call"]["call_id"], news["call"]["redelivered"]) == (call_id, True)


@requirement("R3-disabled-keeps", "R3-enabled-delivers")
async def test_messages_that_waited_come_when_it_is_on_again(stage: Stage, switch: Switch) -> None:
    app = await stage.start()
    surface_id = await app.open_surface()
    view = (await stage.call("surface.attach", surface_id=surface_id))["surface_token"]
    await app.subscribe()
    await switch(False)
    await stage.call("sdk.surfaces.emit", context_token=view, surface_id=surface_id, event="clicked")
    assert await app.messages() == []
    assert (await app.sdk("inbox.subscribe"))["messages"] == []
    assert await app.heard("sdk.inbox.message") == []
    await switch(True)
    [news] = await app.heard("sdk.inbox.message")
    assert news["message"]["payload"]["event"] == "clicked"
    assert [news["message"]] == await app.messages()


@requirement("R3-disabled-keeps", "R3-enabled-delivers", "R5-completed")
@pytest.mark.parametrize("ending", ["answer", "cancel", "expire"])
async def test_endings_of_its_questions_come_when_it_is_on_again(stage: Stage, switch: Switch, ending: str) -> None:
    app = await stage.start()
    asked = await app.ask("confirm", {**CONFIRM, "expires_in_ms": MINUTE})
    await app.subscribe()
    await switch(False)
    match ending:
        case "answer":
            await stage.answer(asked, {"approved": True})
        case "cancel":
            await stage.call("renderer.cancel", interaction_id=asked)
        case "expire":
            await stage.advance(MINUTE)
    assert await app.heard("sdk.ui.record") == []
    await switch(True)
    [news] = await app.heard("sdk.ui.record")
    assert news["record"] == await app.record(asked)
    final = {"answer": "completed", "cancel": "cancelled", "expire": "expired"}
    assert news["record"]["status"] == final[ending]


@requirement("R3-disabled-keeps")
async def test_a_subscription_made_while_it_is_off_delivers_no_answer_yet(stage: Stage, switch: Switch) -> None:
    app = await stage.start()
    asked = await app.ask()
    await switch(False)
    await stage.answer(asked, {"approved": True})
    assert (await app.sdk("ui.subscribe"))["records"] == []
    await switch(True)
    [news] = await app.heard("sdk.ui.record")
    assert (news["record"]["status"], news["record"]["result"]) == ("completed", {"approved": True})


@requirement("R3-disabled-capabilities")
async def test_its_open_capability_requests_end_denied(stage: Stage, switch: Switch) -> None:
    app = await stage.start()
    wanted = [await app.want("probe.allowed"), await app.want("probe.asked")]
    [item] = await stage.items()
    await switch(False)
    assert await stage.items() == []
    assert await app.messages() == []
    with refused("capability_request_not_found"):
        await stage.call("capability.resolve", request_id=wanted[0], outcome="granted")
    with refused("interaction_already_final"):
        await stage.answer(item["record"]["interaction_id"], {"approved": True})
    await switch(True)
    payloads = [one["payload"] for one in await app.messages("capability.resolved")]
    assert [(one["request_id"], one["outcome"], one["reason"]) for one in payloads] == [
        (wanted[0], "denied", "policy"),
        (wanted[1], "denied", "policy"),
    ]
    assert (await stage.open())["capability_requests"] == []


async def test_nobody_may_switch_interact_or_nothing(stage: Stage) -> None:
    for enabled in (True, False):
        with refused("lifecycle_denied"):
            await stage.call("miniapp.setEnabled", app_scope="chat", enabled=enabled)
    with refused("app_instance_not_found"):
        await stage.call("miniapp.setEnabled", app_scope="nothing", enabled=False)


@requirement("R3-disabled-keeps", "R6-killed-anywhere")
async def test_it_stays_off_after_a_crash_and_delivers_what_waited_when_it_is_on(
    own: Sidecar, open_stage: OpenStage
) -> None:
    stage = await open_stage(own)
    call_id = await stage.invoke("probe.launch")
    await own.call("miniapp.setEnabled", app_scope="probe", enabled=False)
    await stage.settle()
    revision = await stage.revision()
    session = await restart(own)
    assert session["inventory_revision"] == revision
    listed = {one["manifest"]["app_scope"]: one["enabled"] for one in (await own.call("miniapp.list"))["miniapps"]}
    assert (listed["probe"], listed["probe-two"]) == (False, True)
    app: App = await stage.mount("probe")
    assert await app.take_calls() == []
    await own.call("miniapp.setEnabled", app_scope="probe", enabled=True)
    assert [one["call"]["call_id"] for one in await app.heard("sdk.tools.call")] == [call_id]
