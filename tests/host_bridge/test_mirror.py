"""Mirrors follow revisions: what is old changes nothing, what skips one is noticed."""

from __future__ import annotations

from typing import Any

import pytest

from host_bridge.mirror import ShownSurface, Workspace


@pytest.fixture
def surface() -> ShownSurface:
    return ShownSurface("s", "i", "main", "sandboxed-iframe", "Title", 3, {"a": 1}, "token", None)


def changed(revision: int, *instances: str) -> dict[str, Any]:
    live = [{"instance_id": one, "app_scope": one.split("-")[0]} for one in instances]
    stack = list(instances)
    return {"revision": revision, "foreground": stack[-1], "focus_stack": stack, "instances": live}


def test_the_next_patch_is_merged(surface: ShownSurface) -> None:
    assert surface.patch(4, {"b": 2})
    assert (surface.revision, surface.state) == (4, {"a": 1, "b": 2})


def test_a_known_patch_changes_nothing(surface: ShownSurface) -> None:
    assert surface.patch(3, {"a": None})
    assert (surface.revision, surface.state) == (3, {"a": 1})


def test_a_gap_is_noticed_and_changes_nothing(surface: ShownSurface) -> None:
    assert not surface.patch(5, {"a": None})
    assert (surface.revision, surface.state) == (3, {"a": 1})


def test_a_workspace_takes_what_is_new() -> None:
    workspace = Workspace("c", "a")
    assert workspace.take(changed(2, "chat-1", "probe-1"))
    assert workspace.foreground == "probe-1"
    assert workspace.find("probe") == {"instance_id": "probe-1", "app_scope": "probe"}
    assert workspace.find("whiteboard") is None


def test_a_workspace_leaves_what_is_old() -> None:
    workspace = Workspace("c", "a")
    workspace.take(changed(2, "chat-1"))
    assert not workspace.take(changed(1, "chat-1", "probe-1"))
    assert list(workspace.instances) == ["chat-1"]
