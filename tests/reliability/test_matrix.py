"""Whoever is killed and wherever, nothing answered is lost and nothing final is doubled; a fault would be seen."""

from __future__ import annotations

import pytest

from tests.reliability.document import PAGE, render
from tests.reliability.matrix import cells, find_unnoticed, moments, run_all, some_cells
from tests.reliability.migrations import ROWS
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
    assert find_unnoticed() == []


def test_the_page_names_the_places_that_there_are_and_all_of_them_hold() -> None:
    assert PAGE.read_text() == render({cell: {} for cell in cells()}), "make reliability writes it anew"
