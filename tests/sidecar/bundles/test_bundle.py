"""A bundle's folder as a whole."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from sidecar.bundles.bundle import read_bundle
from sidecar.bundles.document import DocumentError
from sidecar.bundles.manifest import ManifestError

BAD_PAGE = "<p onclick=x>"


def refuse(folder: Path, **options: bool) -> list[str]:
    with pytest.raises(ManifestError) as caught:
        read_bundle(folder, **options)
    return [fault.path for fault in caught.value.faults]


def test_a_bundle_without_logic_is_run_by_the_host(shelf: Any) -> None:
    bundle = read_bundle(shelf.write(shelf.manifest()))
    assert (bundle.logic, bundle.run_by, bundle.trusted) == (None, "host", False)
    assert bundle.manifest.app_scope == "probe"


def test_a_bundle_with_logic_is_run_by_a_worker(shelf: Any) -> None:
    bundle = read_bundle(shelf.write(shelf.manifest(), {"app.py": "raise SystemExit\n"}))
    assert (bundle.logic, bundle.run_by) == (bundle.folder / "app.py", "worker")


def test_logic_is_a_regular_file_of_the_bundle(shelf: Any, tmp_path: Path) -> None:
    (tmp_path / "outside.py").write_text("")
    folder = shelf.write(shelf.manifest())
    (folder / "app.py").symlink_to(tmp_path / "outside.py")
    assert refuse(folder) == ["app.py"]
    (folder / "app.py").unlink()
    (folder / "app.py").symlink_to(tmp_path / "nowhere.py")
    assert refuse(folder) == ["app.py"]
    (folder / "app.py").unlink()
    (folder / "app.py").mkdir()
    assert refuse(folder) == ["app.py"]


def test_a_document_is_made_once_for_each_page(shelf: Any) -> None:
    folder = shelf.write(shelf.manifest(), shelf.surface(other_html="<p>other"))
    bundle = read_bundle(folder)
    first, other = bundle.document(), bundle.document("other.html")
    shutil.rmtree(folder / "surface")
    assert bundle.document() is bundle.document("index.html") is first
    assert bundle.document("other.html") is other
    with pytest.raises(DocumentError):
        bundle.document("gone.html")


@pytest.mark.parametrize("page", ["index_html", "other_html"])
def test_a_page_that_cannot_be_made_refuses_its_bundle(shelf: Any, page: str) -> None:
    folder = shelf.write(shelf.manifest(), shelf.surface(**{page: BAD_PAGE}))
    assert refuse(folder) == [f"surface/{page.replace('_', '.')}"]


def test_pages_may_wait_until_they_are_asked_for(shelf: Any) -> None:
    bundle = read_bundle(shelf.write(shelf.manifest(), shelf.surface(index_html=BAD_PAGE)), pages=False)
    with pytest.raises(DocumentError):
        bundle.document()


def test_a_required_surface_that_cannot_be_made_refuses_its_bundle(shelf: Any) -> None:
    manifest = shelf.manifest(host={"min_version": "1.0.0", "surface_required": True})
    assert refuse(shelf.write(manifest)) == ["host.surface_required"]
    assert refuse(shelf.write(manifest, shelf.surface(index_html=BAD_PAGE))) == ["surface/index.html"]


def test_faults_of_manifest_logic_and_pages_come_together(shelf: Any, tmp_path: Path) -> None:
    folder = shelf.write(shelf.manifest(kind="remote"), shelf.surface(index_html=BAD_PAGE))
    (folder / "app.py").symlink_to(tmp_path / "nowhere.py")
    assert refuse(folder) == ["kind", "app.py", "surface/index.html"]


def test_the_folder_itself_may_be_reached_through_a_link(shelf: Any, tmp_path: Path) -> None:
    folder = shelf.write(shelf.manifest(), shelf.surface())
    (tmp_path / "link").symlink_to(folder)
    bundle = read_bundle(tmp_path / "link")
    assert bundle.folder == folder.resolve()
    assert "probe" in bundle.document().html


def test_a_bundle_shows_what_it_is(shelf: Any) -> None:
    folder = shelf.write(shelf.manifest())
    assert repr(read_bundle(folder)) == f"<Bundle probe 1.0.0 in {folder.resolve()}>"
