"""Surface requests of the Host (PROTOCOL 5)."""

from __future__ import annotations

from typing import Annotated

from pydantic import StringConstraints

from rpc_schema import limits
from rpc_schema.base import Id, JsonObject, Wire
from rpc_schema.surfaces import Container, SurfaceDocument


class SurfaceParams(Wire):
    """A surface."""

    surface_id: Id


class SurfaceAttachResult(Wire):
    """What to show. ``document`` is null for ``trusted-dom``; the token is the Host's, never a view's."""

    surface_id: Id
    instance_id: Id
    container: Container
    title: str
    revision: int
    state: JsonObject
    surface_token: str
    document: SurfaceDocument | None


class SurfaceFailParams(SurfaceParams):
    """Why it could not be shown."""

    message: Annotated[str, StringConstraints(max_length=limits.MAX_TEXT)]


class ArtifactGetParams(Wire):
    """An artifact."""

    artifact_id: Id
