"""Is told nothing, and looks at nothing, until its call has been ended by somebody else; then it ends it itself."""

import time

from miniapps.sdk import MiniApp, ToolCall

app = MiniApp()


@app.tool("late.go")
def go(call: ToolCall) -> None:
    call.progress(message="at work")
    while (known := app.sdk.tools.get(call.call_id)) is None or known["status"] == "running":
        time.sleep(0.01)
    if call.input["how"] == "complete":
        call.complete({"ok": True, "note": "a late success"})
    elif call.input["how"] == "fail":
        call.fail("late", "a late failure")
    else:
        call.progress(message="late progress")


@app.tool("late.other")
def other(call: ToolCall) -> None:
    call.complete({"ok": True})
