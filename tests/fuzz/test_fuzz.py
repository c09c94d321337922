"""A bounded look for counterexamples; ``make fuzz`` looks for longer. What it finds becomes a test of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz.targets import SEEDS, TARGETS
from tests.fuzz.whole import Talk

ROOT = Path(__file__).parents[2]
PLANTED = """
import sys
from pathlib import Path
from tests.fuzz.guided import fuzz

def reader(data):
    if data[:1] == b"B" and data[1:2] == b"O" and data[2:3] == b"O" and data[3:4] == b"M":
        raise ValueError("a counterexample")

import atheris
fuzz(atheris.instrument_func(reader), [b"A"], Path(sys.argv[1]), 60, 1)
"""


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *command], cwd=ROOT, capture_output=True, text=True, timeout=180, check=False
    )


@pytest.mark.skipif(sys.platform != "linux", reason="the fuzzer runs on Linux alone")
@pytest.mark.parametrize("target", sorted(TARGETS))
def test_no_bytes_are_found_that_break_a_reader(tmp_path: Path, target: str) -> None:
    ran = run("-m", "tests.fuzz.guided", target, "--seconds", "6", "--folder", str(tmp_path))
    assert ran.returncode == 0, ran.stderr[-3_000:]
    learnt = list((tmp_path / target / "corpus").iterdir())
    assert len(learnt) > len(SEEDS[target]) + 20, "it saw no branches"


@pytest.mark.skipif(sys.platform != "linux", reason="the fuzzer runs on Linux alone")
def test_a_planted_fault_is_found(tmp_path: Path) -> None:
    ran = run("-c", PLANTED, str(tmp_path))
    assert ran.returncode == 77, ran.stderr[-3_000:]
    [found] = (tmp_path / "findings").glob("crash-*")
    assert found.read_bytes().startswith(b"BOOM")


@pytest.mark.requirement("R1-one-transaction")
@pytest.mark.parametrize("seed", range(4))
def test_nothing_that_is_said_nearly_right_breaks_the_whole(tmp_path: Path, seed: int) -> None:
    assert Talk(tmp_path, seed).run(120) > 100
