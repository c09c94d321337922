"""The manifests of the three MiniApps are sound, and their surfaces carry the one view client."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import miniapps
from rpc_schema.manifest import Manifest

FOLDER = Path(miniapps.__file__).parent
BUNDLES = ["chat", "task_dashboard", "whiteboard"]
SURFACES = ["task_dashboard", "whiteboard"]
CLIENT = FOLDER / "sdk" / "surface" / "lineup.js"


@pytest.mark.parametrize("bundle", BUNDLES)
def test_a_manifest_follows_manifest_v1(bundle: str) -> None:
    text = (FOLDER / bundle / "manifest.json").read_text(encoding="utf-8")
    manifest = Manifest.model_validate_json(text)
    assert manifest.app_scope == bundle.replace("_", "-")
    assert (manifest.kind == "system") is (bundle == "chat")
    assert manifest.host.surface_required is (bundle in SURFACES)
    for tool in manifest.tools:
        assert tool.id.startswith(f"{manifest.app_scope}.")
        assert tool.target.app_scope == manifest.app_scope
        assert tool.description


def tools(bundle: str) -> dict[str, Any]:
    manifest = json.loads((FOLDER / bundle / "manifest.json").read_text(encoding="utf-8"))
    return {tool["id"]: tool for tool in manifest["tools"]}


def test_the_tools_are_those_of_the_rules() -> None:
    assert tools("chat") == {}
    assert {id_: tool["handling"] for bundle in SURFACES for id_, tool in tools(bundle).items()} == {
        "task-dashboard.open": "launch",
        "task-dashboard.update": "operation",
        "whiteboard.open": "launch",
        "whiteboard.submit": "operation",
    }


@pytest.mark.parametrize("bundle", SURFACES)
def test_a_surface_carries_the_view_client_of_the_sdk_unchanged(bundle: str) -> None:
    copy = FOLDER / bundle / "surface" / "lineup.js"
    assert copy.read_bytes() == CLIENT.read_bytes(), f"copy {CLIENT} to {copy}"


@pytest.mark.parametrize("bundle", SURFACES)
def test_a_page_begins_with_the_view_client_and_has_nothing_inline(bundle: str) -> None:
    html = (FOLDER / bundle / "surface" / "index.html").read_text(encoding="utf-8")
    assert html.index('<script src="lineup.js">') == html.index("<script")
    for banned in (" style=", " onclick=", " onload=", "javascript:", "http:", "https:", "//"):
        assert banned not in html
