"""The command of the sidecar: the one that is named, else the one beside this Python or on the path."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from host_bridge.command import find_sidecar, serve_command
from host_bridge.errors import HostError


def test_the_variable_names_a_command_with_arguments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LINEUP_SIDECAR", "'/opt/my sidecar' --no-bundled")
    assert find_sidecar() == ["/opt/my sidecar", "--no-bundled"]


def test_on_windows_a_backslash_is_part_of_a_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("LINEUP_SIDECAR", r'"C:\Program Files\LineUp\sidecar.exe" --no-bundled')
    assert find_sidecar() == [r"C:\Program Files\LineUp\sidecar.exe", "--no-bundled"]


def test_without_it_the_installed_one_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("LINEUP_SIDECAR", raising=False)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    (tmp_path / "lineup-sidecar").touch(mode=0o755)
    assert find_sidecar() == [str(tmp_path / "lineup-sidecar")]


def test_where_there_is_none_the_error_says_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("LINEUP_SIDECAR", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    with pytest.raises(HostError, match="name the command in LINEUP_SIDECAR"):
        find_sidecar()


def test_a_sidecar_serves_a_store_and_ends_with_its_parent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LINEUP_SIDECAR", "sidecar")
    pid = str(os.getpid())
    assert serve_command("x.sqlite", "--no-bundled") == [
        "sidecar",
        "--database",
        "x.sqlite",
        "--parent-pid",
        pid,
        "--no-bundled",
    ]
