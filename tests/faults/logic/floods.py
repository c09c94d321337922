"""Asks for more than there is, of everything; counts what it was told."""

from collections import Counter
from collections.abc import Callable
from typing import Any

from miniapps.sdk import MiniApp, RefusedError, ToolCall

app = MiniApp()
sdk = app.sdk
TIMES = {"progress": 300, "update": 300, "emit": 300, "ask": 30, "want": 30, "open": 30, "refused": 300}


def count(times: int, act: Callable[[int], Any]) -> str:
    """How often each answer came."""
    counts: Counter[str] = Counter()
    for number in range(times):
        try:
            act(number)
            counts["ok"] += 1
        except RefusedError as refused:
            counts[refused.code] += 1
    return " ".join(f"{code}={number}" for code, number in sorted(counts.items()))


@app.tool("floods.go")
def go(call: ToolCall) -> None:
    surface = sdk.surfaces.request_open("main", "Floods", initial_state={})
    confirm: Any = {"kind": "confirm", "title": "T", "prompt": "P"}
    acts: dict[str, Callable[[int], Any]] = {
        "progress": lambda number: call.progress(percent=number % 100),
        "update": lambda number: surface.update({"n": number, "text": "x" * 2_000}),
        "emit": lambda number: sdk.surfaces.emit(surface.surface_id, "tap", {"n": number}),
        "ask": lambda number: sdk.ui.request(confirm),
        "want": lambda number: sdk.capabilities.request("probe.allowed", "more", {}),
        "open": lambda number: sdk.surfaces.request_open(f"key-{number}", "More"),
        "refused": lambda number: sdk.tools.complete("nobody's", {}),
    }
    how = call.input["how"]
    call.complete({"ok": True, "note": count(TIMES[how], acts[how])})
