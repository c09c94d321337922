"""Workspaces and instances: what a Host shows (PROTOCOL 3)."""

from __future__ import annotations

from typing import Literal

from rpc_schema.base import AppScope, Count, Id, JsonObject, LooseScope, Reason, Wire
from rpc_schema.manifest import Manifest
from rpc_schema.renderer import RendererItem
from rpc_schema.surfaces import Surface
from rpc_schema.tools import ToolCallSummary

InstanceState = Literal["starting", "foreground", "background", "suspended"]
"""Derived (RULES 3): ``starting`` until its logic first connected, ``suspended`` while it is not connected."""

RunBy = Literal["worker", "host"]


class Instance(Wire):
    """A live instance of a MiniApp in a conversation."""

    instance_id: Id
    app_scope: AppScope
    app_version: str
    conversation_id: Id
    state: InstanceState
    run_by: RunBy
    mounted: bool
    app_session_id: str | None


class MiniAppContext(Wire):
    """Who a MiniApp is, injected by the Runtime; ``mode`` is ``im`` for Interact, else null."""

    app_scope: AppScope
    instance_id: Id
    conversation_id: Id
    app_version: str
    state: InstanceState
    mode: Literal["im"] | None


class CapabilityRequest(Wire):
    """A capability request that waits for the Host's provider."""

    request_id: Id
    instance_id: Id
    app_scope: AppScope
    capability: str
    reason: str
    arguments: JsonObject


class WorkspaceSnapshot(Wire):
    """All that a Host needs to show a conversation. ``focus_stack`` runs from bottom to top."""

    conversation_id: Id
    agent_id: Id
    revision: Count
    foreground: str | None
    focus_stack: list[str]
    instances: list[Instance]
    surfaces: list[Surface]
    interactions: list[RendererItem]
    tool_calls: list[ToolCallSummary]
    capability_requests: list[CapabilityRequest]


class CommandReceipt(Wire):
    """A command was accepted, that is, committed. One that is not accepted is a refusal."""

    command_id: Id
    status: Literal["accepted"] = "accepted"


class WorkspaceOpenParams(Wire):
    """The conversation to open and the Agent it is with."""

    conversation_id: Id
    agent_id: Id


class MiniAppEntry(Wire):
    """A MiniApp that the Runtime knows. ``unavailable`` says why it is not advertised, or is null."""

    manifest: Manifest
    enabled: bool
    run_by: RunBy
    unavailable: str | None


class MiniAppListResult(Wire):
    """Every MiniApp, sorted by scope."""

    miniapps: list[MiniAppEntry]


class MiniAppSetEnabledParams(Wire):
    """Switch a MiniApp on or off."""

    app_scope: LooseScope
    enabled: bool


class MiniAppSetEnabledResult(Wire):
    """The inventory as it is now."""

    inventory_revision: str


class MiniAppOpenParams(Wire):
    """The MiniApp that the user opens."""

    conversation_id: Id
    app_scope: LooseScope


class MiniAppOpenResult(Wire):
    """Its instance, made or found."""

    instance_id: Id
    app_session_id: str | None


class InstanceParams(Wire):
    """An instance."""

    instance_id: Id


class InstanceReasonParams(Wire):
    """An instance, and why."""

    instance_id: Id
    reason: Reason = ""


class MiniAppMountResult(Wire):
    """``context_token`` is a string only where the Host runs the logic itself."""

    context: MiniAppContext
    context_token: str | None
    surfaces: list[Surface]
