"""The launcher: finds the Runtime wherever Tauri puts it, and hands everything on as it is."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from scripts.bundle.build import product_name
from tests.bundle.installed import Installed

RUNTIME = '#!/bin/sh\nprintf "%s\\n" "$0" "$@"\ncat\nexit 7\n'
PLACES = ["named/sidecar", "app/sidecar", "Resources/sidecar", f"lib/{product_name()}/sidecar"]
"""Where the folder may lie, seen from the folder above the launcher's; the first that is there is taken."""


@pytest.fixture
def root(app: Installed, tmp_path: Path) -> Path:
    """A folder with a launcher in ``app`` and no Runtime."""
    (tmp_path / "app").mkdir()
    shutil.copy(app.launcher, tmp_path / "app" / "lineup-sidecar")
    return tmp_path


def put(root: Path, place: str) -> Path:
    """Put a Runtime there that says how it was called: its program."""
    program = root / place / "sidecar"
    program.parent.mkdir(parents=True)
    program.write_text(RUNTIME)
    program.chmod(0o755)
    return program


def launch(launcher: Path, *arguments: str | bytes, **env: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([launcher, *arguments], input=b"in\n", capture_output=True, env=env, timeout=30)


@pytest.mark.parametrize("first", range(len(PLACES)))
def test_it_takes_the_first_place_that_has_the_runtime(root: Path, first: int) -> None:
    programs = [put(root, place) for place in PLACES[first:]]
    done = launch(root / "app" / "lineup-sidecar", LINEUP_RESOURCE_DIR=str(root / "named"))
    assert done.stdout.decode() == f"{programs[0]}\nin\n"


def test_arguments_streams_and_the_exit_code_pass_as_they_are(root: Path) -> None:
    program = put(root, PLACES[1])
    done = launch(root / "app" / "lineup-sidecar", "--a b", "", "語", b"\xff")
    assert done.stdout == os.fsencode(program) + "\n--a b\n\n語\n".encode() + b"\xff\nin\n"
    assert (done.returncode, done.stderr) == (7, b"")


def test_a_link_to_it_finds_the_app_that_it_leads_to(root: Path, tmp_path: Path) -> None:
    program = put(root, PLACES[3])
    link = tmp_path / "elsewhere" / "runtime"
    link.parent.mkdir()
    link.symlink_to(root / "app" / "lineup-sidecar")
    assert launch(link).stdout.decode() == f"{program}\nin\n"


def test_without_the_runtime_it_says_where_it_looked(root: Path) -> None:
    done = launch(root / "app" / "lineup-sidecar", LINEUP_RESOURCE_DIR="/named")
    assert (done.returncode, done.stdout) == (127, b"")
    said = done.stderr.decode()
    assert said.startswith("lineup-sidecar: the Runtime is missing: put its folder")
    assert said.splitlines() == [said.rstrip()]
    assert "/named/sidecar/sidecar" in said
    assert all(str(root / place / "sidecar") in said for place in PLACES[1:])


def test_a_runtime_that_cannot_be_run_is_named(root: Path) -> None:
    program = put(root, PLACES[1])
    program.chmod(0o644)
    done = launch(root / "app" / "lineup-sidecar")
    assert (done.returncode, done.stdout) == (127, b"")
    assert done.stderr.decode().startswith(f"lineup-sidecar: cannot run {program}: ")
