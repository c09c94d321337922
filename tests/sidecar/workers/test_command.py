"""How a worker is started."""

import os
import sys
from pathlib import Path

import pytest

from sidecar.workers.command import worker_command


def test_from_source_the_interpreter_runs_isolated():
    command = worker_command(Path("/bundles/whiteboard"))
    assert command[0] == sys.executable
    assert "-I" in command
    assert command[-4:] == ["-m", "miniapps.sdk.worker", "/bundles/whiteboard", str(os.getpid())]


@pytest.mark.parametrize("suffix", ["", ".exe"])
def test_frozen_it_is_the_program_beside_the_sidecar(monkeypatch, suffix):
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(Path("/app") / f"sidecar{suffix}"))
    assert worker_command(Path("/b")) == [str(Path("/app") / f"worker{suffix}"), "/b", str(os.getpid())]
