"""Whoever is killed and wherever, nothing answered is lost and nothing final is doubled; a fault would be seen."""

from __future__ import annotations

import pytest

from tests.reliability.document import PAGE, render
from tests.reliability.matrix import Cell, cells, moments, run_all, some_cells
from tests.reliability.migrations import ROWS
from tests.reliability.planted import FAULTS
from tests.reliability.points import HOST, MIGRATION, PLACE, SIDECAR, STEP, TREE, WORKER
from tests.reliability.requests import NAMES, STARTS

requirement = pytest.mark.requirement


@requirement("R6-killed-anywhere", "R1-one-transaction", "R1-after-the-commit", "R1-first-ending-wins")
@requirement("R6-outbox-again", "R6-running-waits", "R2-redelivery", "R6-worker-restarts")
def test_a_death_anywhere_leaves_all_that_was_answered() -> None:
    wanted = some_cells()
    outcomes = zip(wanted, run_all((cell, ()) for cell in wanted), strict=True)
    assert {cell: faults for cell, faults in outcomes if faults} == {}


@pytest.mark.parametrize("victim", [SIDECAR, HOST, TREE])
def test_the_suite_meets_every_step_and_every_moment(victim: str) -> None:
    met = [cell for cell in some_cells() if (cell.victim, cell.part) == (victim, STEP)]
    assert {cell.moment for cell in met} == set(moments(victim))
    assert {cell.row for cell in met} == {*NAMES, *STARTS}


def test_the_suite_meets_every_victim_beside_a_worker_and_in_every_statement_of_a_migration() -> None:
    met = some_cells()
    assert {cell.victim for cell in met if cell.part == PLACE} == {WORKER, SIDECAR, HOST, TREE}
    assert {cell.row for cell in met if cell.part == MIGRATION} == set(ROWS)


def test_planted_faults_turn_their_cells_red() -> None:
    wanted = [(one, (fault,)) for fault, planted in FAULTS.items() for one in planted.noticed]
    found = run_all((Cell(one.victim, one.part, one.row, one.moment), faults) for one, faults in wanted)
    outcomes = zip(wanted, found, strict=True)
    assert [(one, faults, red) for (one, faults), red in outcomes if not set(one.columns) <= set(red)] == []


def test_the_page_names_the_places_that_there_are_and_all_of_them_hold() -> None:
    assert PAGE.read_text() == render({cell: {} for cell in cells()}), "make reliability writes it anew"
