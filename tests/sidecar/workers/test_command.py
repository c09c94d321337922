"""How a worker is started."""

import os
import sys
from pathlib import Path

from sidecar.workers.command import worker_command


def test_from_source_the_interpreter_runs_isolated():
    command = worker_command(Path("/bundles/whiteboard"))
    assert command[0] == sys.executable
    assert "-I" in command
    assert command[-4:] == ["-m", "miniapps.sdk.worker", "/bundles/whiteboard", str(os.getpid())]


def test_a_frozen_build_runs_itself(monkeypatch):
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert worker_command(Path("/b")) == [sys.executable, "--worker", "/b", str(os.getpid())]
