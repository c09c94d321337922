"""Session, status and audit requests of the Host (PROTOCOL 2)."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import ConfigDict, Field

from rpc_schema import limits
from rpc_schema.audit import AuditEntry
from rpc_schema.base import Count, Id, LooseScope, Maybe, Name, SemVer, Timestamp, Wire
from rpc_schema.manifest import Capability
from rpc_schema.renderer import RendererMode


class HostInfo(Wire):
    """Who drives the Runtime."""

    name: Name
    version: SemVer


class RuntimeInfo(Wire):
    """Which Runtime answers."""

    name: str
    version: str


class InitializeParams(Wire):
    """What the Host is and can do. May come again: a new session, all earlier tokens revoked."""

    protocol_version: str
    host: HostInfo
    host_run: list[LooseScope] = Field(default=[], max_length=limits.MAX_HOST_NAMES)
    renderers: list[RendererMode] = Field(
        default=["im-card", "modal", "sheet", "card"], max_length=limits.MAX_RENDERERS
    )
    capability_providers: list[Capability] = Field(default=[], max_length=limits.MAX_HOST_NAMES)
    locale: Maybe[Annotated[str, Field(min_length=1, max_length=limits.MAX_ID)]] = None


class Recovered(Wire):
    """What was found unfinished at the start, by count."""

    conversations: Count
    instances: Count
    tool_calls: Count
    interactions: Count
    surfaces: Count
    outbox: Count


class InitializeResult(Wire):
    """The session and what applies in it."""

    protocol_version: str
    runtime: RuntimeInfo
    session_id: Id
    inventory_revision: str
    limits: dict[str, int]
    recovered: Recovered


class RuntimeStatusResult(Wire):
    """How the Runtime is."""

    live_workers: Count
    instances: Count
    tool_calls_open: Count
    interactions_open: Count
    outbox_pending: Count
    inbox_pending: Count
    uptime_ms: Count
    rss_bytes: Count


class AuditListParams(Wire):
    """Entries after a sequence number, oldest first."""

    after_seq: Count = 0
    limit: Annotated[int, Field(ge=1, le=limits.MAX_AUDIT_LIST)] = 100
    conversation_id: Maybe[Id] = None


class AuditListResult(Wire):
    """Audit entries, oldest first."""

    entries: list[AuditEntry]


class AdvanceClockParams(Wire):
    """Milliseconds to go forward."""

    ms: Annotated[int, Field(ge=0, le=10 * 365 * limits.DAY)]


class AdvanceClockResult(Wire):
    """The Runtime's time after it."""

    now: Timestamp


class OpenRpcDocument(Wire):
    """The OpenRPC description of all methods."""

    model_config = ConfigDict(extra="allow")

    openrpc: str
    info: dict[str, Any]
    methods: list[dict[str, Any]]
    components: dict[str, Any]
