"""Every cell of the matrix: who dies, where, and what was found after it; run side by side in processes."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from tests.reliability import hand_over, migrations, requests
from tests.reliability.judge import Faults
from tests.reliability.planted import FAULTS, Noticed
from tests.reliability.points import (
    HALF_ASKED,
    HOST,
    MIGRATION,
    NO_WORKER,
    PLACE,
    SIDECAR,
    START_MOMENTS,
    STEP,
    STEP_MOMENTS,
    TREE,
    WORKER,
)
from tests.reliability.processes import adopt_orphans
from tests.reliability.steps import STEPS


class Cell(NamedTuple):
    """Who dies, what is under way, and when; ``moment`` is empty where the row says it all."""

    victim: str
    part: str
    row: str
    moment: str = ""


def cells() -> list[Cell]:
    """All that there are, in the order of the document."""
    return [*_steps(), *_places(), *_migrations()]


def some_cells() -> list[Cell]:
    """Those that the suite runs: of each row a few, and of the next row others; ``make reliability`` runs all."""
    rows: dict[tuple[str, ...], list[Cell]] = {}
    for cell in cells():
        rows.setdefault((cell.part, cell.row, cell.victim if cell.part == STEP else ""), []).append(cell)
    return [
        cell
        for number, row in enumerate(rows.values())
        for place, cell in enumerate(row)
        if (number + place) % _every(row) == 0
    ]


def _every(row: list[Cell]) -> int:
    """One cell in how many of a row the suite runs; more than a row has leaves some rows out."""
    if row[0].part == STEP:
        return min(len(row), 4) if row[0].victim == SIDECAR else len(row)
    return 7 if row[0].part == PLACE else 3


def run(cell: Cell, faults: tuple[str, ...] = ()) -> Faults:
    """Let it happen; the columns that do not hold. Orphans come to this process, which must have no other children."""
    with TemporaryDirectory(prefix="lineup-cell-") as folder:
        try:
            return _run(Path(folder), cell, faults)
        except AssertionError as fault:
            raise AssertionError(f"{cell}: {fault}") from fault


def _run(folder: Path, cell: Cell, faults: tuple[str, ...]) -> Faults:
    if cell.part == MIGRATION:
        return migrations.die_in_migration(folder, cell.row, cell.moment, cell.victim, faults)
    if cell.part == PLACE:
        return hand_over.die_at(folder, cell.row, cell.victim, faults)
    if cell.row in requests.STARTS:
        return requests.die_in_start(folder, cell.row, cell.moment, cell.victim, faults)
    return requests.die_in_step(folder, cell.row, cell.moment, cell.victim, faults)


def run_all(wanted: Iterable[tuple[Cell, tuple[str, ...]]]) -> Iterator[Faults]:
    """Run cells side by side, each with what is planted; the faults of each, in order."""
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor((os.cpu_count() or 2) + 1, spawn, initializer=adopt_orphans) as pool:
        yield from pool.map(run, *zip(*wanted, strict=True))


def find_unnoticed() -> list[tuple[str, Noticed]]:
    """Plant each fault; those whose cell does not turn red as it is due."""
    due = [(fault, one) for fault, planted in FAULTS.items() for one in planted.noticed]
    found = run_all((Cell(one.victim, one.part, one.row, one.moment), (fault,)) for fault, one in due)
    return [each for each, red in zip(due, found, strict=True) if not set(each[1].columns) <= red.keys()]


def moments(victim: str) -> list[str]:
    """The moments of a request at which one can die."""
    return [HALF_ASKED, *STEP_MOMENTS] if victim == HOST else list(STEP_MOMENTS)


def _steps() -> Iterator[Cell]:
    for victim in (SIDECAR, HOST, TREE):
        for step in STEPS:
            for moment in moments(victim):
                if step.audited or moment != "changed, not yet audited":
                    yield Cell(victim, STEP, step.name, moment)
        for row in requests.STARTS:
            for moment in START_MOMENTS:
                yield Cell(victim, STEP, row, moment)


def _places() -> Iterator[Cell]:
    for place in hand_over.places():
        for victim in (WORKER, SIDECAR, HOST, TREE):
            if victim != WORKER or place not in NO_WORKER:
                yield Cell(victim, PLACE, place)


def _migrations() -> Iterator[Cell]:
    for row in migrations.ROWS:
        for moment in migrations.SIDES:
            for victim in (SIDECAR, HOST, TREE):
                yield Cell(victim, MIGRATION, row, moment)
