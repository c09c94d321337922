"""Reading manifests: every fault, each with its path (PROTOCOL 10)."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rpc_schema import limits
from sidecar.bundles.manifest import ManifestError, read_manifest

Faults = Callable[..., list[tuple[str, str]]]


@pytest.fixture
def faults(shelf: Any) -> Faults:
    """The faults of a manifest with some fields changed; a field whose value is ``...`` is left out."""

    def find(*, trusted: bool = False, scope: str = "probe", **change: Any) -> list[tuple[str, str]]:
        value = {name: field for name, field in {**shelf.manifest(scope), **change}.items() if field is not ...}
        try:
            read_manifest(shelf.write(value), trusted=trusted)
        except ManifestError as error:
            return [(fault.path, fault.message) for fault in error.faults]
        return []

    return find


@pytest.fixture
def tool_faults(shelf: Any, faults: Faults) -> Faults:
    def find(**change: Any) -> list[tuple[str, str]]:
        tool = {name: field for name, field in {**shelf.tool(), **change}.items() if field is not ...}
        return faults(tools=[tool])

    return find


def test_a_good_manifest_is_read(shelf: Any) -> None:
    tools = [
        shelf.tool(description="Opens it.", timeout_ms=60_000, permissions=["probe.camera"]),
        *(shelf.tool(f"probe.{handling}.v2", handling=handling) for handling in ("direct", "foreground", "operation")),
    ]
    value = shelf.manifest(tools=tools)
    read = read_manifest(shelf.write(value))
    assert read.model_dump(mode="json") == {**value, "tools": [{"permissions": [], **tool} for tool in tools]}


def test_the_older_word_is_read_as_bundled(shelf: Any) -> None:
    assert read_manifest(shelf.write(shelf.manifest(kind="bundled-reference"))).kind == "bundled"


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"kind": "remote"}, "kind"),
        ({"kind": None}, "kind"),
        ({"kind": ...}, "kind"),
        ({"version": ""}, "version"),
        ({"version": "1.0"}, "version"),
        ({"version": "1.0.0\n"}, "version"),
        ({"version": 1}, "version"),
        ({"extra": 1}, "extra"),
        ({"x" * 500: 1}, "x" * 64 + "…"),
        ({"tools": "x"}, "tools"),
        ({"tools": ...}, "tools"),
        ({"tools": [7]}, "tools.0"),
        ({"app_scope": ...}, "app_scope"),
        ({"app_scope": ["probe"]}, "app_scope"),
        ({"subscriptions": [{"topic": "everything"}]}, "subscriptions.0.topic"),
        ({"subscriptions": [{"topic": "agent.message", "x": 1}]}, "subscriptions.0.x"),
        ({"subscriptions": ["agent.message"]}, "subscriptions.0"),
        ({"requested_capabilities": [1]}, "requested_capabilities.0"),
        ({"requested_capabilities": "camera"}, "requested_capabilities"),
        ({"host": {"min_version": "1", "surface_required": False}}, "host.min_version"),
        ({"host": {"min_version": "1.0.0", "surface_required": 0}}, "host.surface_required"),
        ({"host": {"min_version": "1.0.0"}}, "host.surface_required"),
        ({"host": None}, "host"),
    ],
)
def test_a_bad_field_is_refused(faults: Faults, change: dict[str, Any], path: str) -> None:
    assert [fault[0] for fault in faults(**change)] == [path]


@pytest.mark.parametrize("scope", ["", "../up", "Probe", "1probe", "a_b", "a.b", "a" * 65, "probe\n", "é"])
def test_a_scope_follows_its_pattern(shelf: Any, faults: Faults, scope: str) -> None:
    found = faults(app_scope=scope, tools=[])
    assert [path for path, _ in found] == ["app_scope"]


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"id": "other.open"}, "id"),
        ({"id": "probe"}, "id"),
        ({"id": "probe."}, "id"),
        ({"id": "probe-two.open"}, "id"),
        ({"id": 1}, "id"),
        ({"id": ...}, "id"),
        ({"version": 2}, "version"),
        ({"version": 1.0}, "version"),
        ({"version": True}, "version"),
        ({"handling": "magic"}, "handling"),
        ({"handling": "interactive"}, "handling"),
        ({"target": None}, "target"),
        ({"target": ...}, "target"),
        ({"timeout_ms": 0}, "timeout_ms"),
        ({"timeout_ms": 999}, "timeout_ms"),
        ({"timeout_ms": 86_400_001}, "timeout_ms"),
        ({"timeout_ms": "5000"}, "timeout_ms"),
        ({"timeout_ms": 5000.0}, "timeout_ms"),
        ({"timeout_ms": None}, "timeout_ms"),
        ({"permissions": "camera"}, "permissions"),
        ({"permissions": [None]}, "permissions.0"),
        ({"description": "x" * 1_025}, "description"),
        ({"description": None}, "description"),
        ({"input_schema": None}, "input_schema"),
        ({"output_schema": []}, "output_schema"),
        ({"output_schema": ...}, "output_schema"),
        ({"extra": 1}, "extra"),
    ],
)
def test_a_bad_field_of_a_tool_is_refused(tool_faults: Faults, change: dict[str, Any], path: str) -> None:
    assert [fault[0] for fault in tool_faults(**change)] == [f"tools.0.{path}"]


@pytest.mark.parametrize("name", ["a b", "ä", "a/b", "a" * 128, "a\n"])
def test_a_tool_id_follows_its_pattern(tool_faults: Faults, name: str) -> None:
    assert [fault[0] for fault in tool_faults(id=f"probe.{name}")] == ["tools.0.id"]


def test_a_target_is_the_tools_own_scope(tool_faults: Faults) -> None:
    target = {"app_scope": "chat", "requires_foreground": False, "restore_previous_focus": False}
    assert tool_faults(target=target) == [("tools.0.target.app_scope", 'must be "probe", the MiniApp\'s own scope')]


def test_a_tool_id_stands_once(shelf: Any, faults: Faults) -> None:
    tools = [shelf.tool("probe.a"), shelf.tool("probe.b"), shelf.tool("probe.a")]
    assert faults(tools=tools) == [("tools.2.id", "is the id of an earlier Tool too")]


@pytest.mark.parametrize("schema", [{"type": "string"}, {"type": "array", "items": {"type": "object"}}])
def test_a_tools_schema_is_an_object_at_the_root(tool_faults: Faults, schema: dict[str, Any]) -> None:
    assert tool_faults(input_schema=schema) == [("tools.0.input_schema.type", "must be object at the root")]


def test_the_faults_of_all_schemas_are_named_with_their_path(shelf: Any, faults: Faults) -> None:
    bad = {"type": "object", "properties": {"v": {"type": "string", "minLength": -1, "pattern": "x"}}}
    found = faults(tools=[shelf.tool(input_schema=bad), shelf.tool("probe.b", output_schema={})])
    assert [path for path, _ in found] == [
        "tools.0.input_schema.properties.v.minLength",
        "tools.0.input_schema.properties.v.pattern",
        "tools.1.output_schema.type",
    ]


def test_faults_of_shape_rules_and_schemas_come_together(shelf: Any, faults: Faults) -> None:
    tools = [shelf.tool("other.open", timeout_ms=1, input_schema={"type": "object", "title": "x"})]
    found = faults(app_scope="interaction", kind="system", version="x", tools=tools)
    assert [path for path, _ in found] == [
        "version",
        "tools.0.timeout_ms",
        "app_scope",
        "kind",
        "tools.0.id",
        "tools.0.target.app_scope",
        "tools.0.input_schema.title",
    ]


def test_names_of_the_runtime_are_not_taken(faults: Faults) -> None:
    assert [path for path, _ in faults(scope="interaction")] == ["app_scope"]
    assert [path for path, _ in faults(scope="chat")] == ["app_scope"]
    assert [path for path, _ in faults(kind="system")] == ["kind"]
    assert [path for path, _ in faults(scope="chat", kind="system")] == ["app_scope", "kind"]


def test_only_the_packages_own_chat_is_system(faults: Faults) -> None:
    assert faults(scope="chat", kind="system", trusted=True) == []
    assert faults(scope="probe", kind="bundled", trusted=True) == []
    assert [path for path, _ in faults(scope="probe", kind="system", trusted=True)] == ["kind"]
    assert [path for path, _ in faults(scope="chat", kind="bundled", trusted=True)] == ["kind"]


def test_a_required_surface_is_there(shelf: Any) -> None:
    value = shelf.manifest(host={"min_version": "1.0.0", "surface_required": True})
    with pytest.raises(ManifestError) as caught:
        read_manifest(shelf.write(value))
    assert caught.value.faults == [("host.surface_required", "is true, but surface/index.html is missing")]
    assert read_manifest(shelf.write(value, {"surface/index.html": "<p>"})).host.surface_required


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "cannot be read"),
        ("{", "cannot be read"),
        ("{} {}", "cannot be read"),
        ("{'a': 1}", "cannot be read"),
        ('{"kind": "bundled", "kind": "system"}', "same key twice"),
        ('{"version": NaN}', "NaN"),
        ('{"version": 1e999}', "too large"),
        ('{"version": "\\ud800"}', "surrogate"),
        (b'{"version": "\xff"}', "not UTF-8"),
        (b"\xef\xbb\xbf{}", "byte order mark"),
        ("{}".encode("utf-16"), "not UTF-8"),
        ('{"tools": ' + "[" * 100 + "]" * 100 + "}", "nested over 64 levels"),
        ("[]", "must be a JSON object"),
        ('"manifest"', "must be a JSON object"),
        (" " * (limits.MAX_MANIFEST + 1), "has more than 1048576 bytes"),
    ],
)
def test_text_that_is_no_sound_json_is_refused(shelf: Any, text: str | bytes, reason: str) -> None:
    with pytest.raises(ManifestError) as caught:
        read_manifest(shelf.write(text))
    [fault] = caught.value.faults
    assert fault.path == "manifest.json"
    assert reason in fault.message


def test_a_manifest_is_a_regular_file_of_the_bundle(shelf: Any, tmp_path: Path) -> None:
    folder = shelf.write(shelf.manifest())
    (folder / "manifest.json").rename(tmp_path / "elsewhere.json")
    with pytest.raises(ManifestError, match=r"manifest.json: is missing"):
        read_manifest(folder)
    (folder / "manifest.json").symlink_to(tmp_path / "elsewhere.json")
    with pytest.raises(ManifestError, match="symbolic link"):
        read_manifest(folder)
    (folder / "manifest.json").unlink()
    (folder / "manifest.json").mkdir()
    with pytest.raises(ManifestError, match="not a regular file"):
        read_manifest(folder)


def test_a_fault_repeats_no_value(shelf: Any) -> None:
    secret = "s3cret" * 1_000
    value = shelf.manifest(version=secret, tools=[shelf.tool(id=secret, handling=secret)], kind=secret)
    with pytest.raises(ManifestError) as caught:
        read_manifest(shelf.write(json.dumps(value)))
    assert len(caught.value.faults) >= 4
    assert "s3cret" not in str(caught.value)
