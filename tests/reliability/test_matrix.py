"""Whoever is killed and wherever, nothing answered is lost and nothing final is doubled; a fault would be seen."""

from __future__ import annotations

import pytest

from tests.reliability.document import PAGE, render
from tests.reliability.matrix import SIDECAR, Cell, cells, run, run_all, some_cells
from tests.reliability.planted import FAULTS
from tests.reliability.points import STEP_MOMENTS
from tests.reliability.requests import NAMES

requirement = pytest.mark.requirement


@requirement("R6-killed-anywhere", "R1-one-transaction", "R1-after-the-commit", "R1-first-ending-wins")
@requirement("R6-outbox-again", "R6-running-waits", "R2-redelivery", "R6-worker-restarts")
def test_a_death_anywhere_leaves_all_that_was_answered() -> None:
    broken = {cell: faults for cell, faults in run_all(some_cells()) if faults}
    assert broken == {}


def test_the_suite_meets_every_step_and_every_moment() -> None:
    met = [cell for cell in some_cells() if cell.process == SIDECAR]
    assert {cell.moment for cell in met} == set(STEP_MOMENTS)
    assert {cell.row for cell in met} >= set(NAMES)


@pytest.mark.parametrize("fault", [name for name, one in FAULTS.items() if one.row])
def test_a_planted_fault_turns_its_cell_red(fault: str) -> None:
    planted = FAULTS[fault]
    found = run(Cell(SIDECAR, planted.row, planted.moment), (fault,))
    assert set(planted.columns) <= set(found), found


def test_the_page_names_the_places_that_there_are_and_all_of_them_hold() -> None:
    assert PAGE.read_text() == render({cell: {} for cell in cells()}), "make reliability writes it anew"
