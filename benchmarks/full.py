"""``python -m benchmarks.full``: a Tool loop and a start on a store that already holds many calls, beside an empty one.

The store is filled by the Runtime itself, many loops at a time, so it holds what a user's store would.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

from benchmarks.measures import IN_FLIGHT, Samples
from benchmarks.report import machine
from benchmarks.sides import Sidecar

_HERE = Path(__file__).parent
_COMMAND = [str(Path(sys.executable).parent / "lineup-sidecar")]
_BLOCK = 20


def fill(folder: Path, calls: int) -> None:
    """Let a store hold so many calls."""
    with Sidecar(_COMMAND, folder) as sidecar:
        sidecar.prepare()
        sidecar.flood(calls, IN_FLIGHT)


def measure(full: Path, empty: Path, seconds: float) -> dict[str, tuple[Samples, Samples]]:
    """Loops and starts, by turns on each store."""
    with Sidecar(_COMMAND, full) as ours, Sidecar(_COMMAND, empty) as other:
        for side in (ours, other):
            side.prepare()
            side.flood(5 * IN_FLIGHT, IN_FLIGHT)
        loops = _by_turns(
            lambda: [ours.loop() for _ in range(_BLOCK)], lambda: [other.loop() for _ in range(_BLOCK)], seconds
        )
    starts = _by_turns(lambda: [_start(full)], lambda: [_start(empty)], seconds)
    return {"Tool loop": loops, "start to answered `initialize`": starts}


def _start(folder: Path) -> float:
    with Sidecar(_COMMAND, folder) as side:
        side.initialize()
        return perf_counter() - side.started


def _by_turns(
    ours: Callable[[], list[float]], other: Callable[[], list[float]], seconds: float
) -> tuple[Samples, Samples]:
    samples = Samples(), Samples()
    end = perf_counter() + seconds
    while perf_counter() < end:
        samples[0].values += ours()
        samples[1].values += other()
    return samples


def report(measured: dict[str, tuple[Samples, Samples]], calls: int) -> str:
    """The medians as a Markdown table."""
    lines = [f"| what, p50 | {calls:,} calls stored | empty store | ratio |", "| --- | ---: | ---: | ---: |"]
    for name, (full, empty) in measured.items():
        lines.append(f"| {name} | {full.p50 * 1e3:,.2f} ms | {empty.p50 * 1e3:,.2f} ms | {full.p50 / empty.p50:.2f} |")
    return "\n".join([machine(), "", *lines, ""])


def main() -> int:
    """Run the command line; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.full", description="Measure on a store that is full.")
    parser.add_argument("--folder", type=Path, default=_HERE.parent / "build" / "full", help="where the stores lie")
    parser.add_argument("--calls", type=int, default=1_000_000, help="how many the full one holds (default: 1000000)")
    parser.add_argument("--seconds", type=float, default=10, help="for each measure (default: 10)")
    options = parser.parse_args()
    folder = options.folder.absolute()
    shutil.rmtree(folder, ignore_errors=True)
    fill(folder / "full", options.calls)
    sys.stdout.write(report(measure(folder / "full", folder / "empty", options.seconds), options.calls))
    shutil.rmtree(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
