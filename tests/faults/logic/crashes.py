"""Has a surface, a question and a capability request open, and dies with them as often as it is started."""

import os

from miniapps.sdk import MiniApp, Start, ToolCall

app = MiniApp()


@app.on_start
def start(begun: Start) -> None:
    app.sdk.surfaces.request_open("main", "Crashes")


@app.tool("crashes.go")
def go(call: ToolCall) -> None:
    if not call.redelivered:
        app.sdk.ui.request({"kind": "confirm", "title": "T", "prompt": "P"}, parent_call_id=call.call_id)
        app.sdk.capabilities.request("probe.asked", "to see", {})
    os._exit(9)
