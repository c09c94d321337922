"""Surfaces and artifacts: what MiniApps show and hand in (PROTOCOL 5)."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any, cast

from rpc_schema import limits
from rpc_schema.base import Empty
from rpc_schema.inbox import SurfaceEventPayload, SurfaceFailedPayload
from rpc_schema.json_text import write_json
from rpc_schema.merge_patch import merge
from rpc_schema.notifications import SdkSurfacesPatched, SurfaceOpened, SurfacePatched
from rpc_schema.sdk import (
    SdkSurfaceParams,
    SdkSurfacesEmitParams,
    SdkSurfacesGetResult,
    SdkSurfacesRequestOpenParams,
    SdkSurfacesRequestOpenResult,
    SdkSurfacesSubmitParams,
    SdkSurfacesSubmitResult,
    SdkSurfacesUpdateParams,
    SdkSurfacesUpdateResult,
)
from rpc_schema.surface_host import ArtifactGetParams, SurfaceAttachResult, SurfaceFailParams, SurfaceParams
from rpc_schema.surfaces import Container, StoredArtifact, SurfaceDocument, SurfaceRequest
from rpc_schema.workspace import CommandReceipt
from sidecar.bundles.document import DocumentError
from sidecar.clock import timestamp
from sidecar.domain.artifact import check_artifact
from sidecar.domain.merge_patch import check_patch, check_state
from sidecar.domain.refusal import Refusal, over
from sidecar.services import closing, inbox
from sidecar.services.live import Hearer
from sidecar.services.unit import Unit
from sidecar.services.workspace import caller_of, surface_view
from sidecar.store import instances, surfaces
from sidecar.store.surfaces import SURFACE

if TYPE_CHECKING:
    from sidecar.store import tables

# -- the MiniApp's requests


def request_open(unit: Unit, params: SdkSurfacesRequestOpenParams) -> SdkSurfacesRequestOpenResult:
    """``sdk.surfaces.requestOpen``: the same key is the same surface, with the state that it has."""
    caller, request = unit.caller, params.request
    if not unit.apps.enabled(caller.app_scope):
        raise Refusal("app_disabled")
    container = _container(unit, request)
    row = surfaces.of_key(unit.tx, caller.instance_id, request.key)
    if row is None:
        row = _open(unit, request, container)
    return SdkSurfacesRequestOpenResult(
        command_id=unit.new_id(), surface_id=row.surface_id, revision=row.revision, state=json.loads(row.state)
    )


def get(unit: Unit, params: SdkSurfaceParams) -> SdkSurfacesGetResult:
    """``sdk.surfaces.get``."""
    row = _own(unit, params.surface_id)
    return SdkSurfacesGetResult(surface_id=row.surface_id, revision=row.revision, state=json.loads(row.state))


def update(unit: Unit, params: SdkSurfacesUpdateParams) -> SdkSurfacesUpdateResult:
    """``sdk.surfaces.update``: a merge patch by the logic or by its view; the other side is told."""
    row = _own(unit, params.surface_id)
    patch = check_patch(params.patch)
    if params.base_revision is not None and params.base_revision != row.revision:
        raise Refusal("surface_revision_conflict", revision=row.revision)
    state = check_state(merge(json.loads(row.state), patch))
    revision = row.revision + 1
    surfaces.set_state(unit.tx, row.surface_id, state, revision, unit.now)
    by_view = unit.caller.kind == "surface"
    unit.note(row.surface_id, of=row, revision=revision)
    unit.touch(row.conversation_id)
    news = SurfacePatched(surface_id=row.surface_id, revision=revision, patch=patch, by="view" if by_view else "app")
    unit.tell_host("surface.patched", news)
    if by_view:
        told = SdkSurfacesPatched(
            instance_id=row.instance_id, surface_id=row.surface_id, revision=revision, patch=patch
        )
        unit.tell(row.instance_id, "sdk.surfaces.patched", told)
    return SdkSurfacesUpdateResult(command_id=unit.new_id(), revision=revision)


def emit(unit: Unit, params: SdkSurfacesEmitParams) -> CommandReceipt:
    """``sdk.surfaces.emit``: reaches the instance's Inbox."""
    row = _own(unit, params.surface_id)
    size = len(write_json(params.payload))
    if size > limits.MAX_EVENT_PAYLOAD:
        raise over("event_payload_bytes", limits.MAX_EVENT_PAYLOAD, size)
    payload = SurfaceEventPayload(surface_id=row.surface_id, event=params.event, payload=params.payload)
    inbox.check_room_for_event(unit, row.instance_id, payload)
    inbox.put(unit, row.instance_id, "surface.event", payload)
    unit.note(row.surface_id, of=row, event=params.event)
    return CommandReceipt(command_id=unit.new_id())


