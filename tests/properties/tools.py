"""The Tools of the probes as their manifests say, and the policy."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).parent
BUNDLES = HERE / "bundles"
POLICY: dict[str, str] = json.loads((HERE / "policy.json").read_text())["capabilities"]
MANIFESTS: dict[str, dict[str, Any]] = {
    file.parent.name: json.loads(file.read_text()) for file in sorted(BUNDLES.glob("*/manifest.json"))
}
PROVIDED = ["probe.allowed", "probe.asked"]
KINDS = ("notice", "choice", "confirm", "input")


class Tool(NamedTuple):
    """What a descriptor says that the rules ask about."""

    id: str
    app: str
    handling: str
    front: bool
    restore: bool
    timeout: int | None
    permissions: tuple[str, ...]


TOOLS: dict[str, Tool] = {
    tool["id"]: Tool(
        tool["id"],
        app,
        tool["handling"],
        tool["target"]["requires_foreground"],
        tool["target"]["restore_previous_focus"],
        tool.get("timeout_ms"),
        tuple(tool.get("permissions", ())),
    )
    for app, manifest in MANIFESTS.items()
    for tool in manifest["tools"]
}


def declares(app: str, capability: str) -> bool:
    """Whether the manifest requests it."""
    return app in MANIFESTS and capability in MANIFESTS[app]["requested_capabilities"]


def listens(app: str) -> bool:
    """Whether it takes messages; Interact does."""
    return app == "chat" or any(one["topic"] == "agent.message" for one in MANIFESTS[app]["subscriptions"])


def verdict(capability: str) -> str:
    """What the policy says."""
    return POLICY.get(capability, "deny")


def fits(value: dict[str, Any]) -> bool:
    """Whether an input fits the probes' one schema: ``n`` from 0 to 9, and nothing else."""
    number = value.get("n")
    return set(value) == {"n"} and isinstance(number, int | float) and not isinstance(number, bool) and 0 <= number <= 9
