"""Check a bundle's folder for its author (``lineup-sidecar check-manifest``, PROTOCOL 9)."""

from __future__ import annotations

from pathlib import Path

from sidecar.bundles.bundle import read_bundle
from sidecar.bundles.catalog import find_package
from sidecar.bundles.manifest import ManifestError


def check_folder(folder: Path) -> list[str]:
    """List every fault of a bundle, a line each: ``path: what is wrong``. Empty: it is good."""
    package = find_package()
    trusted = package is not None and folder.resolve().parent == package.resolve()
    try:
        read_bundle(folder, trusted=trusted)
    except ManifestError as error:
        return [f"{fault.path}: {fault.message}" for fault in error.faults]
    return []
