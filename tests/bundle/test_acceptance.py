"""The black-box tests of the wire, where they lie beside the project, and the scenarios of workers, frozen."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.bundle.installed import Installed

ROOT = Path(__file__).parents[2]
ACCEPTANCE = Path(os.environ.get("SHARED", ROOT.parent / "shared")) / "acceptance"
WORKERS = ROOT / "tests" / "scenarios" / "test_workers.py"
QUIET = ["-q", "-p", "no:cacheprovider", "-o", "addopts="]


@pytest.mark.parametrize("file", [*sorted(ACCEPTANCE.glob("test_*.py")), WORKERS], ids=lambda file: file.stem)
def test_what_holds_from_source_holds_frozen(app: Installed, file: Path) -> None:
    env = {**os.environ, "LINEUP_SIDECAR": shlex.quote(str(app.launcher))}
    options = ["--import-mode=importlib"] if file == WORKERS else ["--rootdir", str(file.parent)]
    command = [sys.executable, "-m", "pytest", *QUIET, *options, str(file)]
    done = subprocess.run(
        command, cwd=ROOT if file == WORKERS else file.parent, env=env, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout[-8000:]
