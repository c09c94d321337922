"""Stands where the MCP SDK's server stands in a run: speaks the same few methods, with the standard library alone."""

from __future__ import annotations

import json
import sys
from typing import Any


def result(method: str, params: dict[str, Any]) -> dict[str, Any]:
    if method == "tools/call":
        return {"content": [{"type": "text", "text": params["arguments"]["text"]}]}
    return {}


for line in sys.stdin:
    message = json.loads(line)
    if "id" in message:
        answer = {"jsonrpc": "2.0", "id": message["id"], "result": result(message["method"], message.get("params", {}))}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()
