"""A user: a home folder, an environment, a sidecar that the application finds, and what it opens outside."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Final, Self

_KEPT: Final = ("PATH", "DBUS_SESSION_BUS_ADDRESS", "LD_LIBRARY_PATH")


class Home:
    """Everything of one user that the application may touch lies in one folder."""

    def __init__(self, folder: Path, screen: str, sidecar: list[str]) -> None:
        self.folder = folder
        self.database = folder / "lineup.sqlite"
        self.sidecar = folder / "lineup-sidecar.sh"
        self.command = [*sidecar, "--database", str(self.database)]
        self._opened = folder / "opened"
        self._stderr = folder / "stderr"
        programs = folder / "programs"
        for made in (folder, programs, folder / "run"):
            made.mkdir(mode=0o700)
        self.install(f"exec {shlex.join(self.command)}")
        _write(programs / "xdg-open", f'printf "%s\\n" "$1" >> {shlex.quote(str(self._opened))}')
        kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
        self.environment = kept | {
            "PATH": f"{programs}:{os.environ['PATH']}",
            "HOME": str(folder),
            "XDG_RUNTIME_DIR": str(folder / "run"),
            "DISPLAY": screen,
            "GDK_BACKEND": "x11",
            "LANG": "C.UTF-8",
            "NO_AT_BRIDGE": "1",
            "WEBKIT_DISABLE_COMPOSITING_MODE": "1",
            "LINEUP_SIDECAR": str(self.sidecar),
        }

    def __enter__(self) -> Self:
        self.log = self._stderr.open("wb")
        return self

    def __exit__(self, *_: object) -> None:
        self.log.close()

    def install(self, script: str) -> None:
        """Put another program where the sidecar is looked for."""
        _write(self.sidecar, script)

    def install_the_real_one(self) -> None:
        """Put the sidecar there again."""
        self.install(f"exec {shlex.join(self.command)}")

    def said(self) -> str:
        """What the application wrote to stderr."""
        return self._stderr.read_text(errors="replace")

    def opened(self) -> list[str]:
        """The addresses that were opened outside of the window."""
        return self._opened.read_text().splitlines() if self._opened.exists() else []

    def verify(self) -> None:
        """Check that the store is sound. Raises AssertionError with what is not."""
        command = [sys.executable, "-m", "sidecar", "verify", "--database", str(self.database)]
        checked = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert checked.returncode == 0, checked.stdout + checked.stderr


def _write(program: Path, script: str) -> None:
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
