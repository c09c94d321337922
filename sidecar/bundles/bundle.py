"""A MiniApp's folder, read and found sound (PROTOCOL 10)."""

from __future__ import annotations

from pathlib import Path
from typing import Final, Literal

from rpc_schema.manifest import Manifest
from rpc_schema.surfaces import SurfaceDocument
from sidecar.bundles.document import INDEX, DocumentError, build_document, list_entries
from sidecar.bundles.files import FileError, find_file, is_there
from sidecar.bundles.manifest import ManifestError, read_manifest
from sidecar.domain.tool_schema import Fault

LOGIC: Final = "app.py"


class Bundle:
    """One MiniApp. ``trusted``: it came with the package. ``logic``: its ``app.py``, or None where the Host runs it."""

    def __init__(self, manifest: Manifest, folder: Path, *, trusted: bool) -> None:
        self.manifest, self.folder, self.trusted = manifest, folder, trusted
        self.logic: Path | None = folder / LOGIC if (folder / LOGIC).is_file() else None
        self._documents: dict[str, SurfaceDocument] = {}

    def __repr__(self) -> str:
        return f"<Bundle {self.manifest.app_scope} {self.manifest.version} in {self.folder}>"

    @property
    def run_by(self) -> Literal["worker", "host"]:
        """Who runs the logic, unless a Host claims it with ``host_run``."""
        return "worker" if self.logic else "host"

    def document(self, entry: str | None = None) -> SurfaceDocument:
        """Give the document of one of the bundle's pages, by default ``index.html``. It is made once.

        Raises :class:`~sidecar.bundles.document.DocumentError`.
        """
        name = entry or INDEX
        if name not in self._documents:
            self._documents[name] = build_document(self.folder, name)
        return self._documents[name]


def read_bundle(folder: Path, *, trusted: bool = False, pages: bool = True) -> Bundle:
    """Read a bundle's folder. ``trusted``: it came with the package. ``pages``: make all its pages now, to be sure.

    Raises :class:`~sidecar.bundles.manifest.ManifestError` with every fault, those of the pages too.
    """
    folder = folder.resolve()
    faults = _find_file_faults(folder, pages=pages)
    try:
        manifest = read_manifest(folder, trusted=trusted)
    except ManifestError as error:
        raise ManifestError([*error.faults, *faults]) from None
    if faults:
        raise ManifestError(faults)
    return Bundle(manifest, folder, trusted=trusted)


def _find_file_faults(folder: Path, *, pages: bool) -> list[Fault]:
    faults = []
    if is_there(folder / LOGIC):
        try:
            find_file(folder, LOGIC)
        except FileError as error:
            faults.append(Fault(LOGIC, str(error)))
    for entry in list_entries(folder) if pages else []:
        try:
            build_document(folder, entry)
        except DocumentError as error:
            faults += error.faults
    return faults
