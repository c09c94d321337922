"""Files are read as a browser would get them, or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sidecar.bundles.files import FileError, find_file, is_there, read_file, read_text


def test_text_comes_as_a_browser_reads_it(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"\xef\xbb\xbfa\r\nb\rc\n\r\n\xc3\xa9")
    assert read_text(tmp_path, "a", limit=99) == "a\nb\nc\n\né"


def test_a_file_may_be_as_large_as_its_limit(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"12345")
    assert read_file(tmp_path, "a", limit=5) == b"12345"
    with pytest.raises(FileError, match="has more than 4 bytes"):
        read_file(tmp_path, "a", limit=4)


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(FileError, match="is not a regular file"):
        read_file(tmp_path, "pipe", limit=9)


def test_no_part_of_a_path_is_a_link(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "a").write_text("x")
    (tmp_path / "link").symlink_to(tmp_path / "deep")
    (tmp_path / "b").symlink_to("deep/a")
    assert find_file(tmp_path, "deep", "a") == tmp_path / "deep" / "a"
    for parts in (["link", "a"], ["b"]):
        with pytest.raises(FileError, match="symbolic link"):
            find_file(tmp_path, *parts)


def test_a_file_that_is_not_there_is_missing(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="is missing"):
        find_file(tmp_path, "a", "b")
    (tmp_path / "dangling").symlink_to("nowhere")
    assert is_there(tmp_path / "dangling")
    assert not is_there(tmp_path / "nowhere")


@pytest.mark.parametrize("name", ["a" * 300, "\udcff"])
def test_a_name_that_the_system_does_not_take_is_missing(tmp_path: Path, name: str) -> None:
    with pytest.raises(FileError):
        find_file(tmp_path, name)