def submit(unit: Unit, params: SdkSurfacesSubmitParams) -> SdkSurfacesSubmitResult:
    """``sdk.surfaces.submit``: keep an artifact whose size and hash hold."""
    row = _own(unit, params.surface_id)
    artifact, content = check_artifact(params.artifact)
    kept = surfaces.artifact_bytes(unit.tx, row.instance_id)
    if kept + len(content) > limits.MAX_ARTIFACTS_OF_INSTANCE:
        raise over("artifacts_of_instance_bytes", limits.MAX_ARTIFACTS_OF_INSTANCE, kept + len(content))
    artifact_id = unit.new_id()
    surfaces.add_artifact(
        unit.tx,
        artifact_id=artifact_id,
        instance_id=row.instance_id,
        surface_id=row.surface_id,
        conversation_id=row.conversation_id,
        name=artifact.name,
        media_type=artifact.media_type,
        byte_size=artifact.byte_size,
        sha256=artifact.sha256,
        content=content,
        created_at=unit.now,
    )
    unit.note(artifact_id, of=row, name=artifact.name, byte_size=artifact.byte_size, surface_id=row.surface_id)
    return SdkSurfacesSubmitResult(command_id=unit.new_id(), artifact_id=artifact_id)


def request_close(unit: Unit, params: SdkSurfaceParams) -> CommandReceipt:
    """``sdk.surfaces.requestClose``: that surface and nothing else."""
    closing.close_surface(unit, _own(unit, params.surface_id), "requested")
    return CommandReceipt(command_id=unit.new_id())


# -- the Host's requests


def attach(unit: Unit, params: SurfaceParams) -> SurfaceAttachResult:
    """``surface.attach``: a new token and all that the Host needs; a failed surface opens again."""
    row = _open_one(unit, params.surface_id)
    document = None if row.container == "trusted-dom" else _document(unit, row)
    if row.status == "failed":
        unit.tx.move(SURFACE, row, "reopen", unit.act(row.surface_id, of=row), now=unit.now)
        unit.touch(row.conversation_id)
    instance = cast("tables.Instance", instances.get(unit.tx, row.instance_id))
    viewer = caller_of(unit, instance, row.surface_id)
    token = unit.live.grant_surface(viewer, cast("Hearer", unit.live.host))
    unit.note(row.surface_id, of=row)
    return SurfaceAttachResult(
        surface_id=row.surface_id,
        instance_id=row.instance_id,
        container=cast("Container", row.container),
        title=row.title,
        revision=row.revision,
        state=json.loads(row.state),
        surface_token=token,
        document=document,
    )


def detach(unit: Unit, params: SurfaceParams) -> Empty:
    """``surface.detach``: its view is gone."""
    row = _open_one(unit, params.surface_id)
    unit.live.revoke_surface(row.surface_id)
    unit.note(row.surface_id, of=row)
    return Empty()


def fail(unit: Unit, params: SurfaceFailParams) -> Empty:
    """``surface.fail``: the Host could not show it; its MiniApp hears of it."""
    row = _open_one(unit, params.surface_id)
    fail_surface(unit, row)
    payload = SurfaceFailedPayload(surface_id=row.surface_id, message=params.message)
    if inbox.has_room(unit, row.instance_id, payload):  # who reads nothing is not told for ever
        inbox.put(unit, row.instance_id, "surface.failed", payload)
    return Empty()


