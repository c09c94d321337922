"""Whatever a Host, an Agent and MiniApps do in whatever order, the Runtime does what the rules say (RULES 1 to 8).

The suite's profile is bounded and always the same. ``LINEUP_PROPERTIES=5000`` runs that many random ones instead.
"""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.properties.app_rules import AppRules
from tests.properties.stage import Stage

RUNS = int(os.environ.get("LINEUP_PROPERTIES", "0"))
PROFILE = settings(
    max_examples=RUNS or 120,
    stateful_step_count=60 if RUNS else 45,
    derandomize=not RUNS,
    database=None,
    deadline=None,
    print_blob=bool(RUNS),
    suppress_health_check=list(HealthCheck),
)


def test_the_runtime_does_what_the_rules_say(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    run_state_machine_as_test(partial(AppRules, stage), settings=PROFILE)
    stage.end()
