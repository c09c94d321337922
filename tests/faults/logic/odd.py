"""Answers, reports and asks with what is no JSON; ``how`` names the value and what is done with it."""

import datetime
from collections.abc import Callable
from typing import Any

from miniapps.sdk import MiniApp, ToolCall

app = MiniApp()
CYCLE: list[Any] = []
CYCLE.append({"again": CYCLE})
DEEP: Any = 1
for _ in range(100):
    DEEP = [DEEP]
VALUES: dict[str, Any] = {
    "nan": {"rows": [{"v": float("nan")}, {"v": float("inf")}]},
    "minus infinity": float("-inf"),
    "bytes": b"bytes",
    "a set": {1, 2},
    "a date": datetime.date(2028, 2, 29),
    "a cycle": CYCLE,
    "a lone surrogate": "a\ud800b",
    "a key that is half a pair": {"\udc00": 1},
    "a key that is no text": {1: 1},
    "too deep": DEEP,
    "too many digits": 10**5_000,
    "too long": "x" * (8 * 1024 * 1024),
    "an object": object(),
}


@app.tool("odd.go")
def go(call: ToolCall) -> None:
    what, _, which = call.input["how"].partition(" with ")
    value = VALUES[which]
    surface = app.sdk.surfaces.request_open("main", "Odd", initial_state={})
    confirm: Any = {"kind": "confirm", "title": value, "prompt": "P"}
    does: dict[str, Callable[[], Any]] = {
        "complete": lambda: call.complete({"ok": True, "note": value}),
        "fail": lambda: call.fail("odd", "m", details={"odd": value}),
        "progress": lambda: call.progress(state=value),
        "update": lambda: surface.update({"odd": value}),
        "emit": lambda: app.sdk.surfaces.emit(surface.surface_id, "odd", {"odd": value}),
        "ask": lambda: app.sdk.ui.request(confirm),
        "want": lambda: app.sdk.capabilities.request("probe.allowed", "odd", {"odd": value}),
    }
    does[what]()
    call.complete({"ok": False, "note": "it was taken"})


@app.tool("odd.other")
def other(call: ToolCall) -> None:
    call.complete({"ok": True, "note": "\U0001f600 é漢—"})
