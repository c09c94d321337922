"""Every handler raises, except for one Tool."""

from miniapps.sdk import MiniApp, MiniAppMessage, SurfaceEvent, ToolCall

app = MiniApp()


@app.tool("raises.go")
def go(call: ToolCall) -> None:
    raise ValueError("a word that nobody outside may read")


@app.tool("raises.other")
def other(call: ToolCall) -> None:
    call.complete({"ok": True})


@app.on_message
def hear(message: MiniAppMessage) -> None:
    raise KeyError("message")


@app.on_surface_event("tap")
def tap(event: SurfaceEvent) -> None:
    raise RecursionError("tap")
