"""The MiniApps of the scenarios: probes that a test speaks for itself, and workers that do what their input says."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path
from typing import Any

PAGE = "<!doctype html><title>Probe</title><p>Probe</p><script>let first = 1</script>"
POLICY = {"capabilities": {"probe.allowed": "allow", "probe.asked": "ask", "probe.orphan": "allow"}}
DECLARED = ["probe.allowed", "probe.asked", "probe.denied", "probe.orphan"]

INPUT = {
    "type": "object",
    "additionalProperties": False,
    "required": ["n"],
    "properties": {
        "n": {"type": "number", "minimum": 0, "maximum": 1_000_000},
        "tag": {"type": "string", "maxLength": 8},
        "tags": {"type": "array", "maxItems": 3, "items": {"type": "string", "minLength": 1}},
    },
}
OUTPUT = {
    "type": "object",
    "additionalProperties": False,
    "required": ["ok"],
    "properties": {"ok": {"type": "boolean"}, "note": {"type": "string"}},
}

LOGIC = """
    import os
    import sys
    import time
    from miniapps.sdk import MiniApp

    app = MiniApp()
    sdk = app.sdk

    @app.on_start
    def start(begun):
        sdk.surfaces.request_open("main", "Worker", initial_state={"pid": 0, "heard": {}})
        sdk.surfaces.opened("main").update({"pid": os.getpid()})

    @app.tool("SCOPE.run")
    def run(call):
        wanted = call.input["do"]
        if wanted == "exit":
            os._exit(7)
        if wanted == "print":
            print("this is no protocol")
            sys.stdout.write("neither is this\\n")
            os.write(1, b"nor this\\n")
        if wanted == "ask":
            sdk.ui.request({"kind": "confirm", "title": "t", "prompt": "p"}, parent_call_id=call.call_id)
        if wanted == "raise":
            raise ValueError("a secret of the MiniApp")
        if wanted in ("done", "print"):
            call.complete({"ok": True, "note": str(call.redelivered)})

    @app.on_interaction
    def answered(record):
        sdk.surfaces.opened("main").update({"answer": record["status"]})

    @app.on_message
    def hear(message):
        sdk.surfaces.opened("main").update({"heard": {message["message_id"]: message["payload"]["text"]}})

    @app.on_closing
    def closing(news):
        time.sleep(30 if news["reason"] == "linger" else 0)
"""

RUN_INPUT = {
    "type": "object",
    "additionalProperties": False,
    "required": ["do"],
    "properties": {"do": {"type": "string", "enum": ["done", "hold", "exit", "print", "ask", "raise"]}},
}


def tool(name: str, handling: str, scope: str = "probe", **more: Any) -> dict[str, Any]:
    """A descriptor; ``foreground`` and ``restore`` are its target's, all else is its own."""
    return {
        "id": f"{scope}.{name}",
        "version": 1,
        "handling": handling,
        "target": {
            "app_scope": scope,
            "requires_foreground": more.pop("foreground", False),
            "restore_previous_focus": more.pop("restore", True),
        },
        "input_schema": INPUT,
        "output_schema": OUTPUT,
        **more,
    }


def manifest(scope: str = "probe", **more: Any) -> dict[str, Any]:
    """A probe's manifest: one Tool for each way that RULES 2 knows."""
    return {
        "app_scope": scope,
        "version": "1.0.0",
        "kind": "bundled",
        "subscriptions": [{"topic": "agent.message"}],
        "requested_capabilities": DECLARED,
        "host": {"min_version": "1.0.0", "surface_required": True},
        "tools": [
            tool("direct", "direct", scope),
            tool("show", "direct", scope, foreground=True),
            tool("launch", "launch", scope),
            tool("drop", "launch", scope, restore=False),
            tool("raise", "foreground", scope),
            tool("work", "operation", scope),
            tool("attend", "operation", scope, foreground=True),
            tool("blink", "launch", scope, timeout_ms=1_000),
            tool("brief", "launch", scope, timeout_ms=60_000),
            tool("patient", "launch", scope, timeout_ms=86_400_000),
            tool("permitted", "launch", scope, permissions=["probe.allowed", "probe.asked"]),
            tool("forbidden", "launch", scope, permissions=["probe.allowed", "probe.denied"]),
            tool("undeclared", "launch", scope, permissions=["probe.undeclared"]),
        ],
        **more,
    }


def write_bundle(folder: Path, value: dict[str, Any], logic: str | None = None) -> Path:
    """Write a bundle; with ``logic`` the sidecar runs it in a worker."""
    bundle = folder / str(value["app_scope"])
    (bundle / "surface").mkdir(parents=True)
    (bundle / "manifest.json").write_text(json.dumps(value))
    (bundle / "surface" / "index.html").write_text(PAGE)
    if logic is not None:
        (bundle / "app.py").write_text(textwrap.dedent(logic).replace("SCOPE", str(value["app_scope"])))
    return bundle


def write_probes(folder: Path) -> list[str]:
    """Write the probes and a policy for them: the options that make a sidecar serve them."""
    bundles = folder / "bundles"
    for scope in ("probe", "probe-two", "probe-three"):
        write_bundle(bundles, manifest(scope))
    few = {scope: [tool("launch", "launch", scope), tool("work", "operation", scope)] for scope in ("mute", "future")}
    write_bundle(bundles, manifest("mute", tools=few["mute"], subscriptions=[]))
    newer = {"min_version": "9.0.0", "surface_required": False}
    write_bundle(bundles, manifest("future", tools=few["future"], host=newer))
    policy = folder / "policy.json"
    policy.write_text(json.dumps(POLICY))
    return ["--miniapps", str(bundles), "--policy", str(policy)]


def write_workers(folder: Path, count: int) -> list[str]:
    """Write ``crew-0``, ``crew-1``, …, whose one Tool ``run`` does what ``do`` says, in workers."""
    bundles = folder / "bundles"
    for number in range(count):
        scope = f"crew-{number}"
        run = {**tool("run", "launch", scope), "input_schema": RUN_INPUT}
        quiet = {**tool("run", "direct", scope), "id": f"{scope}.quiet", "input_schema": RUN_INPUT}
        write_bundle(bundles, manifest(scope, tools=[run, quiet]), LOGIC)
    return ["--miniapps", str(bundles)]
