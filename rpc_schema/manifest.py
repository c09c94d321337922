"""Manifest v1: what a MiniApp declares before it runs (PROTOCOL 10)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, StringConstraints

from rpc_schema import limits
from rpc_schema.base import AppScope, JsonObject, Maybe, SemVer, Wire, exactly

Handling = Literal["direct", "interactive", "launch", "foreground", "operation"]
"""How a Tool finds its instance and the focus (RULES 2)."""

MiniAppHandling = Literal["direct", "launch", "foreground", "operation"]
"""The handlings that a manifest may name; ``interactive`` is the Runtime's own."""

ToolId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_.-]{1,128}$")]
"""``<app_scope>.<name>``."""

Capability = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_.:-]{1,128}$")]
"""The name of something that a Host could provide."""

DescriptorVersion = Annotated[Literal[1], exactly(int)]
"""The version of the descriptor's own form."""


class ToolTarget(Wire):
    """Where a Tool call goes and what it does to the focus."""

    app_scope: AppScope
    requires_foreground: bool
    restore_previous_focus: bool


class ToolDescriptor(Wire):
    """A Tool as a manifest declares it."""

    id: ToolId
    version: DescriptorVersion
    handling: MiniAppHandling
    target: ToolTarget
    input_schema: JsonObject
    output_schema: JsonObject
    permissions: list[Capability] = Field(default=[], max_length=limits.MAX_PERMISSIONS)
    timeout_ms: Maybe[Annotated[int, Field(ge=limits.MIN_TIMEOUT_MS, le=limits.MAX_TIMEOUT_MS)]] = None
    description: Maybe[Annotated[str, StringConstraints(max_length=limits.MAX_DESCRIPTION)]] = None


class AdvertisedTool(Wire):
    """A Tool as the inventory tells an Agent of it; ``target`` is null for the interactive ones."""

    id: ToolId
    version: DescriptorVersion
    handling: Handling
    target: ToolTarget | None
    input_schema: JsonObject
    output_schema: JsonObject
    permissions: list[Capability]
    timeout_ms: int | None
    description: Maybe[str] = None


class Subscription(Wire):
    """A topic whose messages the MiniApp wants in its Inbox."""

    topic: Literal["agent.message"]


class HostRequirement(Wire):
    """What the MiniApp needs of its Host."""

    min_version: SemVer
    surface_required: bool


KindAsWritten = Literal["system", "bundled", "bundled-reference"]


def _read_older_word(value: object) -> object:
    return "bundled" if value == "bundled-reference" else value


class Manifest(Wire):
    """Manifest v1, frozen. ``kind`` ``bundled-reference`` is read as ``bundled`` (RULES 9)."""

    app_scope: AppScope
    version: SemVer
    kind: Annotated[
        Literal["system", "bundled"], BeforeValidator(_read_older_word, json_schema_input_type=KindAsWritten)
    ]
    tools: list[ToolDescriptor] = Field(max_length=limits.MAX_TOOLS)
    subscriptions: list[Subscription] = Field(max_length=limits.MAX_SUBSCRIPTIONS)
    requested_capabilities: list[Capability] = Field(max_length=limits.MAX_REQUESTED_CAPABILITIES)
    host: HostRequirement
