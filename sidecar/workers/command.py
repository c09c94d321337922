"""How a worker is started: its command line and its environment."""

import os
import sys
from collections.abc import Callable
from pathlib import Path

Command = Callable[[Path], list[str]]
"""Makes the command line for a bundle's folder."""


def worker_command(folder: Path) -> list[str]:
    """Run the SDK's worker on a bundle: by this interpreter, isolated; frozen, by the program ``worker`` beside it.

    The worker hears its parent's pid, so that it can tell that the parent died before it could ask to die with it.
    """
    arguments = [str(folder), str(os.getpid())]
    if getattr(sys, "frozen", False):
        return [str(Path(sys.executable).with_stem("worker")), *arguments]
    return [sys.executable, "-I", "-X", "utf8", "-m", "miniapps.sdk.worker", *arguments]


def worker_environment() -> dict[str, str]:
    """Give a worker nothing that the Runtime inherited: no secret, no PATH, no loader's variable."""
    if sys.platform == "win32":  # an interpreter does not start there without it
        return {"SYSTEMROOT": os.environ["SYSTEMROOT"]}
    return {"LANG": "C.UTF-8"}
