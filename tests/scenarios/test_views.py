"""What a view may do with its token, and how long that is good (PROTOCOL 5)."""

from __future__ import annotations

import base64
import hashlib
from typing import Any

import pytest

from host_bridge.errors import RpcError
from rpc_schema.limits import MAX_EVENT_PAYLOAD
from tests.scenarios.stage import CONFIRM, App, Stage, refused

requirement = pytest.mark.requirement

KIB = 1024


async def attach(stage: Stage, surface_id: str) -> dict[str, Any]:
    """Attach a surface."""
    attached: dict[str, Any] = await stage.call("surface.attach", surface_id=surface_id)
    return attached


async def state(app: App, surface_id: str) -> dict[str, Any]:
    """Revision and state as the app reads them."""
    read: dict[str, Any] = await app.sdk("surfaces.get", surface_id=surface_id)
    return read


def artifact(content: bytes, **change: Any) -> dict[str, Any]:
    """An artifact that holds, but for the change."""
    return {
        "name": "board.svg",
        "media_type": "image/svg+xml",
        "byte_size": len(content),
        "sha256": hashlib.sha256(content).hexdigest(),
        "content_base64": base64.b64encode(content).decode(),
        **change,
    }


# -- views


@requirement("A7", "R5-host-answers-alone", "R1-speaker-then-right")
@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("inbox.list", {}),
        ("inbox.subscribe", {}),
        ("inbox.unsubscribe", {}),
        ("inbox.acknowledge", {"message_id": "m"}),
        ("tools.subscribe", {}),
        ("tools.get", {"call_id": "c"}),
        ("tools.complete", {"call_id": "c", "result": {"ok": True}}),
        ("tools.fail", {"call_id": "c", "failure": {"code": "c", "message": "m"}}),
        ("tools.cancel", {"call_id": "c"}),
        ("tools.reportProgress", {"call_id": "c", "progress": {}}),
        ("ui.request", {"request": {"kind": "confirm", **CONFIRM}}),
        ("ui.get", {"interaction_id": "i"}),
        ("ui.subscribe", {}),
        ("ui.cancel", {"interaction_id": "i"}),
        ("lifecycle.requestForeground", {}),
        ("lifecycle.requestBackground", {}),
        ("lifecycle.requestClose", {}),
        ("capabilities.request", {"capability": "probe.allowed", "reason": "r", "arguments": {}}),
        ("surfaces.requestOpen", {"request": {"key": "two", "title": "t"}}),
        ("conversation.sendText", {"text": "x", "client_message_id": "y"}),
        ("renderer.subscribe", {}),
    ],
)
async def test_a_view_may_do_no_more_than_its_surface_needs(stage: Stage, method: str, params: dict[str, Any]) -> None:
    app, _ = await stage.launch()
    view = (await attach(stage, await app.open_surface()))["surface_token"]
    with refused("permission_denied"):
        await stage.call(f"sdk.{method}", context_token=view, **params)


async def test_a_view_of_interact_is_no_more_than_a_view(stage: Stage) -> None:
    interact = await stage.mount("chat")
    view = (await attach(stage, await interact.open_surface()))["surface_token"]
    for method in ("sdk.renderer.subscribe", "sdk.renderer.unsubscribe"):
        with refused("permission_denied"):
            await stage.call(method, context_token=view)
    with refused("permission_denied"):
        await stage.call("sdk.conversation.sendText", context_token=view, text="x", client_message_id="y")


async def test_a_view_knows_its_context_and_its_own_surface(stage: Stage) -> None:
    app = await stage.start()
    surface_id, second = await app.open_surface("one"), await app.open_surface("two")
    view = {"context_token": (await attach(stage, surface_id))["surface_token"]}
    assert await stage.call("sdk.context.get", **view) == await app.sdk("context.get")
    assert (await stage.call("sdk.surfaces.get", **view, surface_id=surface_id))["revision"] == 1
    stored = artifact(b"<svg/>")
    for method, params in [
        ("get", {}),
        ("update", {"patch": {}}),
        ("emit", {"event": "e"}),
        ("submit", {"artifact": stored}),
        ("requestClose", {}),
    ]:
        with refused("surface_not_found"):
            await stage.call(f"sdk.surfaces.{method}", **view, surface_id=second, **params)
    await stage.call("sdk.surfaces.submit", **view, surface_id=surface_id, artifact=stored)
    await stage.call("sdk.surfaces.requestClose", **view, surface_id=surface_id)
    with refused("context_token_invalid"):
        await stage.call("sdk.context.get", **view)


