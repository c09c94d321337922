"""A sidecar's own pipes, for what is said to it byte by byte."""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Sequence
from io import BufferedReader
from pathlib import Path
from typing import Any, cast

from host_bridge.command import find_sidecar
from tests.scenarios.stage import HOST_RUN


def request(request_id: Any = 1, method: str = "ping", **more: Any) -> dict[str, Any]:
    """A request."""
    return {"jsonrpc": "2.0", "id": request_id, "method": method, **more}


class Pipes:
    """A sidecar spoken to in bytes; nothing is read unless a test reads. It is killed where a test hangs."""

    def __init__(
        self,
        database: Path,
        *options: str,
        through: Sequence[str] = (),
        stderr: int = subprocess.DEVNULL,
        patience_s: float = 30,
    ) -> None:
        command = [*find_sidecar(), "--database", str(database), "--test-clock", *options]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen([*through, *command], stdin=pipe, stdout=pipe, stderr=stderr)
        self.alarm = threading.Timer(patience_s, self.process.kill)
        self.alarm.start()
        assert self.process.stdin
        assert self.process.stdout
        self.stdin = self.process.stdin
        self.stdout = cast("BufferedReader", self.process.stdout)

    def say(self, request_id: Any, method: str, **params: Any) -> None:
        """Send a request."""
        self.stdin.write(json.dumps(request(request_id, method, params=params)).encode() + b"\n")
        self.stdin.flush()

    def begin(self, host_run: Sequence[str] = HOST_RUN) -> None:
        """Begin a session with a conversation ``c`` of the Agent ``a``."""
        host = {"name": "pipes", "version": "1.0.0"}
        self.say("init", "initialize", protocol_version="1.0", host=host, host_run=list(host_run))
        self.hear_until("init")
        self.say("open", "workspace.open", conversation_id="c", agent_id="a")
        self.hear_until("open")

    def mount(self, app_scope: str) -> str:
        """Open a MiniApp in that conversation and mount it: the token that speaks for it."""
        self.say("opened", "miniapp.open", conversation_id="c", app_scope=app_scope)
        self.say("mounted", "miniapp.mount", instance_id=self.hear_until("opened")[-1]["result"]["instance_id"])
        token: str = self.hear_until("mounted")[-1]["result"]["context_token"]
        return token

    def write(self, data: bytes) -> None:
        """Send bytes."""
        self.stdin.write(data)
        self.stdin.flush()

    def hear(self) -> dict[str, Any]:
        """Read one message."""
        line = self.stdout.readline()
        assert line.isascii()
        assert line.endswith(b"\n")
        assert b"\r" not in line
        message: dict[str, Any] = json.loads(line)
        return message

    def hear_until(self, request_id: Any) -> list[dict[str, Any]]:
        """Read up to the answer to that request."""
        heard = [self.hear()]
        while heard[-1].get("id") != request_id:
            heard.append(self.hear())
        return heard

    def end(self) -> tuple[list[dict[str, Any]], int]:
        """End the input: what still comes, and the exit code."""
        self.stdin.close()
        rest = [json.loads(line) for line in self.stdout]
        return rest, self.process.wait(10)

    def close(self) -> None:
        """Leave nothing behind."""
        self.alarm.cancel()
        self.process.kill()
        self.process.wait()
        for stream in (self.stdin, self.stdout, self.process.stderr):
            if stream is not None:
                stream.close()
