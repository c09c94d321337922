"""Surfaces: open, attach, patch, close; artifacts that hold what they say (PROTOCOL 5)."""

from __future__ import annotations

import base64
import hashlib
from typing import Any

import pytest

from host_bridge.client import Sidecar
from rpc_schema.merge_patch import merge
from tests.scenarios.conftest import OpenStage
from tests.scenarios.stage import App, Stage, begin, refused, restart

requirement = pytest.mark.requirement

KIB = 1024
MIB = 1024 * KIB


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


def nested(depth: int) -> dict[str, Any]:
    """An object that nests that deep."""
    value: dict[str, Any] = {}
    for _ in range(depth - 1):
        value = {"x": value}
    return value


# -- open and close


@requirement("A9", "C-sandboxed")
async def test_a_surface_is_told_to_the_host_without_its_state(stage: Stage) -> None:
    app = await stage.start()
    surface_id = await app.open_surface(initial_state={"a": 1})
    surface = {
        "surface_id": surface_id,
        "instance_id": app.instance_id,
        "key": "main",
        "title": "Probe",
        "container": "sandboxed-iframe",
        "status": "open",
        "revision": 1,
    }
    assert await stage.heard("surface.opened") == [{"surface": surface}]
    assert (await stage.open())["surfaces"] == [surface]
    assert await app.mount() == [surface]
    attached = await attach(stage, surface_id)
    assert {name: attached[name] for name in ("container", "title", "revision", "state")} == {
        "container": "sandboxed-iframe",
        "title": "Probe",
        "revision": 1,
        "state": {"a": 1},
    }


async def test_the_same_key_is_the_same_surface_until_it_closes(stage: Stage) -> None:
    app = await stage.start()
    first = await app.sdk("surfaces.requestOpen", request={"key": "k", "title": "One", "initial_state": {"a": 1}})
    await app.sdk("surfaces.update", surface_id=first["surface_id"], patch={"a": 2})
    again = await app.sdk("surfaces.requestOpen", request={"key": "k", "title": "Two", "initial_state": {"b": 1}})
    assert (again["surface_id"], again["revision"], again["state"]) == (first["surface_id"], 2, {"a": 2})
    assert len(await stage.heard("surface.opened")) == 1
    await app.sdk("surfaces.requestClose", surface_id=first["surface_id"])
    third = await app.sdk("surfaces.requestOpen", request={"key": "k", "title": "Three"})
    assert (third["surface_id"] != first["surface_id"], third["revision"], third["state"]) == (True, 1, {})


async def test_each_app_has_keys_of_its_own(stage: Stage) -> None:
    app, other = await stage.start(), await stage.start("probe-two")
    assert await app.open_surface() != await other.open_surface()


@requirement("C-sandboxed")
async def test_trusted_dom_is_interacts_alone(stage: Stage) -> None:
    app = await stage.start()
    interact = await stage.mount("chat")
    with refused("surface_denied"):
        await app.open_surface(container="trusted-dom")
    with refused("surface_denied"):
        await app.open_surface(entry="no-such-page.html")
    surface_id = await interact.open_surface("timeline")
    attached = await attach(stage, surface_id)
    assert (attached["container"], attached["document"]) == ("trusted-dom", None)
    assert await stage.heard("surface.opened", surface=None) == []


@requirement("A9")
async def test_a_document_is_alone_in_its_world(stage: Stage) -> None:
    app = await stage.start("whiteboard")
    surface_id = await app.open_surface("board")
    attached = await attach(stage, surface_id)
    document = attached["document"]
    policy = {part.split()[0]: part.split()[1:] for part in document["csp"].split(";") if part.strip()}
    assert document["sandbox"] == ["allow-scripts"]
    for directive in ("default-src", "connect-src", "form-action", "base-uri"):
        assert policy[directive] == ["'none'"]
    assert policy["sandbox"] == ["allow-scripts"]
    for directive in ("script-src", "style-src"):
        assert policy[directive]
        assert all(one.startswith("'sha256-") for one in policy[directive])
    for secret in (app.token, attached["surface_token"]):
        assert secret not in document["html"]
    assert "src=" not in document["html"]


@requirement("R6-bound-surfaces")
async def test_an_instance_has_four_surfaces(stage: Stage) -> None:
    app = await stage.start()
    surface_ids = [await app.open_surface(f"{number}") for number in range(4)]
    with refused("limit_exceeded", limit="surfaces", bound=4, actual=4):
        await app.open_surface("five")
    assert await app.open_surface("3") == surface_ids[3]
    await app.sdk("surfaces.requestClose", surface_id=surface_ids[0])
    await app.open_surface("five")


