"""Writes to its standard output in every way that it knows."""

import logging
import os
import sys

from miniapps.sdk import MiniApp, ToolCall

print("said while it is imported")
logging.basicConfig(stream=sys.stdout, level=logging.DEBUG)
app = MiniApp()


@app.tool("chatters.go")
def go(call: ToolCall) -> None:
    print('{"jsonrpc": "2.0", "id": 1, "result": {}}')
    sys.stdout.write("without an end")
    sys.stdout.flush()
    print("\nto the first one", file=sys.__stdout__, flush=True)
    os.write(1, b'{"jsonrpc": "2.0", "method": "exit"}\n')
    logging.getLogger("chatters").warning("logged")
    os.write(2, bytes(range(256)) + b"\x1b[2J\n")
    call.complete({"ok": True, "note": repr(sys.stdin.read())})
