"""Floods its standard error."""

import os

from miniapps.sdk import MiniApp, ToolCall

app = MiniApp()


@app.tool("screams.go")
def go(call: ToolCall) -> None:
    for _ in range(30):
        os.write(2, b"a line that nobody needs\n" * 2_600)
    call.complete({"ok": True})