async def test_a_closed_surface_takes_nothing_else_with_it(stage: Stage) -> None:
    app, call_id = await stage.launch()
    asked = await app.ask()
    surface_id = await app.open_surface()
    before = await stage.open()
    await app.sdk("surfaces.requestClose", surface_id=surface_id)
    assert await stage.heard("surface.closed") == [{"surface_id": surface_id, "reason": "requested"}]
    after = await stage.open()
    assert (after["surfaces"], after["instances"]) == ([], before["instances"])
    assert (await app.record(asked))["status"] == "pending"
    assert (await app.get_call(call_id))["status"] == "running"
    for method, params in [("get", {}), ("update", {"patch": {}}), ("emit", {"event": "e"}), ("requestClose", {})]:
        with refused("surface_not_found"):
            await app.sdk(f"surfaces.{method}", surface_id=surface_id, **params)
    for method in ("attach", "detach"):
        with refused("surface_not_found"):
            await stage.call(f"surface.{method}", surface_id=surface_id)


# -- patches


@pytest.mark.parametrize(
    ("before", "patch"),
    [
        ({"a": "b"}, {"a": "c"}),
        ({"a": "b"}, {"b": "c"}),
        ({"a": "b", "b": "c"}, {"a": None}),
        ({"a": ["b"]}, {"a": "c"}),
        ({"a": "c"}, {"a": ["b"]}),
        ({"a": {"b": "c"}}, {"a": {"b": "d", "c": None}}),
        ({"a": [{"b": "c"}]}, {"a": [1]}),
        ({"e": None}, {"a": 1}),
        ({}, {"a": {"bb": {"ccc": None}}}),
        ({"a": 1}, {}),
    ],
)
async def test_a_patch_is_merged_as_rfc_7396_says(stage: Stage, before: dict[str, Any], patch: dict[str, Any]) -> None:
    app = await stage.start()
    surface_id = await app.open_surface(initial_state=before)
    start = (await state(app, surface_id))["state"]
    assert start == merge({}, before)
    await app.sdk("surfaces.update", surface_id=surface_id, patch=patch)
    assert await state(app, surface_id) == {
        "surface_id": surface_id,
        "revision": 2,
        "state": merge(start, patch),
    }


async def test_a_revision_that_is_given_must_be_the_current_one(stage: Stage) -> None:
    app = await stage.start()
    surface_id = await app.open_surface()
    assert (await app.sdk("surfaces.update", surface_id=surface_id, patch={"a": 1}, base_revision=1))["revision"] == 2
    for stale in (1, 0, -1, 3):
        with refused("surface_revision_conflict", revision=2):
            await app.sdk("surfaces.update", surface_id=surface_id, patch={"a": 2}, base_revision=stale)
        with refused("surface_patch_invalid"):  # its shape is looked at first
            await app.sdk("surfaces.update", surface_id=surface_id, patch=[], base_revision=stale)
    assert (await app.sdk("surfaces.update", surface_id=surface_id, patch={"a": 3}))["revision"] == 3
    assert (await state(app, surface_id))["state"] == {"a": 3}


@requirement("R1-refused-reaches-nobody")
@pytest.mark.parametrize(
    "patch",
    [
        [],
        "text",
        None,
        1,
        {"__proto__": {"x": 1}},
        {"a": {"constructor": 1}},
        {"a": [{"prototype": 1}]},
        nested(33),
        {"big": "x" * (256 * KIB)},
    ],
    ids=str,
)
async def test_an_unsound_patch_changes_nothing(stage: Stage, patch: object) -> None:
    app = await stage.start()
    surface_id = await app.open_surface(initial_state={"kept": True})
    before = await state(app, surface_id)
    await stage.forget()
    with refused("surface_patch_invalid"):
        await app.sdk("surfaces.update", surface_id=surface_id, patch=patch)
    assert await state(app, surface_id) == before
    assert stage.news == []


async def test_patches_at_their_bounds_are_taken(stage: Stage) -> None:
    app = await stage.start()
    surface_id = await app.open_surface()
    await app.sdk("surfaces.update", surface_id=surface_id, patch=nested(32))
    room = 256 * KIB - len('{"a":""}')
    await app.sdk("surfaces.update", surface_id=surface_id, patch={"a": "x" * room})
    with refused("surface_patch_invalid", limit="patch_bytes", bound=256 * KIB, actual=256 * KIB + 1):
        await app.sdk("surfaces.update", surface_id=surface_id, patch={"a": "x" * (room + 1)})


async def test_a_state_is_bounded_at_the_opening_and_after(stage: Stage) -> None:
    app = await stage.start()
    room = MIB - len('{"a":""}')
    surface_id = await app.open_surface(initial_state={"a": "x" * room})
    for patch in ({"b": 1}, {"b": "x" * 1_000}):
        with refused("surface_patch_invalid", limit="state_bytes", bound=MIB):
            await app.sdk("surfaces.update", surface_id=surface_id, patch=patch)
    await app.sdk("surfaces.update", surface_id=surface_id, patch={"a": None, "b": "x" * 1_000})
    for initial in ({"a": "x" * (room + 1)}, {"__proto__": 1}, nested(33)):
        with refused("surface_patch_invalid"):
            await app.open_surface("other", initial_state=initial)
    assert len((await stage.open())["surfaces"]) == 1