def fail_surface(unit: Unit, row: tables.Surface) -> None:
    """A surface is not shown any more; it opens again when it is attached."""
    unit.tx.move(SURFACE, row, "fail", unit.act(row.surface_id, of=row), now=unit.now)
    unit.live.revoke_surface(row.surface_id)
    unit.touch(row.conversation_id)


def get_artifact(unit: Unit, params: ArtifactGetParams) -> StoredArtifact:
    """``artifact.get``."""
    row = surfaces.artifact(unit.tx, params.artifact_id)
    if row is None:
        raise Refusal("artifact_not_found")
    return StoredArtifact(
        artifact_id=row.artifact_id,
        name=row.name,
        media_type=row.media_type,
        byte_size=row.byte_size,
        sha256=row.sha256,
        created_at=timestamp(row.created_at),
        content_base64=base64.b64encode(row.content).decode(),
    )


# -- inside


def _container(unit: Unit, request: SurfaceRequest) -> Container:
    system = unit.apps.is_system(unit.caller.app_scope)
    container = request.container or ("trusted-dom" if system else "sandboxed-iframe")
    if container == "trusted-dom":
        if not system:
            raise Refusal("surface_denied", "trusted-dom is for the system MiniApp; ask for sandboxed-iframe.")
        return container
    try:
        unit.apps.bundles[unit.caller.app_scope].document(request.entry or "index.html")
    except DocumentError as error:
        raise Refusal("surface_denied", f"The bundle has no such page: {error}") from None
    return container


def _open(unit: Unit, request: SurfaceRequest, container: Container) -> tables.Surface:
    caller = unit.caller
    count = surfaces.count_of(unit.tx, caller.instance_id)
    if count >= limits.MAX_SURFACES:
        raise over("surfaces", limits.MAX_SURFACES, count)
    surface_id = unit.new_id()
    surfaces.add(
        unit.tx,
        surface_id=surface_id,
        instance_id=caller.instance_id,
        conversation_id=caller.conversation_id,
        key=request.key,
        title=request.title,
        container=container,
        entry=request.entry or "index.html",
        state=_initial_state(request.initial_state),
        created_at=unit.now,
        updated_at=unit.now,
    )
    row = cast("tables.Surface", surfaces.get(unit.tx, surface_id))
    unit.note(surface_id, of=row, key=request.key, container=container)
    unit.touch(caller.conversation_id)
    unit.tell_host("surface.opened", SurfaceOpened(surface=surface_view(row)))
    return row


def _initial_state(state: dict[str, Any] | None) -> str:
    return check_state(merge({}, check_patch(state or {}, is_state=True)))


def _document(unit: Unit, row: tables.Surface) -> SurfaceDocument:
    owner = instances.live(unit.tx, row.instance_id)
    bundle = unit.apps.bundles.get(owner.app_scope) if owner is not None else None
    if bundle is None:
        raise Refusal("surface_not_found", "The bundle of this surface is gone.")
    try:
        return bundle.document(row.entry)
    except DocumentError as error:
        raise Refusal("surface_denied", f"The page cannot be shown: {error}") from None


def _own(unit: Unit, surface_id: str) -> tables.Surface:
    """A surface of the caller: any of its instance for the logic, its own one for a view."""
    row = surfaces.get(unit.tx, surface_id)
    caller = unit.caller
    if row is None or row.status == "closed" or row.instance_id != caller.instance_id:
        raise Refusal("surface_not_found")
    if caller.kind == "surface" and caller.surface_id != surface_id:
        raise Refusal("surface_not_found")
    return row


def _open_one(unit: Unit, surface_id: str) -> tables.Surface:
    row = surfaces.get(unit.tx, surface_id)
    if row is None or row.status == "closed":
        raise Refusal("surface_not_found")
    return row
