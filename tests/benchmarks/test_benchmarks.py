"""The harness runs: every measure is taken and told. How fast is no test's business."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OTHER = Path(__file__).with_name("other_peer.py")


def run(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "benchmarks", "--folder", str(folder), "--seconds", "0.2", *options]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)


def rows(text: str) -> dict[str, list[str]]:
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line[:1] == "|"]
    return {name: values for name, *values in cells[2:]}


def test_both_sides_are_measured_and_the_table_is_kept(tmp_path: Path) -> None:
    out = tmp_path / "results.md"
    ran = run(tmp_path / "run", "--out", str(out), "--mcp", shlex.join([sys.executable, str(OTHER)]))
    assert (ran.returncode, ran.stderr) == (0, "")
    assert out.read_text() == ran.stdout
    table = rows(ran.stdout)
    assert len(table) == 13
    compared = [name for name, cells in table.items() if "-" not in cells[:3]]
    assert len(compared) == 9
    assert list((tmp_path / "run").iterdir()) == []


def test_the_runtime_is_measured_alone(tmp_path: Path) -> None:
    ran = run(tmp_path, "--alone")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert {cells[1] for cells in rows(ran.stdout).values()} == {"-"}


@pytest.mark.parametrize("option", ["--sidecar", "--mcp"])
def test_a_side_that_does_not_answer_voids_the_run(tmp_path: Path, option: str) -> None:
    silent = shlex.join([sys.executable, "-c", "import sys; sys.exit('no such thing here')"])
    ran = run(tmp_path, option, silent)
    assert ran.returncode == 1
    assert ran.stderr == "benchmarks: the process has ended: no such thing here\n"
    assert ran.stdout == ""


def test_where_a_loop_spends_its_time_is_told_step_by_step(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "benchmarks.trace", "--folder", str(tmp_path / "run"), "--loops", "20"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    steps = {
        name: [int(cell.removesuffix(" µs").replace(",", "")) for cell in cells]
        for name, cells in rows(ran.stdout).items()
    }
    assert len(steps) == 7
    for half in (0, 1):
        *parts, whole = [times[half] for times in steps.values()]
        assert all(part >= 0 for part in parts)
        assert whole > 0


def test_a_full_store_is_measured_beside_an_empty_one(tmp_path: Path) -> None:
    options = ["--folder", str(tmp_path / "run"), "--calls", "500", "--seconds", "0.5"]
    command = [sys.executable, "-m", "benchmarks.full", *options]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert len(rows(ran.stdout)) == 2