@pytest.mark.parametrize("revoked_by", ["attach", "detach", "fail", "close", "unmount", "instance"])
async def test_a_views_token_dies(stage: Stage, revoked_by: str) -> None:
    app = await stage.start()
    surface_id = await app.open_surface()
    view = (await attach(stage, surface_id))["surface_token"]
    await stage.call("sdk.context.get", context_token=view)
    match revoked_by:
        case "attach":
            assert (await attach(stage, surface_id))["surface_token"] != view
        case "detach":
            await stage.call("surface.detach", surface_id=surface_id)
        case "fail":
            await stage.call("surface.fail", surface_id=surface_id, message="broken")
        case "close":
            await app.sdk("surfaces.requestClose", surface_id=surface_id)
        case "unmount":
            await app.unmount()
        case "instance":
            await app.close()
    with refused("context_token_invalid"):
        await stage.call("sdk.context.get", context_token=view)


async def test_events_of_a_view_reach_the_inbox(stage: Stage) -> None:
    app = await stage.start()
    surface_id = await app.open_surface()
    view = {"context_token": (await attach(stage, surface_id))["surface_token"], "surface_id": surface_id}
    await app.sdk("inbox.subscribe")
    await stage.call("sdk.surfaces.emit", **view, event="clicked", payload={"on": "save"})
    await stage.call("sdk.surfaces.emit", **view, event="left")
    payloads = [one["message"]["payload"] for one in await app.heard("sdk.inbox.message")]
    assert payloads == [
        {"surface_id": surface_id, "event": "clicked", "payload": {"on": "save"}},
        {"surface_id": surface_id, "event": "left", "payload": None},
    ]
    with refused("limit_exceeded", limit="event_payload_bytes", bound=MAX_EVENT_PAYLOAD):
        await stage.call("sdk.surfaces.emit", **view, event="big", payload={"x": "x" * MAX_EVENT_PAYLOAD})


@requirement("R6-bound-events")
async def test_200_events_may_wait(stage: Stage) -> None:
    app = await stage.start()
    surface_id = await app.open_surface()
    view = {"context_token": (await attach(stage, surface_id))["surface_token"], "surface_id": surface_id}
    answers = await stage.sidecar.batch([("sdk.surfaces.emit", {**view, "event": "e"})] * 201)
    assert [isinstance(one, RpcError) for one in answers] == [*[False] * 200, True]
    with refused("limit_exceeded", limit="surface_events_pending", bound=200, actual=200):
        await stage.call("sdk.surfaces.emit", **view, event="e")
    assert (await stage.say("a message still fits"))["status"] == "accepted"
    await app.sdk("inbox.acknowledge", message_id=(await app.messages())[0]["message_id"])
    await stage.call("sdk.surfaces.emit", **view, event="e")


async def test_a_surface_that_fails_is_told_to_its_app_and_opens_again(stage: Stage) -> None:
    app = await stage.start()
    surface_id = await app.open_surface(initial_state={"a": 1})
    await attach(stage, surface_id)
    await stage.call("surface.fail", surface_id=surface_id, message="renderer crashed")
    [message] = await app.messages("surface.failed")
    assert message["payload"] == {"surface_id": surface_id, "message": "renderer crashed"}
    assert [one["status"] for one in (await stage.open())["surfaces"]] == ["failed"]
    await app.sdk("surfaces.update", surface_id=surface_id, patch={"a": 2})
    attached = await attach(stage, surface_id)
    assert (attached["state"], attached["revision"]) == ({"a": 2}, 2)
    assert [one["status"] for one in (await stage.open())["surfaces"]] == ["open"]