async def test_each_side_hears_of_the_others_patches(stage: Stage) -> None:
    app = await stage.start()
    surface_id = await app.open_surface()
    view = (await attach(stage, surface_id))["surface_token"]
    await app.sdk("surfaces.update", surface_id=surface_id, patch={"a": 1})
    patched = {"surface_id": surface_id, "context_token": view, "patch": {"b": 2}}
    assert (await stage.call("sdk.surfaces.update", **patched))["revision"] == 3
    assert await stage.heard("surface.patched") == [
        {"surface_id": surface_id, "revision": 2, "patch": {"a": 1}, "by": "app"},
        {"surface_id": surface_id, "revision": 3, "patch": {"b": 2}, "by": "view"},
    ]
    assert await app.heard("sdk.surfaces.patched") == [
        {"instance_id": app.instance_id, "surface_id": surface_id, "revision": 3, "patch": {"b": 2}}
    ]


# -- artifacts


@requirement("A9", "R10-whiteboard")
@pytest.mark.parametrize("media_type", ["image/svg+xml", "image/png", "application/json", "text/plain"])
async def test_an_artifact_is_kept_as_it_is(stage: Stage, media_type: str) -> None:
    app = await stage.start()
    given = artifact(b"\x00\xff content", media_type=media_type, name="n" * 128)
    surface_id = await app.open_surface()
    artifact_id = (await app.sdk("surfaces.submit", surface_id=surface_id, artifact=given))["artifact_id"]
    await app.sdk("surfaces.requestClose", surface_id=surface_id)
    await app.close()
    stored = await stage.call("artifact.get", artifact_id=artifact_id)
    assert stored == {**given, "artifact_id": artifact_id, "created_at": stored["created_at"]}


SOUND = artifact(b"<svg/>")


@pytest.mark.parametrize(
    "change",
    [
        {"byte_size": 5},
        {"byte_size": 7},
        {"byte_size": -1},
        {"byte_size": "6"},
        {"sha256": "0" * 64},
        {"sha256": SOUND["sha256"].upper()},
        {"sha256": ""},
        {"media_type": "text/html"},
        {"media_type": "image/svg+xml; charset=utf-8"},
        {"media_type": None},
        {"content_base64": "%%%"},
        {"content_base64": SOUND["content_base64"][:-1]},
        {"content_base64": SOUND["content_base64"] + "\n"},
        {"content_base64": None},
        {"name": ""},
        {"name": "n" * 129},
        {"name": ".hidden"},
        {"name": "../up.svg"},
        {"name": "a/b"},
        {"name": "a\\b"},
        {"name": "a\nb"},
        {"name": "a\u202eb"},
        {"extra": 1},
    ],
    ids=str,
)
async def test_an_artifact_that_does_not_hold_is_refused(stage: Stage, change: dict[str, Any]) -> None:
    app = await stage.start()
    surface_id = await app.open_surface()
    with refused("artifact_invalid"):
        await app.sdk("surfaces.submit", surface_id=surface_id, artifact={**SOUND, **change})
    for missing in ([], None, {}):
        with refused("artifact_invalid"):
            await app.sdk("surfaces.submit", surface_id=surface_id, artifact=missing)


@requirement("R6-bound-artifacts")
async def test_artifacts_of_an_instance_are_bounded_together(stage: Stage) -> None:
    app = await stage.start()
    surface_id = await app.open_surface()
    largest = artifact(bytes(4 * MIB), media_type="image/png")
    params = {"context_token": app.token, "surface_id": surface_id, "artifact": largest}
    for _ in range(16):
        await stage.sidecar.request("sdk.surfaces.submit", params)
    with refused("limit_exceeded", limit="artifacts_of_instance_bytes", bound=64 * MIB, actual=64 * MIB + 6):
        await app.sdk("surfaces.submit", surface_id=surface_id, artifact=SOUND)
    with refused("artifact_invalid"):
        too_large = artifact(bytes(4 * MIB + 1), media_type="image/png")
        await app.sdk("surfaces.submit", surface_id=surface_id, artifact=too_large)
    with refused("artifact_not_found"):
        await stage.call("artifact.get", artifact_id="no-such-artifact")


@requirement("R6-surfaces-stay", "R6-tokens-void", "A11")
async def test_a_new_session_finds_each_surface_as_it_was(own: Sidecar, open_stage: OpenStage) -> None:
    stage = await open_stage(own)
    app = await stage.start()
    surface_id = await app.open_surface(initial_state={"a": 1})
    await app.sdk("surfaces.update", surface_id=surface_id, patch={"a": 2})
    broken = await app.open_surface("broken")
    await stage.call("surface.fail", surface_id=broken, message="m")
    view = (await attach(stage, surface_id))["surface_token"]
    before = (await stage.open())["surfaces"]
    for anew in (begin, restart):
        session = await anew(own)
        assert session["recovered"]["surfaces"] == 2
        with refused("context_token_invalid"):
            await stage.call("sdk.context.get", context_token=view)
        assert (await stage.open())["surfaces"] == before
        attached = await attach(stage, surface_id)
        assert (attached["state"], attached["revision"]) == ({"a": 2}, 2)
        view = attached["surface_token"]
