"""The audit: every decision, hash-chained (PROTOCOL 2)."""

from __future__ import annotations

from typing import Literal

from rpc_schema.base import JsonObject, Timestamp, Wire

Actor = Literal["host", "agent", "miniapp", "surface", "runtime"]
Decision = Literal["accepted", "refused"]


class AuditEntry(Wire):
    """One decision. ``hash`` is SHA-256 over the canonical JSON of all other fields, ``previous_hash`` included."""

    seq: int
    at: Timestamp
    actor: Actor
    action: str
    decision: Decision
    code: str | None
    conversation_id: str | None
    app_scope: str | None
    instance_id: str | None
    subject: str | None
    detail: JsonObject | None
    previous_hash: str
    hash: str
