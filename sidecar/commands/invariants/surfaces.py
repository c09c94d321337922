"""Surfaces and artifacts (PROTOCOL 5)."""

from __future__ import annotations

import hashlib
from typing import Any, get_args

from rpc_schema import limits
from rpc_schema.surfaces import Container
from sidecar.bundles.manifest import SYSTEM_SCOPE
from sidecar.commands.invariants.fault import Faults, check_rows, object_of
from sidecar.commands.invariants.trail import Trail
from sidecar.domain.merge_patch import check_patch
from sidecar.domain.refusal import Refusal
from sidecar.store import invariants, tables
from sidecar.store.inspection import View


def check_surfaces(view: View, trail: Trail) -> int:
    """Each surface's state is an object within bounds, and none outlives its instance."""

    def faults(row: Any) -> Faults:
        yield from _faults_of_surface(row)
        yield from trail.faults(tables.Surface, (row.conversation_id, row.surface_id), row, revision=1)

    return check_rows(view, tables.Surface, invariants.SURFACES, faults)


def check_artifacts(view: View, trail: Trail) -> int:
    """Each artifact is what it says it is."""

    def faults(row: tables.Artifact) -> Faults:
        if len(row.content) != row.byte_size:
            yield f"its content has {len(row.content)} bytes, it says {row.byte_size}"
        if row.byte_size > limits.MAX_ARTIFACT:
            yield f"it has more than {limits.MAX_ARTIFACT} bytes"
        if hashlib.sha256(row.content).hexdigest() != row.sha256:
            yield "its sha256 is not that of its content: one of them was changed"
        yield from trail.faults(tables.Artifact, (row.conversation_id, row.artifact_id), row)

    return check_rows(view, tables.Artifact, invariants.ARTIFACTS, faults)


def _faults_of_surface(row: Any) -> Faults:
    state = object_of(row.state)
    if state is None:
        yield "its state is no JSON object"
        return
    try:
        check_patch(state, is_state=True)
    except Refusal as refusal:
        yield f"its state does not hold: {refusal.message}"
    if row.revision < 1:
        yield "its revision is below 1"
    if row.container not in get_args(Container):
        yield f"its container {row.container} is none"
    if row.container == "trusted-dom" and row.app_scope != SYSTEM_SCOPE:
        yield f"it is shown in trusted-dom, which only {SYSTEM_SCOPE} may be"
    if row.status != "closed" and row.instance_status != "live":
        yield f"it is {row.status}, yet its instance {row.instance_id} is closed"
