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
    import socket
    import sys
    import time
    from miniapps.sdk import MiniApp

    app = MiniApp()
    sdk = app.sdk

    def tell(**change):
        sdk.surfaces.opened("main").update(change)

    @app.on_start
    def start(begun):
        sdk.surfaces.request_open("main", "Worker", initial_state={"lives": 0})
        tell(pid=os.getpid(), lives=sdk.surfaces.opened("main").state["lives"] + 1)

    @app.tool("SCOPE.run")
    def run(call):
        carry_out(call)

    @app.tool("SCOPE.quiet")
    def quiet(call):
        carry_out(call)

    def carry_out(call):
        wanted = call.input["do"]
        tell(calls={call.call_id: call.redelivered})
        if wanted == "exit":
            os._exit(7)
        if wanted == "raise":
            raise ValueError("a secret of the MiniApp")
        if wanted == "print":
            print("this is no protocol")
            sys.stdout.write("neither is this\\n")
            os.write(1, b"nor this\\n")
        if wanted == "ask":
            sdk.ui.request({"kind": "confirm", "title": "t", "prompt": "p"}, parent_call_id=call.call_id)
        if wanted == "want":
            sdk.capabilities.request("probe.asked", "please", {})
        if wanted == "reach":
            tell(reached=reach())
        if wanted in ("done", "print", "reach", "want"):
            call.complete({"ok": True})

    def code_of(method, **params):
        try:
            return sdk._channel.call(method, **params) and "answered"
        except Exception as error:
            return error.code

    def reach():
        reached = []
        tell(pried={method: code_of(method) for method in (
            "initialize", "shutdown", "exit", "rpc.discover", "runtime.status", "audit.list", "workspace.open",
            "miniapp.list", "surface.attach", "renderer.list", "renderer.submit", "transport.deliver", "transport.ack",
            "capability.resolve", "test.advanceClock", "artifact.get",
        )})
        for name, attempt in (
            ("network", lambda: socket.create_connection(("127.0.0.1", 9), timeout=1)),
            ("process", lambda: os.system("true")),
            ("files", lambda: open("/etc/hostname").read()),
        ):
            try:
                attempt()
                reached.append(name)
            except BaseException as error:
                reached.append(type(error).__name__)
        return reached

    @app.on_interaction
    def hear_answer(record):
        tell(answer=record["status"])

    @app.on_message
    def hear(message):
        word, _, token = message["payload"]["text"].partition(" ")
        if word == "try":
            tell(tried=code_of("sdk.context.get", context_token=token))
        else:
            tell(heard={message["message_id"]: word})

    @app.on_closing
    def linger(news):
        time.sleep(30 if news["reason"] == "linger" else 0)
"""

DOES = ["done", "hold", "exit", "raise", "print", "ask", "want", "reach"]
RUN_INPUT = {
    "type": "object",
    "additionalProperties": False,
    "required": ["do"],
    "properties": {"do": {"type": "string", "enum": DOES}},
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
    write_bundle(bundles, manifest())
    for scope in ("probe-two", "probe-three"):
        write_bundle(bundles, manifest(scope, tools=_some_tools(scope)))
    write_bundle(bundles, manifest("mute", tools=_some_tools("mute"), subscriptions=[]))
    newer = {"min_version": "9.0.0", "surface_required": False}
    write_bundle(bundles, manifest("future", tools=_some_tools("future"), host=newer))
    policy = folder / "policy.json"
    policy.write_text(json.dumps(POLICY))
    return ["--miniapps", str(bundles), "--policy", str(policy)]


def _some_tools(scope: str) -> list[dict[str, Any]]:
    """The Tools that scenarios use of the apps beside the probe: each conversation is told the whole inventory."""
    used = ("launch", "drop", "work", "brief", "forbidden")
    return [one for one in manifest(scope)["tools"] if one["id"].removeprefix(f"{scope}.") in used]


def write_workers(folder: Path, count: int) -> list[str]:
    """Write ``crew-0``, ``crew-1``, …: workers whose ``run`` (launch) and ``quiet`` (direct) do what ``do`` says."""
    bundles = folder / "crew"
    for number in range(count):
        scope = f"crew-{number}"
        tools = [
            tool("run", "launch", scope, input_schema=RUN_INPUT),
            tool("quiet", "direct", scope, input_schema=RUN_INPUT),
        ]
        write_bundle(bundles, manifest(scope, tools=tools), LOGIC)
    policy = folder / "crew.json"
    policy.write_text(json.dumps(POLICY))
    return ["--miniapps", str(bundles), "--policy", str(policy)]
