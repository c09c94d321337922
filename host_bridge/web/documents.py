"""The documents of sandboxed surfaces, each under a path that nobody can guess (PROTOCOL 5)."""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass
from http import HTTPStatus

from websockets.http11 import Response

from host_bridge.web.responses import HTML, NO_DEVICES, make_response
from rpc_schema.limits import MAX_DOCUMENT, MIB

MAX_DOCUMENTS = 64
MAX_DOCUMENTS_BYTES = 64 * MIB
MAX_POLICY = 64 * 1024
PATH_BYTES = 32

REQUIRED = {"default-src": "'none'", "connect-src": "'none'", "sandbox": "allow-scripts"}
"""The directives without which a document is not served: no network, an origin of its own, scripts and nothing else."""

_HEADER_TEXT = re.compile(r"[\x20-\x7e]+")


class DocumentRefusedError(Exception):
    """There is no room for the document."""


@dataclass(frozen=True)
class Document:
    """One page, ready to be sent."""

    surface_id: str
    body: bytes
    csp: str

    def respond(self) -> Response:
        """The answer that shows it in a frame of the page.

        A Cross-Origin-Opener-Policy means nothing in a frame, and ``same-site`` covers the page's port of this address.
        """
        headers = {
            "Content-Type": HTML,
            "Content-Security-Policy": self.csp,
            "Cache-Control": "no-store",
            "Cross-Origin-Resource-Policy": "same-site",
            "Permissions-Policy": NO_DEVICES,
        }
        return make_response(HTTPStatus.OK, headers, self.body)


class Documents:
    """All documents of the page that drives, at most one for each surface."""

    def __init__(self) -> None:
        self._by_path: dict[str, Document] = {}

    def __len__(self) -> int:
        return len(self._by_path)

    def keep(self, surface_id: str, html: str, csp: str) -> str:
        """Serve a document in place of the surface's earlier one; its path. Raises DocumentRefusedError."""
        document = Document(surface_id, html.encode(), csp)
        others = {path: one for path, one in self._by_path.items() if one.surface_id != surface_id}
        if len(others) >= MAX_DOCUMENTS:
            raise DocumentRefusedError(f"{MAX_DOCUMENTS} documents are served already: detach a surface first")
        if len(document.body) > MAX_DOCUMENT:
            raise DocumentRefusedError(f"a document has at most {MAX_DOCUMENT} bytes")
        if sum(len(one.body) for one in others.values()) + len(document.body) > MAX_DOCUMENTS_BYTES:
            raise DocumentRefusedError(
                f"all documents have at most {MAX_DOCUMENTS_BYTES} bytes: detach a surface first"
            )
        path = f"/{secrets.token_urlsafe(PATH_BYTES)}"
        self._by_path = {**others, path: document}
        return path

    def find(self, path: str) -> Document | None:
        """The document under exactly this path."""
        return self._by_path.get(path)

    def forget(self, surface_id: str) -> None:
        """Serve this surface's document no more."""
        self._by_path = {path: one for path, one in self._by_path.items() if one.surface_id != surface_id}

    def forget_all(self) -> None:
        """Serve none of them any more."""
        self._by_path = {}


def find_policy_fault(csp: str) -> str | None:
    """What is wrong with a document's policy: no header text, or not as strict as a surface's must be."""
    if len(csp) > MAX_POLICY or not _HEADER_TEXT.fullmatch(csp):
        return f"must be 1 to {MAX_POLICY} printable ASCII characters"
    if "," in csp:
        return "must be one policy, without a comma"
    directives: dict[str, str] = {}
    for directive in csp.split(";"):
        name, _, value = directive.strip().partition(" ")
        directives.setdefault(name.lower(), value.strip())  # a browser takes the first of a name too
    for name, value in REQUIRED.items():
        if directives.get(name) != value:
            return f"must hold {name} {value}"
    return None
