"""A process with mounts of its own, which end with it and nobody else sees."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys

_UNSHARE = ["unshare", "--mount", *([] if hasattr(os, "geteuid") and os.geteuid() == 0 else ["--map-root-user"])]


def in_mounts(mount: str, command: list[str]) -> list[str]:
    """A command that runs ``mount``, a line of shell, and becomes ``command``: the same process."""
    return [*_UNSHARE, "sh", "-ec", f"{mount}\nexec {shlex.join(command)}"]


def _reason() -> str:
    if sys.platform != "linux" or shutil.which("unshare") is None:
        return "only Linux has mounts of a process's own"
    tried = subprocess.run(in_mounts("mount -t tmpfs none /mnt", ["true"]), capture_output=True, check=False)
    return "" if tried.returncode == 0 else "this system lets nobody here mount"


CANNOT_MOUNT = _reason()
"""Why there are none here, or nothing."""
