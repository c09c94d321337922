"""The scripts of the surfaces: sound for Node, and their own tests pass there."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

import miniapps

SCRIPTS = sorted(Path(miniapps.__file__).parent.glob("*/surface/*.js"))
TESTS = sorted(Path(__file__).parent.glob("*/*.test.mjs"))


def run(*arguments: object) -> None:
    ran = subprocess.run(["node", *map(str, arguments)], capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.mark.parametrize("script", SCRIPTS, ids=[f"{path.parts[-3]}/{path.name}" for path in SCRIPTS])
def test_a_script_can_be_parsed(script: Path) -> None:
    run("--check", script)


@pytest.mark.parametrize("test", TESTS, ids=[path.name for path in TESTS])
def test_the_tests_of_the_scripts_pass(test: Path) -> None:
    run("--test", test)
