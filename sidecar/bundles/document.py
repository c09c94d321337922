"""Make the one self-contained document of a surface and the CSP that goes with it (PROTOCOL 5 and 10)."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Final
from urllib.parse import unquote

from rpc_schema import limits
from rpc_schema.json_text import write_json
from rpc_schema.surfaces import SurfaceDocument
from sidecar.bundles.files import FileError, read_text
from sidecar.bundles.page import inline_page
from sidecar.domain.tool_schema import Fault

SURFACE: Final = "surface"
INDEX: Final = "index.html"
_ENTRY: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}")
_ELSEWHERE: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|/|.*[\\?#\0]")


class DocumentError(Exception):
    """A surface whose document cannot be made; ``faults`` lists why, each with its file."""

    def __init__(self, faults: list[Fault]) -> None:
        super().__init__("; ".join(f"{fault.path}: {fault.message}" for fault in faults))
        self.faults = faults


def list_entries(folder: Path) -> list[str]:
    """List the pages of a bundle that a surface may open."""
    found = (folder / SURFACE).glob("*.html")
    return sorted(path.name for path in found if path.is_file() and _ENTRY.fullmatch(path.name))


def build_document(folder: Path, entry: str = INDEX) -> SurfaceDocument:
    """Build the document of a page in the bundle's ``surface/``.

    The Host serves ``html`` as UTF-8 under ``csp``. Raises :class:`DocumentError` with all that is wrong.
    """
    path = f"{SURFACE}/{entry}"
    if not _ENTRY.fullmatch(entry) or not entry.endswith(".html"):
        raise DocumentError([Fault(SURFACE, "an entry is the name of an .html file in this folder")])
    try:
        source = read_text(folder, SURFACE, entry, limit=limits.MAX_DOCUMENT)
    except FileError as error:
        raise DocumentError([Fault(path, str(error))]) from None
    page = inline_page(source, path, lambda address: _load(folder, address))
    size = len(write_json(page.html))
    if size > limits.MAX_DOCUMENT:
        page.faults.append(
            Fault(path, f"takes {size} bytes as JSON with all that it names, over {limits.MAX_DOCUMENT}")
        )
    if page.faults:
        raise DocumentError(page.faults)
    return SurfaceDocument(html=page.html, csp=_write_csp(page.scripts, page.styles), sandbox=["allow-scripts"])


def _load(folder: Path, address: str) -> tuple[str, str]:
    """Read the file that a page names by a relative address."""
    if not address or _ELSEWHERE.match(address):
        raise FileError("is no relative path within surface/: put the file there and name it so")
    parts = [part for part in unquote(address).split("/") if part != "."]
    if not all(parts) or ".." in parts:
        raise FileError("leads out of surface/")
    return "/".join((SURFACE, *parts)), read_text(folder, SURFACE, *parts, limit=limits.MAX_DOCUMENT)


def _write_csp(scripts: list[str], styles: list[str]) -> str:
    """Write the policy: nothing from anywhere, no nonce (with one ``import()`` reaches any host), no ``'self'``."""
    return (
        f"default-src 'none'; script-src {_write_sources(scripts)}; style-src {_write_sources(styles)}; "
        "img-src data: blob:; font-src data:; connect-src 'none'; form-action 'none'; base-uri 'none'; "
        "sandbox allow-scripts"
    )


def _write_sources(texts: Iterable[str]) -> str:
    hashes = (b64encode(sha256(text.encode()).digest()).decode() for text in texts)
    return " ".join(dict.fromkeys(f"'sha256-{value}'" for value in hashes)) or "'none'"
