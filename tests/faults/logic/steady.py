"""Does what it is asked, at once: the neighbour that must notice nothing."""

from miniapps.sdk import MiniApp, ToolCall

app = MiniApp()


@app.tool("steady.go")
def go(call: ToolCall) -> None:
    call.complete({"ok": True})
