"""What a refused request was about, for the audit: only what exists is named.

An id that names nothing might be anything, even a token, and would help nobody.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rpc_schema.base import Wire
from sidecar.services.unit import Unit
from sidecar.store import capability_requests, conversations, inbox, instances, interactions, surfaces, tool_calls

_FIND: dict[str, Callable[[Unit, str], Any]] = {
    "call_id": lambda unit, id_: tool_calls.get(unit.tx, unit.caller.conversation_id, id_),
    "interaction_id": lambda unit, id_: interactions.get(unit.tx, id_),
    "surface_id": lambda unit, id_: surfaces.get(unit.tx, id_),
    "request_id": lambda unit, id_: capability_requests.get(unit.tx, id_),
    "message_id": lambda unit, id_: inbox.get(unit.tx, id_),
    "instance_id": lambda unit, id_: instances.get(unit.tx, id_),
    "app_scope": lambda unit, id_: unit.apps.manifest(id_),
    "conversation_id": lambda unit, id_: conversations.get(unit.tx, id_),
}
"""What the fields of params name, the most particular first."""


def subject_of(unit: Unit, params: Wire) -> str | None:
    """The id of what the params name, if it exists, whoever owns it."""
    for field, find in _FIND.items():
        given = getattr(params, field, None)
        if isinstance(given, str):
            return given if find(unit, given) is not None else None
    return None
