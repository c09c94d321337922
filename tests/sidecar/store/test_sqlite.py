"""A store in a file waits for the disk, and for its own folder."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sidecar.store import sqlite
from sidecar.store.database import StoreError
from sidecar.store.engine import open_database

FULL = 2

pytestmark = pytest.mark.sqlite


def test_a_commit_waits_for_the_disk_also_where_a_plain_sync_does_not(tmp_path: Path) -> None:
    database = open_database(str(tmp_path / "lineup.sqlite"))
    assert database.execute("PRAGMA synchronous", ()).fetchone() == (FULL,)
    assert database.execute("PRAGMA fullfsync", ()).fetchone() == (1,)
    database.close()


def test_each_new_folder_is_synced_into_its_parent_and_a_store_that_is_there_needs_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[int] = []
    monkeypatch.setattr(sqlite, "_wait_for_disk", lambda descriptor: synced.append(os.fstat(descriptor).st_ino))
    for _ in range(2):
        open_database(str(tmp_path / "one" / "two" / "lineup.sqlite")).close()
    assert synced == [one.stat().st_ino for one in (tmp_path.parent, tmp_path, tmp_path / "one")]


def test_a_file_in_the_place_of_a_folder_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="cannot make the store at"):
        open_database(str(tmp_path / "file" / "lineup.sqlite"))
