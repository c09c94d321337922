"""``lineup-sidecar check-manifest DIR``: every fault of a bundle, for its author."""

from __future__ import annotations

import sys
from pathlib import Path

from sidecar.bundles.check import check_folder


def check_manifest(folder: Path) -> int:
    """Print the faults; 1 if there are any, else 0."""
    faults = check_folder(folder)
    for fault in faults:
        sys.stdout.write(fault + "\n")
    if not faults:
        sys.stdout.write(f"{folder}: good\n")
    return 1 if faults else 0
