"""The built front end, served file by file: only what was found in its folder has an address.

A request never becomes a file name: its path is looked up among those that a walk of the folder found.
"""

from __future__ import annotations

import hashlib
import re
from http import HTTPStatus
from importlib.resources import files
from pathlib import Path
from urllib.parse import unquote

from websockets.http11 import Request, Response

from host_bridge.errors import HostError
from host_bridge.web.guard import ADDRESS
from host_bridge.web.responses import HTML, NO_DEVICES, make_response

INDEX = "index.html"
MAX_FILES = 2_000

TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": HTML,
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".map": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
}
"""What is served, and as what; the system's own list of types differs from machine to machine."""

_HASHED = re.compile(r"/assets/[^/]+-[A-Za-z0-9_-]{8,}\.[a-z0-9]+")
"""Names that a build gives to content: another content has another name."""


def find_front_end(given: Path | None = None) -> Path:
    """The folder of the built front end: that given, or the package's own, or a checkout's. Raises HostError."""
    packaged = Path(str(files("host_bridge"))) / "web" / "page"
    checkout = Path(str(files("host_bridge"))).parent / "tauri-host-example" / "dist"
    for folder in [given] if given else [packaged, checkout]:
        if (folder / INDEX).is_file():
            return folder
    where = f"in {given}" if given else "in this installation"
    raise HostError(
        f"there is no built front end {where}: build tauri-host-example, or name its folder with --page DIR"
    )


def page_policy(port: int, surface_port: int) -> str:
    """The Content-Security-Policy of the page: its own files, its own socket, and frames of the surface address."""
    return (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
        f"connect-src 'self' ws://{ADDRESS}:{port}; frame-src http://{ADDRESS}:{surface_port}; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


class FrontEnd:
    """The files of one folder. Raises HostError where the folder is no front end."""

    def __init__(self, folder: Path, port: int, surface_port: int) -> None:
        self._folder = folder.resolve()
        self._headers = {
            "Content-Security-Policy": page_policy(port, surface_port),
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Permissions-Policy": NO_DEVICES,
            "X-Frame-Options": "DENY",
        }
        self._files = self._walk()

    def respond(self, request: Request) -> Response | None:
        """The file that a path names, or None. ``/`` looks at the folder anew: it may have been built again."""
        path = unquote(request.path)
        if path == "/":
            self._files = self._walk()
            path = f"/{INDEX}"
        try:
            body = self._files[path].read_bytes()
        except (KeyError, OSError):
            return None
        tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
        lasting = _HASHED.fullmatch(path)
        headers = {
            **self._headers,
            "Cache-Control": "public, max-age=31536000, immutable" if lasting else "no-cache",
            "ETag": tag,
        }
        if _knows(request, tag):
            return make_response(HTTPStatus.NOT_MODIFIED, headers)
        return make_response(HTTPStatus.OK, {**headers, "Content-Type": TYPES[self._files[path].suffix]}, body)

    def _walk(self) -> dict[str, Path]:
        """Every file of a known type by its path; what a link leads out of the folder is none."""
        found: dict[str, Path] = {}
        for file in self._folder.rglob("*"):
            if file.suffix in TYPES and file.is_file() and file.resolve().is_relative_to(self._folder):
                found[f"/{file.relative_to(self._folder).as_posix()}"] = file
            if len(found) > MAX_FILES:
                raise HostError(f"{self._folder} holds over {MAX_FILES} files: it is no built front end")
        return found


def _knows(request: Request, tag: str) -> bool:
    asked = ",".join(request.headers.get_all("If-None-Match"))
    return tag in [one.strip().removeprefix("W/") for one in asked.split(",")]
