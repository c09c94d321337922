"""Which MiniApps there are: the package's own, and those of the folders given at the start (PROTOCOL 9)."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import Final, NamedTuple

from sidecar.bundles.bundle import Bundle, read_bundle
from sidecar.bundles.files import is_there
from sidecar.bundles.manifest import MANIFEST, ManifestError
from sidecar.domain.tool_schema import Fault

PACKAGE: Final = "miniapps"


class Refused(NamedTuple):
    """A folder that is left out, and why."""

    folder: Path
    faults: list[Fault]


class Catalog:
    """The bundles by ``app_scope``, in the order in which they were found, and what was left out."""

    def __init__(self) -> None:
        self.bundles: dict[str, Bundle] = {}
        self.refused: list[Refused] = []

    @classmethod
    def load(cls, folders: Iterable[Path], *, bundled: bool = True) -> Catalog:
        """Read the package's own bundles, if ``bundled``, and those of each folder; the first of a scope wins.

        A folder holds bundles, or is one. Their pages are made now, those of the package's own when asked for.
        Neither compiles a schema nor imports a MiniApp's code. A bundle that is refused leaves the others alone.
        """
        catalog = cls()
        own = find_package() if bundled else None
        if own:
            catalog._add_all(own, trusted=True)
        for folder in folders:
            catalog._add_all(folder, trusted=False)
        return catalog

    def _add_all(self, folder: Path, *, trusted: bool) -> None:
        try:
            inside = sorted(folder.iterdir())
        except OSError as error:
            self.refused.append(Refused(folder, [Fault("", f"cannot be read: {error.strerror}")]))
            return
        for path in [folder] if folder / MANIFEST in inside else inside:
            if is_there(path / MANIFEST):
                self._add(path, trusted=trusted)

    def _add(self, folder: Path, *, trusted: bool) -> None:
        try:
            bundle = read_bundle(folder, trusted=trusted, pages=not trusted)
        except ManifestError as error:
            self.refused.append(Refused(folder, error.faults))
            return
        first = self.bundles.setdefault(bundle.manifest.app_scope, bundle)
        if first is not bundle:
            self.refused.append(Refused(folder, [Fault("app_scope", f"is taken by the bundle in {first.folder}")]))


def find_package() -> Path | None:
    """Find the folder of the package's own MiniApps without importing any of their code."""
    spec = find_spec(PACKAGE)
    places = list(spec.submodule_search_locations or ()) if spec else []
    return Path(places[0]) if places else None
