"""Speaks to the Runtime past the SDK, over the same connection; ``how`` says what."""

import json
import os
from typing import Any

from miniapps.sdk import MiniApp, ToolCall

app = MiniApp()
GARBAGE = [
    b"{not json\n",
    b"\xff\xfe\x00\n",
    b'{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}\n',
    b"[" * 200 + b"\n",
    b'{"jsonrpc":"2.0","id":NaN,"method":"ping"}\n',
    b"[]\n",
    b"7\n",
    b'"' + b"x" * (8 * 1024 * 1024 + 1) + b'"\n',
]
OF_THE_HOST = {
    "initialize": {"protocol_version": "1.0", "host": {"name": "me", "version": "1.0.0"}},
    "shutdown": {},
    "rpc.discover": {},
    "runtime.status": {},
    "audit.list": {},
    "test.advanceClock": {"ms": 1},
    "workspace.open": {"conversation_id": "conv-1", "agent_id": "agent-1"},
    "miniapp.setEnabled": {"app_scope": "steady", "enabled": False},
    "renderer.list": {"conversation_id": "conv-1"},
    "transport.setOnline": {"online": False},
    "transport.deliver": {"peer": {}, "envelope": {}},
    "no.such": {},
}


def say(data: bytes) -> None:
    """Write all of it."""
    view = memoryview(data)
    while view:
        view = view[os.write(app.sdk._channel._write_fd, view) :]


def answer() -> dict[str, Any]:
    """The next message that answers something."""
    while "method" in (message := app.sdk._channel._message()):
        continue
    return message


def ask(method: str, **params: Any) -> Any:
    """The result, or the error's code."""
    say(json.dumps({"jsonrpc": "2.0", "id": "x", "method": method, "params": params}).encode() + b"\n")
    told = answer()
    return told.get("result", told.get("error", {}).get("code"))


@app.tool("raw.go")
def go(call: ToolCall) -> None:
    how, _, token = call.input["how"].partition(" ")
    note: Any = None
    if how == "garbage":
        note = []
        for one in GARBAGE:
            say(one)
            told = answer()
            note.append([told["id"], told["error"]["code"]])
    elif how == "host":
        note = {method: ask(method, **params) for method, params in OF_THE_HOST.items()}
        say(b'{"jsonrpc":"2.0","method":"exit"}\n{"jsonrpc":"2.0","method":"shutdown"}\n')
        note["ping"] = ask("ping")
    elif how == "foreign":
        note = [ask("sdk.context.get", context_token=token), ask("sdk.tools.subscribe", context_token=token)]
    elif how == "batch":
        say(json.dumps([{"jsonrpc": "2.0", "id": "x", "method": "ping"}] * int(token)).encode() + b"\n")
        told = app.sdk._channel._message()
        note = told["error"] if isinstance(told, dict) else len(told)
    elif how == "own":
        note = app.sdk._token
    call.complete({"ok": True, "note": json.dumps(note)})
