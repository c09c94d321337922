"""Ends its process in the middle of a call, in the way that the call asks for; ``once``: not the second time."""

import os
import signal
import sys

from miniapps.sdk import MiniApp, ToolCall

app = MiniApp()


@app.tool("leaves.go")
def go(call: ToolCall) -> None:
    how = call.input["how"]
    if call.redelivered and how == "once":
        call.complete({"ok": True, "note": "redelivered"})
    elif how == "exit":
        sys.exit("that was it")
    elif how == "close":
        os.closerange(3, 64)
    elif how == "signal":
        os.kill(os.getpid(), signal.SIGSEGV)
    else:
        os._exit(7)
