"""``sdk.surfaces``: open surfaces, patch their durable state, hand in artifacts (PROTOCOL 5)."""

from __future__ import annotations

from binascii import b2a_base64
from collections.abc import Callable
from functools import partial
from typing import Any, cast

from miniapps.sdk.channel import RefusedError
from miniapps.sdk.shapes import CommandReceipt, JsonObject, SurfacePatched
from rpc_schema.merge_patch import merge

Call = Callable[..., Any]
ATTEMPTS = 5


class Surface:
    """An open surface. ``state`` is its state as last known here: read it, never write to it."""

    def __init__(self, api: SurfacesAPI, surface_id: str, revision: int, state: JsonObject) -> None:
        self._api = api
        self.surface_id, self.revision, self.state = surface_id, revision, state

    def update(self, patch: JsonObject, *, base_revision: int | None = None) -> None:
        """Apply a merge patch; an empty one is not sent.

        Raises:
            RefusedError: ``surface_patch_invalid``, ``surface_revision_conflict`` or ``surface_not_found``.
        """
        if patch:
            revision = self._api.update(self.surface_id, patch, base_revision)["revision"]
            self._follow(revision, patch)

    def change(self, make_patch: Callable[[JsonObject], JsonObject]) -> None:
        """Apply the patch that ``make_patch`` makes of the state, anew from the state as it is after a conflict."""
        for attempt in range(1, ATTEMPTS + 1):
            try:
                self.update(make_patch(self.state), base_revision=self.revision)
                return
            except RefusedError as refused:
                if refused.code != "surface_revision_conflict" or attempt == ATTEMPTS:
                    raise
                self.refresh()

    def refresh(self) -> None:
        """Read the state anew."""
        read = self._api.get(self.surface_id)
        self.revision, self.state = read["revision"], read["state"]

    def absorb(self, patched: SurfacePatched) -> None:
        """Take over what the view has patched, unless it is known already."""
        if patched["revision"] > self.revision:
            self._follow(patched["revision"], patched["patch"])

    def _follow(self, revision: int, patch: JsonObject) -> None:
        """Patches do not commute: where one between is not known here yet, only reading gives the state."""
        if revision == self.revision + 1:
            self.revision, self.state = revision, merge(self.state, patch)
        else:
            self.refresh()

    def submit(self, name: str, media_type: str, content: bytes) -> str:
        """Hand in an artifact; its ``artifact_id``. At most 4 MiB. Raises RefusedError ``artifact_invalid``."""
        return self._api.submit(self.surface_id, name, media_type, content)

    def request_close(self) -> CommandReceipt:
        """Close it. Its state is gone with it; the instance stays."""
        return self._api.request_close(self.surface_id)


class SurfacesAPI:
    """The surfaces of this instance, at most 4 at once."""

    def __init__(self, call: Call) -> None:
        self._call = call
        self._opened: dict[str, Surface] = {}

    def request_open(
        self,
        key: str,
        title: str,
        *,
        initial_state: JsonObject | None = None,
        entry: str | None = None,
        container: str | None = None,
    ) -> Surface:
        """Open the surface of that key, or find it again with the state it has: also after a restart.

        Raises:
            RefusedError: ``surface_denied`` (container, entry), ``limit_exceeded``, ``surface_patch_invalid`` (state).
        """
        request: JsonObject = {"key": key, "title": title}
        optional = {"initial_state": initial_state, "entry": entry, "container": container}
        request.update({name: value for name, value in optional.items() if value is not None})
        found = self._call("surfaces.requestOpen", request=request)
        self._opened[key] = Surface(self, found["surface_id"], found["revision"], found["state"])
        return self._opened[key]

    def opened(self, key: str) -> Surface:
        """The surface that ``request_open`` gave for the key. Raises LookupError where there is none."""
        return self._opened[key]

    def get(self, surface_id: str) -> JsonObject:
        """``surface_id``, ``revision`` and ``state``."""
        return cast(JsonObject, self._call("surfaces.get", surface_id=surface_id))

    def update(self, surface_id: str, patch: JsonObject, base_revision: int | None = None) -> JsonObject:
        """Apply a merge patch to the state; the receipt with the new ``revision``."""
        base = {} if base_revision is None else {"base_revision": base_revision}
        return cast(JsonObject, self._call("surfaces.update", surface_id=surface_id, patch=patch, **base))

    def emit(self, surface_id: str, event: str, payload: JsonObject | None = None) -> CommandReceipt:
        """Put an event into the own Inbox, as the view does."""
        more = {} if payload is None else {"payload": payload}
        return cast(CommandReceipt, self._call("surfaces.emit", surface_id=surface_id, event=event, **more))

    def submit(self, surface_id: str, name: str, media_type: str, content: bytes) -> str:
        """Hand in an artifact; its ``artifact_id``."""
        from hashlib import sha256  # costs every worker's start 3 ms, and few ever hand anything in

        artifact = {
            "name": name,
            "media_type": media_type,
            "byte_size": len(content),
            "sha256": sha256(content).hexdigest(),
            "content_base64": b2a_base64(content, newline=False).decode("ascii"),
        }
        return str(self._call("surfaces.submit", surface_id=surface_id, artifact=artifact)["artifact_id"])

    def request_close(self, surface_id: str) -> CommandReceipt:
        """Close a surface; the instance stays."""
        return cast(CommandReceipt, self._call("surfaces.requestClose", surface_id=surface_id))

    def absorb(self, patched: SurfacePatched) -> None:
        """Keep the known states in step with what the views have patched."""
        for key, surface in tuple(self._opened.items()):
            if surface.surface_id == patched["surface_id"]:
                self._unless_closed(key, partial(surface.absorb, patched))

    def refresh(self) -> None:
        """Read every known state anew, after notifications were lost."""
        for key, surface in tuple(self._opened.items()):
            self._unless_closed(key, surface.refresh)

    def _unless_closed(self, key: str, read: Callable[[], None]) -> None:
        try:
            read()
        except RefusedError as refused:
            if refused.code != "surface_not_found":
                raise
            del self._opened[key]
