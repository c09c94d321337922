"""Sends requests as fast as it can and reads no answer."""

import json
import os

from miniapps.sdk import MiniApp, ToolCall

app = MiniApp()


@app.tool("rushes.go")
def go(call: ToolCall) -> None:
    surface = app.sdk.surfaces.request_open("main", "Rushes", initial_state={"text": "x" * 200_000})
    params = {"context_token": app.sdk._token, "surface_id": surface.surface_id}
    line = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "sdk.surfaces.get", "params": params}).encode() + b"\n"
    while True:
        os.write(app.sdk._channel._write_fd, line)
