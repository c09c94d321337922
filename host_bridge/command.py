"""The command line that starts a sidecar: from ``LINEUP_SIDECAR``, or the installed ``lineup-sidecar`` (PROTOCOL 9)."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path

from host_bridge.errors import HostError

VARIABLE = "LINEUP_SIDECAR"


def find_sidecar() -> list[str]:
    """The program and its fixed arguments. Raises HostError where there is none."""
    given = _split(os.environ.get(VARIABLE, ""))
    if given:
        return given
    beside_python = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    found = shutil.which("lineup-sidecar", path=beside_python)
    if found is None:
        raise HostError(f"no lineup-sidecar is installed: install lineup-runtime or name the command in {VARIABLE}")
    return [found]


def _split(command: str) -> list[str]:
    """Split as the system's shell does: on Windows a backslash is part of a path."""
    if sys.platform == "win32":
        return [word.strip('"') for word in shlex.split(command, posix=False)]
    return shlex.split(command)


def serve_command(database: Path | str, *options: str) -> list[str]:
    """Serve this process on a store, and end with it."""
    return [*find_sidecar(), "--database", str(database), "--parent-pid", str(os.getpid()), *options]
