"""Which MiniApps there are."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sidecar.bundles.catalog import Catalog, find_package


def test_the_bundles_of_a_folder_are_found_by_name(shelf: Any) -> None:
    for name in ("b", "a", "c"):
        shelf.write(shelf.manifest(f"probe-{name}"), name=name)
    (shelf.folder / "notes.txt").write_text("no bundle")
    (shelf.folder / "empty").mkdir()
    catalog = Catalog.load([shelf.folder], bundled=False)
    assert list(catalog.bundles) == ["probe-a", "probe-b", "probe-c"]
    assert {scope: bundle.manifest.app_scope for scope, bundle in catalog.bundles.items()} == {
        scope: scope for scope in catalog.bundles
    }
    assert catalog.refused == []


def test_a_folder_may_be_a_bundle_itself(shelf: Any) -> None:
    assert list(Catalog.load([shelf.write(shelf.manifest())], bundled=False).bundles) == ["probe"]


def test_a_refused_bundle_leaves_the_others_alone(shelf: Any, tmp_path: Path) -> None:
    shelf.write(shelf.manifest("good"), name="good")
    bad = shelf.write(shelf.manifest("bad", kind="remote"), name="bad")
    broken = shelf.write("{", name="broken")
    linked = shelf.write(shelf.manifest("linked"), name="linked")
    (linked / "manifest.json").rename(tmp_path / "elsewhere.json")
    (linked / "manifest.json").symlink_to(tmp_path / "nowhere.json")
    page = shelf.write(shelf.manifest("page"), shelf.surface(index_html="<img src=x>"), name="page")
    catalog = Catalog.load([shelf.folder], bundled=False)
    assert list(catalog.bundles) == ["good"]
    assert [(refused.folder, refused.faults[0].path) for refused in catalog.refused] == [
        (bad, "kind"),
        (broken, "manifest.json"),
        (linked, "manifest.json"),
        (page, "surface/index.html"),
    ]


def test_the_first_bundle_of_a_scope_wins(shelf: Any, tmp_path: Path) -> None:
    first = shelf.write(shelf.manifest(version="1.0.0"), name="a")
    second = shelf.write(shelf.manifest(version="2.0.0"), name="b")
    third = type(shelf)(tmp_path / "more").write(shelf.manifest(version="3.0.0"))
    catalog = Catalog.load([shelf.folder, third.parent], bundled=False)
    assert catalog.bundles["probe"].manifest.version == "1.0.0"
    assert [(refused.folder, refused.faults) for refused in catalog.refused] == [
        (folder, [("app_scope", f"is taken by the bundle in {first.resolve()}")]) for folder in (second, third)
    ]


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    catalog = Catalog.load([tmp_path / "gone", tmp_path / "file"], bundled=False)
    assert catalog.bundles == {}
    assert [refused.folder for refused in catalog.refused] == [tmp_path / "gone", tmp_path / "file"]
    assert all(refused.faults[0].message.startswith("cannot be read") for refused in catalog.refused)


@pytest.mark.parametrize("change", [{"kind": "system"}, {"scope": "chat"}, {"scope": "chat", "kind": "system"}])
def test_only_the_package_brings_a_system_miniapp(shelf: Any, change: dict[str, str]) -> None:
    shelf.write(shelf.manifest(change.get("scope", "probe"), kind=change.get("kind", "bundled")))
    catalog = Catalog.load([shelf.folder], bundled=False)
    assert catalog.bundles == {}
    assert len(catalog.refused) == 1


def test_the_packages_own_bundles_are_data() -> None:
    """They are found and read, schemas uncompiled and pages unmade, without importing their code."""
    code = (
        "import sys\n"
        "from sidecar.bundles.catalog import Catalog\n"
        "from sidecar.domain import tool_schema\n"
        "catalog = Catalog.load([])\n"
        "assert not [name for name in sys.modules if name.partition('.')[0] == 'miniapps'], sys.modules\n"
        "assert tool_schema._make_validator.cache_info().currsize == 0\n"
        "assert not any(bundle._documents for bundle in catalog.bundles.values())\n"
        "assert catalog.refused == [], catalog.refused\n"
        "print(*sorted(catalog.bundles))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=30, check=False)
    assert (done.stderr, done.returncode) == ("", 0)
    assert done.stdout.split() == ["chat", "task-dashboard", "whiteboard"]


def test_the_packages_own_bundles_are_sound() -> None:
    catalog = Catalog.load([])
    assert catalog.refused == []
    assert all(bundle.trusted for bundle in catalog.bundles.values())
    assert [scope for scope, bundle in catalog.bundles.items() if bundle.manifest.kind == "system"] == ["chat"]
    for bundle in catalog.bundles.values():
        assert bundle.run_by == "worker"
        if bundle.manifest.kind == "bundled":
            assert bundle.document().sandbox == ["allow-scripts"]


def test_a_bundle_with_the_scope_of_one_of_the_packages_own_is_refused(shelf: Any) -> None:
    folder = shelf.write(shelf.manifest("whiteboard"))
    catalog = Catalog.load([shelf.folder])
    assert catalog.bundles["whiteboard"].trusted
    assert [refused.folder for refused in catalog.refused] == [folder]


def test_the_package_is_found_without_being_imported() -> None:
    package = find_package()
    assert package is not None
    assert (package / "sdk").is_dir()
