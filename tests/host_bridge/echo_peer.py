"""A tiny peer for the client's tests: speaks lines of JSON-RPC and does as it is told. Standard library alone.

Options: ``--deaf`` never ends by itself, ``--code N`` ends at once with that code, ``--silent`` answers nothing,
``--answers JSON`` and ``--refusals JSON`` map methods to results and refusal codes; other methods echo their params.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from typing import Any

SESSION = {
    "protocol_version": "1.0",
    "runtime": {"name": "echo", "version": "1.0.0"},
    "session_id": "session-1",
    "inventory_revision": "inv_0000000000000000",
    "limits": {},
    "recovered": dict.fromkeys(("conversations", "instances", "tool_calls", "interactions", "surfaces", "outbox"), 0),
}


HEARD: list[tuple[str, Any]] = []
"""Every request so far, for ``peer.heard``."""


def write(message: object) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def respond(method: str, params: dict[str, Any], answers: dict[str, Any]) -> Any:
    if method == "peer.say":
        for name, said in params["notifications"]:
            write({"jsonrpc": "2.0", "method": name, "params": said})
    if method == "peer.noise":
        sys.stdout.write("noise, no protocol\n\xff\n")
    if method == "peer.stderr":
        sys.stderr.write("e" * params["bytes"] + "END")
        sys.stderr.flush()
    if method == "peer.child":
        return {"pid": subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"]).pid}
    if method == "peer.heard":
        return [[name, said] for name, said in HEARD if name == params["method"]]
    if method == "peer.die":
        sys.stderr.write("last words\n")
        sys.stderr.flush()
        os._exit(params["code"])
    known = {"initialize": SESSION, "ping": {}, "shutdown": None, **answers}
    return known.get(method, params)


def answer(message: Any, options: argparse.Namespace) -> Any:
    method, params = message["method"], message.get("params", {})
    HEARD.append((method, params))
    if method == "exit" and not options.deaf:
        sys.exit(0)
    if method == "peer.answer":
        for raw in params["raw"]:
            write({**raw, "id": message["id"]})
        return None
    if options.silent or method == "peer.hang" or "id" not in message:
        return None
    refusals = {"peer.refuse": "lifecycle_denied", **options.refusals}
    if method in refusals:
        data = {"code": refusals[method], **(params if method == "peer.refuse" else {})}
        return {"jsonrpc": "2.0", "id": message["id"], "error": {"code": 1000, "message": "no", "data": data}}
    return {"jsonrpc": "2.0", "id": message["id"], "result": respond(method, params, options.answers)}


def serve(options: argparse.Namespace) -> None:
    for line in sys.stdin:
        message = json.loads(line)
        many = message if isinstance(message, list) else [message]
        answers = [one for one in (answer(m, options) for m in many) if one]
        if answers:
            write(answers if isinstance(message, list) else answers[0])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--deaf", action="store_true")
    parser.add_argument("--silent", action="store_true")
    parser.add_argument("--code", type=int)
    parser.add_argument("--answers", type=json.loads, default={})
    parser.add_argument("--refusals", type=json.loads, default={})
    options, _ = parser.parse_known_args()
    if options.code is not None:
        sys.stderr.write("cannot start\n")
        sys.exit(options.code)
    if options.deaf:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    serve(options)
    while options.deaf:
        time.sleep(60)


if __name__ == "__main__":
    main()
