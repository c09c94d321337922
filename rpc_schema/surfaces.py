"""Surfaces, their documents and artifacts (PROTOCOL 5)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from rpc_schema import limits
from rpc_schema.base import Id, JsonObject, Maybe, Name, Timestamp, Wire

Container = Literal["trusted-dom", "sandboxed-iframe"]
SurfaceStatus = Literal["open", "failed", "closed"]


class Surface(Wire):
    """A surface without its state."""

    surface_id: Id
    instance_id: Id
    key: Id
    title: Name
    container: Container
    status: SurfaceStatus
    revision: int


class SurfaceDocument(Wire):
    """One self-contained page: the HTML, the CSP header to serve it with and the iframe's sandbox tokens."""

    html: str
    csp: str
    sandbox: list[Literal["allow-scripts"]]


class SurfaceRequest(Wire):
    """Which surface to open. The same ``key`` is the same surface; ``entry`` is a page of the bundle."""

    key: Id
    title: Name
    entry: Maybe[Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$")]] = None
    container: Maybe[Container] = None
    initial_state: Maybe[JsonObject] = None


class Artifact(Wire):
    """What a surface hands in; size and hash are those of the decoded content."""

    name: Annotated[str, StringConstraints(min_length=1, max_length=limits.MAX_ID)]
    media_type: Literal["image/svg+xml", "image/png", "application/json", "text/plain"]
    byte_size: Annotated[int, Field(ge=0, le=limits.MAX_ARTIFACT)]
    sha256: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
    content_base64: str


class StoredArtifact(Wire):
    """An artifact as it is kept."""

    artifact_id: Id
    name: str
    media_type: str
    byte_size: int
    sha256: str
    created_at: Timestamp
    content_base64: str
