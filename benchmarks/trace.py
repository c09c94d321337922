"""``python -m benchmarks.trace``: where the time of one durable Tool loop goes, step by step.

The sidecar runs as :mod:`benchmarks.traced_sidecar`; its marks and this end's are of one clock. A loop has two halves:
*invoke* ends when the MiniApp has the call, *complete* when the Agent's side has the result.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from array import array
from bisect import bisect_left
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter_ns

from benchmarks.measures import IN_FLIGHT
from benchmarks.report import machine
from benchmarks.sides import Sidecar
from benchmarks.traced_sidecar import STEPS

_HERE = Path(__file__).parent
_PARTS = (
    ("written by the client", "begun", "sent"),
    ("the sidecar wakes and reads", "sent", "read"),
    ("checked, decided, written to the store", "read", "committing"),
    ("committed: the disk has it", "committing", "committed"),
    ("answers and news made", "committed", "answering"),
    ("sent; the client wakes and reads", "answering", "heard"),
    ("the whole half", "begun", "heard"),
)
Half = dict[str, int]


class _Client(Sidecar):
    """The benchmark's client, which notes when each half of a loop began, was sent and was answered."""

    def traced(self) -> Iterator[tuple[str, Half]]:
        """One loop's two halves."""
        invoke = self._half(self._deliver(), "sdk.tools.call")
        complete = self._half(self._complete(self.heard), "transport.send")
        self.request("transport.ack", {"outbox_ids": [self.heard["outbox_id"]]})
        yield from (("invoke", invoke), ("complete", complete))

    def _half(self, message: dict[str, object], answer: str) -> Half:
        begun = perf_counter_ns()
        self.send(message)
        sent = perf_counter_ns()
        self.heard = self.wait_for(answer)
        return {"begun": begun, "sent": sent, "heard": perf_counter_ns()}


def trace(folder: Path, loops: int) -> dict[str, list[Half]]:
    """Run so many loops; the times of each half, in nanoseconds of one clock."""
    marks = folder / "marks.bin"
    halves: dict[str, list[Half]] = {"invoke": [], "complete": []}
    with _Client([sys.executable, str(_HERE / "traced_sidecar.py"), str(marks)], folder) as client:
        client.prepare()
        client.flood(5 * IN_FLIGHT, IN_FLIGHT)  # so that nothing is measured that happens only once
        for _ in range(loops):
            for name, half in client.traced():
                halves[name].append(half)
    _fit(array("q", marks.read_bytes()), [half for both in halves.values() for half in both])
    return halves


def _fit(marks: array[int], halves: list[Half]) -> None:
    """Give each half the sidecar's steps that fall into it, from its first reading on, the first of each kind."""
    steps, times = marks[::2], marks[1::2]
    for half in halves:
        for place in range(bisect_left(times, half["begun"]), len(times)):
            step = STEPS[steps[place]]
            if times[place] > half["heard"]:
                break
            if step == "reading" or "reading" in half:
                half.setdefault(step, times[place])


def report(halves: dict[str, list[Half]]) -> str:
    """The medians as a Markdown table, in microseconds."""
    lines = ["| step | invoke | complete |", "| --- | ---: | ---: |"]
    for name, begun, ended in _PARTS:
        cells = [f"{_median(halves[half], begun, ended):,.0f} µs" for half in ("invoke", "complete")]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join([machine(), "", *lines, ""])


def _median(halves: list[Half], begun: str, ended: str) -> float:
    return median(half[ended] - half[begun] for half in halves if begun in half and ended in half) / 1_000


def main() -> int:
    """Run the command line; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.trace", description="Say where a loop's time goes.")
    parser.add_argument("--folder", type=Path, default=_HERE.parent / "build" / "trace", help="where the store lies")
    parser.add_argument("--loops", type=int, default=2_000, help="how many loops (default: 2000)")
    options = parser.parse_args()
    folder = options.folder.absolute()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    sys.stdout.write(report(trace(folder, options.loops)))
    shutil.rmtree(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
