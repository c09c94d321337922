"""Libraries that stand in front of the C library of a process under test."""

from __future__ import annotations

import subprocess
from pathlib import Path

_FLAGS = ("-Wall", "-Wextra", "-Werror", "-O1", "-shared", "-fPIC")


def build(source: Path, folder: Path) -> Path:
    """Compile one, for ``LD_PRELOAD``."""
    library = folder / f"{source.stem}.so"
    subprocess.run(["gcc", *_FLAGS, "-o", str(library), str(source), "-ldl", "-lpthread"], check=True)
    return library
