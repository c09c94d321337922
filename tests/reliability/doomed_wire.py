"""The wire to a sidecar that is to die, and to the one that comes after it."""

from __future__ import annotations

import contextlib
import io
import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from host_bridge.command import find_sidecar, serve_command
from sidecar.__main__ import main as lineup_sidecar
from tests.properties.wire import PATIENCE_S, Gone, Wire
from tests.reliability.points import NEWER

HERE = Path(__file__).parent
Plan = dict[str, Any]


def doomed_command(plan: Plan, arguments: Sequence[str]) -> list[str]:
    """Be the sidecar with a plan; without one, the sidecar itself."""
    if not any(plan.values()):
        return [*find_sidecar(), *arguments]
    return [sys.executable, str(HERE / "doomed.py"), json.dumps(plan), *arguments]


class DoomedWire(Wire):
    """A sidecar with a plan, on a store of its own; ``plan`` is for the next start."""

    def __init__(self, folder: Path, options: Sequence[str], plan: Plan) -> None:
        super().__init__(folder, options)
        self.folder, self.options = folder, options
        self.plan = plan

    def command(self) -> list[str]:
        """The same arguments, for the program with its plan."""
        return doomed_command(self.plan, super().command()[len(find_sidecar()) :])

    def arm(self) -> None:
        """Let the calls of its point count from now on."""
        assert self._process is not None
        os.kill(self._process.pid, signal.SIGUSR1)

    def is_dying(self) -> bool:
        """Hear all that it still says until it is gone; False where it lives on."""
        try:
            while self.has_news():
                self._hear(self._next())
        except Gone:
            return True
        return False

    def has_news(self, seconds: float = PATIENCE_S) -> bool:
        """Wait until it says something, or is gone."""
        assert self._process is not None
        assert self._process.stdout is not None
        return bool(self._messages or select.select([self._process.stdout.fileno()], [], [], seconds)[0])

    def ends_well(self) -> bool:
        """End its input; whether it ends in time and with 0."""
        try:
            return self.stop() == 0
        except subprocess.TimeoutExpired:
            return False

    def verify(self) -> tuple[int, str]:
        """What its program's ``verify`` says of the store; one that is as it should be is asked in this process."""
        command = ["verify", "--database", str(self.database)]
        if NEWER in self.plan.get("faults", ()):
            found = subprocess.run(doomed_command(self.plan, command), capture_output=True, check=False, text=True)
            return found.returncode, found.stdout + found.stderr
        said = io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            return lineup_sidecar(command), said.getvalue()

    def end(self) -> None:
        """End what is left of it."""
        if self._process is not None:
            self.kill()


def arguments_of(database: Path, *options: str) -> list[str]:
    """What a sidecar is started with, without the program."""
    return serve_command(database, *options)[len(find_sidecar()) :]
