"""Keeps in step with its surface, and says how far it is."""

from miniapps.sdk import MiniApp, Start, ToolCall

app = MiniApp()


@app.on_start
def start(begun: Start) -> None:
    app.sdk.surfaces.request_open("main", "Naps", initial_state={})


@app.tool("naps.go")
def go(call: ToolCall) -> None:
    call.complete({"ok": True, "note": str(app.sdk.surfaces.opened("main").revision)})
