"""Every cell of the matrix: who dies, where, and what was found after it; run side by side in processes."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from tests.reliability import hand_over, requests
from tests.reliability.judge import Faults
from tests.reliability.points import START_MOMENTS, STEP_MOMENTS
from tests.reliability.steps import STEPS

SIDECAR, BETWEEN, WORKER = "the sidecar", "the sidecar, beside a worker", "a worker"
EVERY = 4
"""The suite runs one cell in so many, which meets every step and every moment; ``make reliability`` runs all."""


class Cell(NamedTuple):
    """A process, a row and a moment."""

    process: str
    row: str
    moment: str = ""


def cells() -> list[Cell]:
    """All that there are, in the order of the document."""
    steps = [
        Cell(SIDECAR, step.name, moment)
        for step in STEPS
        for moment in STEP_MOMENTS
        if step.audited or moment != "changed, not yet audited"
    ]
    starts = [Cell(SIDECAR, requests.START_AGAIN, moment) for moment in START_MOMENTS]
    between = [Cell(BETWEEN, place) for place in hand_over.sidecar_places()]
    workers = [Cell(WORKER, place) for place in hand_over.worker_places()]
    return [*steps, *starts, *between, *workers]


def some_cells() -> list[Cell]:
    """Those that the suite runs."""
    return cells()[::EVERY]


def run(cell: Cell, faults: tuple[str, ...] = ()) -> Faults:
    """Let it happen; the columns that do not hold."""
    with TemporaryDirectory(prefix="lineup-cell-") as folder:
        if cell.process == WORKER:
            return hand_over.kill_worker(Path(folder), cell.row)
        if cell.process == BETWEEN:
            return hand_over.die_at(Path(folder), cell.row)
        if cell.row == requests.START_AGAIN:
            return requests.die_in_start(Path(folder), cell.moment, faults)
        return requests.die_in_step(Path(folder), cell.row, cell.moment, faults)


def run_all(wanted: Iterable[Cell]) -> Iterator[tuple[Cell, Faults]]:
    """Run cells side by side; each with its faults, in order."""
    wanted = list(wanted)
    with ProcessPoolExecutor((os.cpu_count() or 2) + 1, multiprocessing.get_context("spawn")) as pool:
        yield from zip(wanted, pool.map(run, wanted), strict=True)
