"""What ``check-manifest`` prints."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sidecar.bundles.catalog import Catalog
from sidecar.bundles.check import check_folder


def test_a_good_bundle_has_nothing_to_print(shelf: Any) -> None:
    assert check_folder(shelf.write(shelf.manifest(), shelf.surface())) == []


def test_every_fault_is_a_line(shelf: Any) -> None:
    manifest = shelf.manifest(kind="remote", extra=1, tools=[shelf.tool(version=2)])
    assert check_folder(shelf.write(manifest, shelf.surface(index_html="<base>"))) == [
        "kind: should be 'system' or 'bundled'",
        "tools.0.version: should be 1",
        "extra: is not a field of this object",
        "surface/index.html: line 1: <base> is refused: addresses in a surface stay relative to its folder",
    ]


def test_a_folder_without_a_manifest_is_no_bundle(tmp_path: Path) -> None:
    assert check_folder(tmp_path) == ["manifest.json: is missing"]
    assert check_folder(tmp_path / "gone") == ["manifest.json: is missing"]


def test_the_packages_own_bundles_pass_as_they_are() -> None:
    for bundle in Catalog.load([]).bundles.values():
        assert check_folder(bundle.folder) == []


def test_a_copy_of_the_system_miniapp_is_nobodys(shelf: Any) -> None:
    lines = check_folder(shelf.write(shelf.manifest("chat", kind="system"), name="chat"))
    assert [line.partition(":")[0] for line in lines] == ["app_scope", "kind"]
