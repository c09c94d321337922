"""Asks for one thing thousands of times, as many at once as a batch holds; counts what it was told."""

import os
from collections import Counter
from typing import Any

from miniapps.sdk import MiniApp, Start, ToolCall
from rpc_schema.limits import MAX_WORKER_BATCH

app = MiniApp()
sdk = app.sdk
CONFIRM = {"kind": "confirm", "title": "T", "prompt": "P"}
LARGE = {
    "kind": "choice",
    "title": "T",
    "prompt": "P",
    "mode": "button",
    "actions": [{"id": f"{number}", "label": "L", "description": "x" * 4_000} for number in range(50)],
}
EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
ARTIFACT = {"name": "a", "media_type": "text/plain", "byte_size": 0, "sha256": EMPTY, "content_base64": ""}


@app.on_start
def start(begun: Start) -> None:
    sdk.surfaces.request_open("main", "Storms", initial_state={})


def deep(levels: int) -> Any:
    """An object that nests."""
    return {"a": deep(levels - 1)} if levels else 1


def act(how: str, number: int, call: ToolCall) -> tuple[str, dict[str, Any]]:
    """What is asked for."""
    surface = {"surface_id": sdk.surfaces.opened("main").surface_id}
    acts: dict[str, tuple[str, dict[str, Any]]] = {
        "progress": ("tools.reportProgress", {"call_id": call.call_id, "progress": {"percent": number % 100}}),
        "update": ("surfaces.update", {**surface, "patch": {"n": number}}),
        "paint-large": ("surfaces.update", {**surface, "patch": {"text": f"{number}" * 20_000}}),
        "grow": ("surfaces.update", {**surface, "patch": {f"{number}": "x" * 20_000}}),
        "nest": ("surfaces.update", {**surface, "patch": {f"{number % 40}": deep(number % 40)}}),
        "emit": ("surfaces.emit", {**surface, "event": "tap", "payload": {"n": number}}),
        "emit-large": ("surfaces.emit", {**surface, "event": "tap", "payload": {"text": "x" * 100_000}}),
        "hand-in": ("surfaces.submit", {**surface, "artifact": ARTIFACT}),
        "ask": ("ui.request", {"request": CONFIRM}),
        "ask-large": ("ui.request", {"request": LARGE}),
        "want": ("capabilities.request", {"capability": "probe.allowed", "reason": "r", "arguments": {}}),
        "want-asked": ("capabilities.request", {"capability": "probe.asked", "reason": "r", "arguments": {}}),
        "want-denied": ("capabilities.request", {"capability": "probe.denied", "reason": "r", "arguments": {}}),
        "open": ("surfaces.requestOpen", {"request": {"key": f"k{number}", "title": "More"}}),
        "subscribe": ("inbox.subscribe" if number % 2 else "ui.subscribe", {}),
        "guess": ("tools.complete", {"call_id": f"call-{number}", "result": {}}),
        "front": ("lifecycle.requestForeground" if number % 2 else "lifecycle.requestBackground", {}),
    }
    return acts[how]


def ask_all(requests: list[tuple[str, dict[str, Any]]]) -> list[str]:
    """What each was told."""
    token = {"context_token": sdk._token}
    batch: Any = [
        {"jsonrpc": "2.0", "id": number, "method": f"sdk.{method}", "params": {**token, **params}}
        for number, (method, params) in enumerate(requests)
    ]
    channel = sdk._channel
    channel._write(batch)
    while isinstance(answers := channel._message(), dict):
        continue
    return ["ok" if "result" in one else one["error"].get("data", {}).get("code", "error") for one in answers]


def shout(times: int) -> None:
    """Fill standard output and the log with noise."""
    for number in range(times):
        print(f"noise {number}")
    os.write(2, b"n" * 1_000_000)


@app.tool("storms.go")
def go(call: ToolCall) -> None:
    how, _, times = call.input["how"].partition(" ")
    counts: Counter[str] = Counter()
    if how == "shout":
        shout(int(times))
        counts["ok"] = int(times)
    else:
        batch = 20 if "large" in how else MAX_WORKER_BATCH  # a large one must fit into a message
        for begun in range(0, int(times), batch):
            counts.update(ask_all([act(how, begun + number, call) for number in range(batch)]))
    call.complete({"ok": True, "note": " ".join(f"{code}={number}" for code, number in sorted(counts.items()))})
