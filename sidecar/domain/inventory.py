"""The inventory's content and its revision (RULES 7): the same content has the same revision, everywhere."""

from __future__ import annotations

from collections.abc import Iterable

from rpc_schema.envelopes import AppVersion
from rpc_schema.manifest import AdvertisedTool, Manifest
from sidecar.domain.canonical import digest
from sidecar.domain.interactive import INTERACTIVE_TOOLS
from sidecar.domain.policy import Policy


def advertised(manifests: Iterable[Manifest]) -> list[AdvertisedTool]:
    """The Runtime's interactive Tools and those of the manifests, sorted by id."""
    tools = [
        AdvertisedTool(**{"timeout_ms": None, **tool.model_dump(), "target": tool.target})
        for manifest in manifests
        for tool in manifest.tools
    ]
    return sorted([*INTERACTIVE_TOOLS, *tools], key=lambda tool: tool.id)


def visible_capabilities(manifests: Iterable[Manifest], policy: Policy, providers: Iterable[str]) -> list[str]:
    """What an advertised app declares, the policy does not deny and the Host provides, sorted."""
    declared = {name for manifest in manifests for name in manifest.requested_capabilities}
    return sorted(name for name in declared & set(providers) if policy.verdict(name) != "deny")


def inventory_revision(tools: list[AdvertisedTool], apps: list[AppVersion], capabilities: list[str]) -> str:
    """``inv_`` and the first 16 hex digits of SHA-256 over the canonical JSON of the content."""
    content = {
        "tools": [tool.model_dump() for tool in tools],
        "apps": [app.model_dump() for app in apps],
        "capabilities": capabilities,
    }
    return f"inv_{digest(content)[:16]}"
