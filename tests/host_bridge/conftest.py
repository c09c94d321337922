"""Fixtures: a tiny peer instead of a sidecar, and a probe MiniApp whose logic the Host runs itself."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from host_bridge.client import Sidecar

PEER = (sys.executable, str(Path(__file__).with_name("echo_peer.py")))

INPUT = {"type": "object", "additionalProperties": False, "required": ["n"], "properties": {"n": {"type": "number"}}}
OUTPUT = {
    "type": "object",
    "additionalProperties": False,
    "required": ["ok"],
    "properties": {"ok": {"type": "boolean"}},
}


def tool(name: str, handling: str) -> dict[str, Any]:
    target = {"app_scope": "probe", "requires_foreground": handling == "launch", "restore_previous_focus": True}
    return {
        "id": f"probe.{name}",
        "version": 1,
        "handling": handling,
        "target": target,
        "input_schema": INPUT,
        "output_schema": OUTPUT,
    }


MANIFEST = {
    "app_scope": "probe",
    "version": "1.0.0",
    "kind": "bundled",
    "tools": [tool("launch", "launch"), tool("work", "operation")],
    "subscriptions": [{"topic": "agent.message"}],
    "requested_capabilities": ["probe.allowed"],
    "host": {"min_version": "1.0.0", "surface_required": True},
}
POLICY = {"capabilities": {"probe.allowed": "allow"}}

StartPeer = Callable[..., Awaitable[Sidecar]]


@pytest.fixture
async def start_peer() -> AsyncIterator[StartPeer]:
    """Start peers with options of their own; they are stopped at the end, the newest first."""
    async with AsyncExitStack() as stack:

        async def start(*options: str, **more: Any) -> Sidecar:
            more.setdefault("timeout", 10.0)
            return await stack.enter_async_context(Sidecar([*PEER, *options], **more))

        yield start


@pytest.fixture
async def peer(start_peer: StartPeer) -> Sidecar:
    """A running peer."""
    return await start_peer()


@pytest.fixture
def lineup_options(tmp_path: Path) -> list[str]:
    """Give this folder's sidecars the probe MiniApp and a policy for it."""
    surface = tmp_path / "bundles" / "probe" / "surface"
    surface.mkdir(parents=True)
    (surface.parent / "manifest.json").write_text(json.dumps(MANIFEST))
    (surface / "index.html").write_text("<!doctype html><title>Probe</title><p>Probe</p>")
    policy = tmp_path / "policy.json"
    policy.write_text(json.dumps(POLICY))
    return ["--miniapps", str(tmp_path / "bundles"), "--policy", str(policy)]
