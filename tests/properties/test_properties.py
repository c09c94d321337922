"""Whatever a Host, an Agent and MiniApps do in whatever order, the Runtime does what the rules say (RULES 1 to 8).

The suite's profile is bounded and always the same. ``LINEUP_PROPERTIES=500`` makes that many random runs of each kind
instead, and longer ones.
"""

from __future__ import annotations

import os
import secrets
from functools import partial
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.properties.everything import Machine
from tests.properties.stage import Stage
from tests.properties.walks import walk

RUNS = int(os.environ.get("LINEUP_PROPERTIES", "0"))
STEPS = 80 if RUNS else 45
DRAWN = settings(
    max_examples=RUNS or 20,
    stateful_step_count=STEPS,
    derandomize=not RUNS,
    database=None,
    deadline=None,
    print_blob=bool(RUNS),
    suppress_health_check=list(HealthCheck),
)


@pytest.mark.requirement("R6-killed-anywhere", "R1-first-ending-wins", "R1-one-transaction", "R2-check-order")
@pytest.mark.requirement("R5-statuses")
def test_the_runtime_does_what_the_rules_say(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    run_state_machine_as_test(partial(Machine, stage), settings=DRAWN)
    stage.end()


@pytest.mark.requirement("R6-killed-anywhere", "R1-first-ending-wins", "R1-one-transaction", "R2-check-order")
@pytest.mark.requirement("R5-statuses")
def test_the_runtime_does_what_the_rules_say_on_walks_by_chance(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    for seed in [secrets.randbits(32) for _ in range(RUNS)] or range(70):
        walk(stage, seed, STEPS)
    stage.end()
