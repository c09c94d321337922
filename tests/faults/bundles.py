"""The bundles of the faulty MiniApps: each file of ``logic`` as an ``app.py``, with a manifest around it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

LOGIC = Path(__file__).with_name("logic")
PAGE = "<!doctype html><title>Faulty</title><p>Faulty</p>"
POLICY = {"capabilities": {"probe.allowed": "allow", "probe.asked": "ask"}}
INPUT = {
    "type": "object",
    "additionalProperties": False,
    "required": [],
    "properties": {"how": {"type": "string"}},
}
OUTPUT = {
    "type": "object",
    "additionalProperties": False,
    "required": ["ok"],
    "properties": {"ok": {"type": "boolean"}, "note": {"type": "string"}},
}


def _tool(scope: str, name: str) -> dict[str, Any]:
    return {
        "id": f"{scope}.{name}",
        "version": 1,
        "handling": "launch",
        "target": {"app_scope": scope, "requires_foreground": True, "restore_previous_focus": True},
        "input_schema": INPUT,
        "output_schema": OUTPUT,
        "timeout_ms": 3_600_000,
    }


def _manifest(scope: str) -> dict[str, Any]:
    return {
        "app_scope": scope,
        "version": "1.0.0",
        "kind": "bundled",
        "tools": [_tool(scope, "go"), _tool(scope, "other")],
        "subscriptions": [{"topic": "agent.message"}],
        "requested_capabilities": list(POLICY["capabilities"]),
        "host": {"min_version": "1.0.0", "surface_required": True},
    }


def write_bundles(folder: Path) -> list[str]:
    """Write every bundle and the policy: the options that make a sidecar serve them."""
    for logic in LOGIC.glob("*.py"):
        scope = logic.stem.replace("_", "-")
        surface = folder / "bundles" / scope / "surface"
        surface.mkdir(parents=True)
        (surface / "index.html").write_text(PAGE)
        (surface.parent / "manifest.json").write_text(json.dumps(_manifest(scope)))
        shutil.copy(logic, surface.parent / "app.py")
    policy = folder / "policy.json"
    policy.write_text(json.dumps(POLICY))
    return ["--miniapps", str(folder / "bundles"), "--policy", str(policy)]
