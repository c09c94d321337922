"""An app with the sidecar inside, laid out as Tauri's ``.deb`` does it."""

from __future__ import annotations

import os
import select
import shutil
import stat
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scripts.bundle.build import FOLDER, product_name

T_EXIT_S = 5.0
"""How long after its end, of whatever kind, anything of the sidecar may still be there."""


@dataclass(frozen=True)
class Installed:
    """Where everything of it lies."""

    root: Path

    @property
    def launcher(self) -> Path:
        """What the app starts."""
        return self.root / "usr" / "bin" / "lineup-sidecar"

    @property
    def folder(self) -> Path:
        """The Runtime's own folder."""
        return self.root / "usr" / "lib" / product_name() / "sidecar"

    def run(self, *arguments: str, **options: Any) -> subprocess.CompletedProcess[bytes]:
        """Run the command to its end."""
        return subprocess.run([str(self.launcher), *arguments], capture_output=True, timeout=60, **options)

    def processes(self) -> set[int]:
        """List the running processes whose program lies in it."""
        found = set()
        for entry in Path("/proc").iterdir():
            try:
                program = (entry / "exe").readlink()
            except OSError:  # no process, ended meanwhile, or the kernel's own
                continue
            if program.is_relative_to(self.root):
                found.add(int(entry.name))
        return found

    def inventory(self) -> dict[str, tuple[int, int, int]]:
        """List each file and folder with its mode, size and time of change."""
        about = {str(path): path.lstat() for path in self.root.rglob("*")}
        return {name: (one.st_mode, one.st_size, one.st_mtime_ns) for name, one in about.items()}


def install(bundle: Path) -> Installed:
    """Lay the app out from the folder that ``make bundle`` filled, and take the right to write away."""
    [launcher] = bundle.glob("lineup-sidecar-*")
    outer = Path(tempfile.mkdtemp(prefix="lineup-"))
    outer.chmod(0o755)  # for other users too
    app = Installed(outer / "Zwölf Äpfel, 語")
    app.launcher.parent.mkdir(parents=True)
    shutil.copy2(launcher, app.launcher)
    shutil.copytree(bundle / FOLDER, app.folder, symlinks=True)
    _change_modes(app.root, lambda mode: mode & ~0o222 | 0o444 | (0o111 if mode & 0o100 else 0))
    return app


def uninstall(app: Installed) -> None:
    """Take it away again."""
    _change_modes(app.root, lambda mode: mode | 0o200)
    shutil.rmtree(app.root.parent)


def wait_until_gone(pids: set[int]) -> None:
    """Wait until these processes have ended. Raises TimeoutError where they take longer than they may."""
    deadline = time.monotonic() + T_EXIT_S
    for pid in pids:
        try:
            process = os.pidfd_open(pid)
        except ProcessLookupError:
            continue
        try:
            if not select.select([process], [], [], max(0.0, deadline - time.monotonic()))[0]:
                raise TimeoutError(f"process {pid} is still there after {T_EXIT_S:g} s")
        finally:
            os.close(process)


def _change_modes(root: Path, change: Callable[[int], int]) -> None:
    for path in [root, *root.rglob("*")]:
        if not path.is_symlink():
            path.chmod(change(stat.S_IMODE(path.stat().st_mode)))
