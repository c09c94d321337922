"""The headless Host against a peer that plays a Runtime: it follows, notices gaps and reads again what it missed."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import anyio
import pytest

from host_bridge.client import Sidecar
from host_bridge.errors import CapabilityDeniedError
from host_bridge.headless import HeadlessHost
from host_bridge.host_run import HostRunApp

NOW = "2026-01-01T00:00:00.000Z"
INSTANCE = {
    "instance_id": "probe-1",
    "app_scope": "probe",
    "app_version": "1.0.0",
    "conversation_id": "conv-1",
    "state": "foreground",
    "run_by": "host",
    "mounted": False,
    "app_session_id": "session-1",
}
SURFACE = {
    "surface_id": "surface-1",
    "instance_id": "probe-1",
    "key": "main",
    "title": "Probe",
    "container": "sandboxed-iframe",
    "status": "open",
    "revision": 3,
}
WORKSPACE = {"foreground": "probe-1", "focus_stack": ["probe-1"], "instances": [INSTANCE]}
SNAPSHOT = {
    "conversation_id": "conv-1",
    "agent_id": "agent-1",
    "revision": 5,
    **WORKSPACE,
    "surfaces": [SURFACE],
    "interactions": [],
    "tool_calls": [],
    "capability_requests": [],
}
CONTEXT = {
    "app_scope": "probe",
    "instance_id": "probe-1",
    "conversation_id": "conv-1",
    "app_version": "1.0.0",
    "state": "foreground",
    "mode": None,
}
ATTACHED = {
    "surface_id": "surface-1",
    "instance_id": "probe-1",
    "container": "sandboxed-iframe",
    "title": "Probe",
    "revision": 3,
    "state": {"n": 3},
    "surface_token": "view-token",
    "document": None,
}
ANSWERS = {
    "workspace.open": SNAPSHOT,
    "miniapp.mount": {"context": CONTEXT, "context_token": "app-token", "surfaces": [SURFACE]},
    "miniapp.unmount": {},
    "surface.attach": ATTACHED,
    "sdk.surfaces.get": {"surface_id": "surface-1", "revision": 9, "state": {"n": 9}},
    "renderer.presented": {"status": "presented"},
    "renderer.submit": {"status": "submitted"},
    "capability.resolve": {},
}


def question(mode: str = "im-card", status: str = "pending") -> dict[str, Any]:
    owner = {
        "app_scope": "chat",
        "instance_id": "chat-1",
        "conversation_id": "conv-1",
        "source": "agent_tool",
        "app_session_id": None,
        "parent_call_id": None,
        "surface_id": None,
    }
    record = {
        "interaction_id": "question-1",
        "kind": "confirm",
        "request": {"kind": "confirm", "title": "t", "prompt": "p"},
        "status": status,
        "result": None,
        "reason": None,
        "created_at": NOW,
        "updated_at": NOW,
        "expires_at": NOW,
        "parent_call_id": None,
        "owner": owner,
        "call_id": "call-1",
    }
    placement = {"provider": "interact", "mode": mode, "instance_id": "chat-1", "overlay_instance_id": None}
    return {"record": record, "placement": placement, "draft": None}


def capability(name: str) -> dict[str, Any]:
    return {
        "request_id": f"request-{name}",
        "instance_id": "probe-1",
        "app_scope": "probe",
        "capability": name,
        "reason": "please",
        "arguments": {"x": 1},
    }


async def say(host: HeadlessHost, *notifications: tuple[str, dict[str, Any]]) -> None:
    await host.sidecar.request("peer.say", {"notifications": notifications})
    await host.settle()


async def heard(host: HeadlessHost, method: str) -> list[dict[str, Any]]:
    return [params for _, params in await host.sidecar.request("peer.heard", {"method": method})]


def patched(revision: int, patch: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    return "surface.patched", {"surface_id": "surface-1", "revision": revision, "patch": patch, "by": "app"}


StartHost = Callable[..., Any]


@pytest.fixture
def start_host(start_peer: Callable[..., Awaitable[Sidecar]]) -> StartHost:
    @asynccontextmanager
    async def start(
        answers: dict[str, Any] | None = None, refusals: dict[str, str] | None = None, **options: Any
    ) -> AsyncIterator[HeadlessHost]:
        scripted = ("--answers", json.dumps(ANSWERS | (answers or {})), "--refusals", json.dumps(refusals or {}))
        async with HeadlessHost(await start_peer(*scripted), **options) as host:
            await host.initialize()
            await host.open("conv-1", "agent-1")
            yield host

    return start


@pytest.fixture
async def host(start_host: StartHost) -> AsyncIterator[HeadlessHost]:
    async with start_host(host_run=["probe"]) as host:
        yield host
        assert not host.sidecar.faults


async def test_opening_mounts_what_lives_and_attaches_what_is_open(host: HeadlessHost) -> None:
    assert host.screen.workspaces["conv-1"].foreground == "probe-1"
    assert host.screen.tokens == {"probe-1": "app-token"}
    surface = await host.surface("probe")
    assert (surface.key, surface.revision, surface.state) == ("main", 3, {"n": 3})
    assert (await heard(host, "initialize"))[0]["host_run"] == ["probe"]


async def test_the_next_patch_is_applied(host: HeadlessHost) -> None:
    await say(host, patched(4, {"m": 4}))
    assert (await host.surface("probe")).state == {"n": 3, "m": 4}
    assert await heard(host, "sdk.surfaces.get") == []


async def test_a_gap_in_the_revisions_is_read_again(host: HeadlessHost) -> None:
    await say(host, patched(9, {"m": 9}))
    surface = await host.surface("probe")
    assert (surface.revision, surface.state) == (9, {"n": 9})
    assert await heard(host, "sdk.surfaces.get") == [{"context_token": "view-token", "surface_id": "surface-1"}]


async def test_a_resync_reads_the_snapshots_again(host: HeadlessHost) -> None:
    await say(host, ("runtime.resync", {"reason": "output was full"}))
    assert len(await heard(host, "workspace.open")) == 2
    assert len(await heard(host, "miniapp.mount")) == 1


async def test_a_resync_reads_a_surface_again_whose_revision_differs(host: HeadlessHost) -> None:
    await say(host, patched(4, {"m": 4}), ("runtime.resync", {"reason": "output was full"}))
    assert (await host.surface("probe")).state == {"n": 9}


async def test_what_was_open_before_is_taken_up_from_the_snapshot(start_host: StartHost) -> None:
    provided = anyio.Event()

    async def provide(request: dict[str, Any]) -> None:
        provided.set()

    snapshot = {**SNAPSHOT, "interactions": [question()], "capability_requests": [capability("grant")]}
    async with start_host(answers={"workspace.open": snapshot}, providers={"grant": provide}) as host:
        assert list(host.screen.questions) == ["question-1"]
        assert len(await heard(host, "renderer.presented")) == 1
        with anyio.fail_after(5):
            await provided.wait()


async def test_a_failed_app_is_noted(host: HeadlessHost) -> None:
    failed = {"instance_id": "probe-1", "app_scope": "probe", "code": "app_crashed", "message": "three times"}
    await say(host, ("miniapp.failed", failed))
    assert host.screen.failures == [failed]


async def test_a_new_instance_is_mounted_and_a_gone_one_forgotten(host: HeadlessHost) -> None:
    other = {**INSTANCE, "instance_id": "other-1", "app_scope": "other"}
    changed = {"conversation_id": "conv-1", "revision": 6, **WORKSPACE, "instances": [INSTANCE, other]}
    await say(host, ("workspace.changed", changed))
    assert [one["instance_id"] for one in await heard(host, "miniapp.mount")] == ["probe-1", "other-1"]
    await say(host, ("workspace.changed", {**changed, "revision": 7, "instances": [other]}))
    assert list(host.screen.tokens) == ["other-1"]
    assert host.screen.surfaces == {}


async def test_what_was_unmounted_on_purpose_stays_so(host: HeadlessHost) -> None:
    await host.unmount("probe-1")
    await say(host, ("workspace.changed", {"conversation_id": "conv-1", "revision": 6, **WORKSPACE}))
    assert len(await heard(host, "miniapp.mount")) == 1
    assert await host.mount("probe-1") == "app-token"


async def test_a_restart_comes_back_to_every_conversation(host: HeadlessHost) -> None:
    await host.sidecar.kill()
    await host.sidecar.start()
    await host.initialize()
    assert [one["conversation_id"] for one in await heard(host, "workspace.open")] == ["conv-1"]
    assert len(await heard(host, "miniapp.mount")) == 1
    assert (await host.surface("probe")).state == {"n": 3}


async def test_a_closed_surface_leaves_the_screen(host: HeadlessHost) -> None:
    await say(host, ("surface.closed", {"surface_id": "surface-1", "reason": "app"}))
    assert host.screen.surfaces == {}


async def test_a_question_is_presented_and_taken_off_again(host: HeadlessHost) -> None:
    await say(host, ("renderer.present", {"item": question()}))
    assert (await host.question())["record"]["interaction_id"] == "question-1"
    assert await heard(host, "renderer.presented") == [{"interaction_id": "question-1"}]
    await say(host, ("renderer.retract", {"interaction_id": "question-1", "status": "expired", "reason": "no_answer"}))
    assert host.screen.questions == {}


async def test_a_deferred_question_is_not_presented_before_it_is_shown(host: HeadlessHost) -> None:
    await say(host, ("renderer.present", {"item": question("deferred")}))
    assert await heard(host, "renderer.presented") == []
    await say(host, ("renderer.present", {"item": question("modal")}))
    assert len(await heard(host, "renderer.presented")) == 1


async def test_a_question_that_is_presented_already_is_not_presented_again(host: HeadlessHost) -> None:
    await say(host, ("renderer.present", {"item": question(status="presented")}))
    assert await heard(host, "renderer.presented") == []


async def test_presenting_can_be_left_to_the_script(start_host: StartHost) -> None:
    async with start_host(present=False) as host:
        await say(host, ("renderer.present", {"item": question()}))
        assert await heard(host, "renderer.presented") == []


async def test_a_script_may_answer_each_question_once(start_host: StartHost) -> None:
    asked = []

    async def answer(item: dict[str, Any]) -> dict[str, Any]:
        asked.append(item["record"]["interaction_id"])
        return {"approved": True}

    async with start_host(answer=answer) as host:
        await say(host, *[("renderer.present", {"item": question()})] * 2)
        with anyio.fail_after(5):
            while not (submitted := await heard(host, "renderer.submit")):
                await anyio.wait_all_tasks_blocked()
    assert asked == ["question-1"]
    assert submitted == [{"interaction_id": "question-1", "result": {"approved": True}}]


async def test_providers_grant_deny_and_fail(start_host: StartHost) -> None:
    async def grant(request: dict[str, Any]) -> dict[str, Any]:
        return {"seen": request["arguments"]}

    async def grant_without_result(request: dict[str, Any]) -> None:
        return None

    async def deny(request: dict[str, Any]) -> dict[str, Any]:
        raise CapabilityDeniedError("not today")

    async def fail(request: dict[str, Any]) -> dict[str, Any]:
        raise OSError("disk on fire")

    providers = {"grant": grant, "quiet": grant_without_result, "deny": deny, "fail": fail}
    async with start_host(providers=providers) as host:
        assert (await heard(host, "initialize"))[0]["capability_providers"] == list(providers)
        await say(host, *[("capability.requested", capability(name)) for name in providers])
        with anyio.fail_after(5):
            while len(resolved := await heard(host, "capability.resolve")) < 4:
                await anyio.wait_all_tasks_blocked()
    assert {one.pop("request_id"): one for one in resolved} == {
        "request-grant": {"outcome": "granted", "result": {"seen": {"x": 1}}},
        "request-quiet": {"outcome": "granted"},
        "request-deny": {"outcome": "denied", "message": "not today"},
        "request-fail": {"outcome": "failed", "message": "disk on fire"},
    }


async def test_what_is_gone_by_now_is_no_fault_and_anything_else_is(start_host: StartHost) -> None:
    refusals = {"renderer.presented": "interaction_already_final", "surface.attach": "surface_denied"}
    async with start_host(answers={"workspace.open": {**SNAPSHOT, "instances": []}}, refusals=refusals) as host:
        await say(host, ("renderer.present", {"item": question()}), ("surface.opened", {"surface": SURFACE}))
        assert list(host.sidecar.faults) == ["attach: surface_denied: no"]


async def test_waiting_in_vain_is_a_timeout(host: HeadlessHost) -> None:
    with pytest.raises(TimeoutError, match="did not come to it within 0 s"):
        await host.question(timeout=0)


async def test_a_host_run_app_speaks_with_its_token(host: HeadlessHost) -> None:
    app = await HostRunApp.find(host, "probe")
    assert (app.instance_id, app.token) == ("probe-1", "app-token")
    await host.unmount("probe-1")
    with pytest.raises(LookupError, match="name its app in host_run"):
        await app.sdk("context.get")
