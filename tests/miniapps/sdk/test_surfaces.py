"""The state of a surface as a MiniApp holds it, in step with the Runtime's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from miniapps.sdk import MiniApp, RefusedError, Start, Surface, ToolCall


def opened(app: MiniApp, then: Callable[[Surface], None]) -> None:
    """Open a surface at the start and do something with it."""

    @app.on_start
    def start(begun: Start) -> None:
        then(app.sdk.surfaces.request_open("main", "Probe", initial_state={"a": 1}))


def begin(peer: Any, revision: int = 1, **state: Any) -> None:
    peer.hello()
    peer.subscribed()
    asked = peer.expect("surfaces.requestOpen", {"surface_id": "s", "revision": revision, "state": state or {"a": 1}})
    assert asked == {"request": {"key": "main", "title": "Probe", "initial_state": {"a": 1}}}


def test_an_update_is_known_here_once_it_is_answered(talk: Any) -> None:
    app = MiniApp()

    def then(surface: Surface) -> None:
        surface.update({"b": 2})
        surface.update({})
        assert (surface.state, surface.revision) == ({"a": 1, "b": 2}, 2)
        assert app.sdk.surfaces.opened("main") is surface

    opened(app, then)

    def script(peer: Any) -> None:
        begin(peer)
        assert peer.expect("surfaces.update", {"revision": 2}) == {"surface_id": "s", "patch": {"b": 2}}

    talk(script, app.serve)


def test_a_patch_of_the_view_in_between_makes_the_state_be_read(talk: Any) -> None:
    app = MiniApp()
    opened(app, lambda surface: surface.update({"b": 2}))

    def script(peer: Any) -> None:
        begin(peer)
        peer.notify("sdk.surfaces.patched", instance_id="i-1", surface_id="s", revision=2, patch={"b": 1})
        peer.expect("surfaces.update", {"revision": 3})
        peer.expect("surfaces.get", {"surface_id": "s", "revision": 3, "state": {"a": 1, "b": 2}})
        peer.notify("sdk.surfaces.patched", instance_id="i-1", surface_id="s", revision=4, patch={"c": 3})
        peer.notify("sdk.surfaces.patched", instance_id="i-1", surface_id="other", revision=9, patch={"c": 9})

    heard: list[Any] = []
    app.on_surface_patched(lambda patched: heard.append(patched["revision"]))
    talk(script, app.serve)
    assert app.sdk.surfaces.opened("main").state == {"a": 1, "b": 2, "c": 3}
    assert heard == [2, 4, 9]


def test_a_change_is_made_anew_from_the_state_that_won(talk: Any) -> None:
    app = MiniApp()
    opened(app, lambda surface: surface.change(lambda state: {"a": state["a"] + 1}))

    def script(peer: Any) -> None:
        begin(peer)
        peer.refuse("surfaces.update", "surface_revision_conflict", revision=2)
        peer.expect("surfaces.get", {"surface_id": "s", "revision": 2, "state": {"a": 10}})
        asked = peer.expect("surfaces.update", {"revision": 3})
        assert asked == {"surface_id": "s", "patch": {"a": 11}, "base_revision": 2}

    talk(script, app.serve)


def test_another_refusal_of_a_change_is_the_apps_to_handle(talk: Any) -> None:
    app = MiniApp()

    def then(surface: Surface) -> None:
        with pytest.raises(RefusedError, match="surface_patch_invalid"):
            surface.change(lambda state: {"big": "x"})

    opened(app, then)

    def script(peer: Any) -> None:
        begin(peer)
        peer.refuse("surfaces.update", "surface_patch_invalid")

    talk(script, app.serve)


def test_a_surface_that_the_view_has_closed_is_forgotten(talk: Any) -> None:
    app = MiniApp()
    opened(app, lambda surface: None)

    def script(peer: Any) -> None:
        begin(peer)
        peer.notify("sdk.surfaces.patched", instance_id="i-1", surface_id="s", revision=5, patch={"c": 3})
        peer.refuse("surfaces.get", "surface_not_found")

    talk(script, app.serve)
    with pytest.raises(LookupError):
        app.sdk.surfaces.opened("main")


def test_an_artifact_carries_its_size_and_its_hash(talk: Any) -> None:
    app = MiniApp()
    made: list[str] = []

    @app.tool("probe.work")
    def work(call: ToolCall) -> None:
        made.append(app.sdk.surfaces.opened("main").submit("a.txt", "text/plain", b"abc"))

    opened(app, lambda surface: None)

    def script(peer: Any) -> None:
        begin(peer)
        taken = {"call_id": "a", "tool_id": "probe.work", "input": {}, "redelivered": False}
        peer.notify("sdk.tools.call", instance_id="i-1", call={**taken, "created_at": "", "deadline_at": None})
        assert peer.expect("surfaces.submit", {"artifact_id": "f-1"})["artifact"] == {
            "name": "a.txt",
            "media_type": "text/plain",
            "byte_size": 3,
            "sha256": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            "content_base64": "YWJj",
        }

    talk(script, app.serve)
    assert made == ["f-1"]
