"""A real sidecar process and the wire to it, step by step: ask, hear what came with it, kill, start again.

It blocks, so that a state machine needs no event loop; every result and every notification is held to the contract.
"""

from __future__ import annotations

import json
import os
import select
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

from host_bridge.command import serve_command
from rpc_schema.envelopes import RUNTIME_ENVELOPES
from rpc_schema.errors import REFUSED
from rpc_schema.framing import Decoder
from rpc_schema.methods import METHODS
from rpc_schema.notifications import NOTIFICATIONS

PATIENCE_S = 30.0
News = tuple[str, dict[str, Any]]
Call = tuple[str, dict[str, Any]]


class Refused(Exception):  # noqa: N818 - an answer
    """The Runtime decided against a request; ``code`` is its stable word, or the number of another error as text."""

    def __init__(self, error: dict[str, Any]) -> None:
        self.data = error.get("data") or {}
        self.code: str = self.data["code"] if error["code"] == REFUSED else str(error["code"])
        super().__init__(f"{self.code}: {error['message']} {self.data}")


class Gone(AssertionError):  # noqa: N818 - an end, and mostly no fault
    """The sidecar ended, and more was to come from it."""


class Wire:
    """A sidecar on a store of its own, which outlives the process. ``ahead_ms`` is how far its clock was moved."""

    def __init__(self, folder: Path, options: Sequence[str]) -> None:
        self.database = folder / "lineup.sqlite"
        self.stderr = folder / "stderr.log"
        self.ahead_ms = 0
        self.news: list[News] = []
        self._options = options
        self._process: subprocess.Popen[bytes] | None = None
        self._last_id = 0
        self._inventories: set[str] = set()

    # -- the process
    def start(self) -> None:
        """Start it; its clock goes on where it was."""
        with self.stderr.open("ab") as log:
            self._process = subprocess.Popen(
                self.command(), env=self.environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log
            )
        self._decoder = Decoder(framing="lines")
        self._messages: list[dict[str, Any]] = []
        self.news.clear()

    def command(self) -> list[str]:
        """What starts it."""
        return serve_command(self.database, f"--test-clock={self.ahead_ms}", *self._options)

    def environment(self) -> dict[str, str] | None:
        """What it is started in; None is this process's own."""
        return None

    def kill(self) -> None:
        """Kill it as a crash would; what it had said is forgotten."""
        if self._process is not None:
            self._process.kill()
            self._close()

    def stop(self) -> int:
        """End its input and wait; its exit code."""
        self._input().close()
        assert self._process is not None
        self._process.wait(PATIENCE_S)
        code = self._process.returncode
        self._close()
        return code

    def now(self) -> int:
        """The sidecar's clock as it is here, in milliseconds: a moment behind the sidecar's own."""
        return time.time_ns() // 1_000_000 + self.ahead_ms

    # -- asking
    def call(self, method: str, /, **params: Any) -> Any:
        """Ask and wait; what was told before the answer is in ``news``. Raises Refused."""
        self.post(method, params)
        return self._result(method, self._answer(self._last_id))

    def batch(self, calls: Sequence[Call]) -> list[Any]:
        """Ask all at once, as one array: each one's result, or Refused."""
        first = self._last_id + 1
        self._write([self._request(method, params) for method, params in calls])
        answers = self._take_batch(first)
        return [self._outcome(method, answers[first + place]) for place, (method, _) in enumerate(calls)]

    def post(self, method: str, params: dict[str, Any]) -> None:
        """Ask without waiting."""
        self._write(self._request(method, params))

    def speak(self, lines: Sequence[bytes]) -> list[dict[str, Any]]:
        """Write anything, then ping; every answer that came before the ping's."""
        pipe = self._input()
        pipe.write(b"".join(line + b"\n" for line in lines))
        pipe.write(b'{"jsonrpc":"2.0","id":"end","method":"ping"}\n')
        pipe.flush()
        answers: list[dict[str, Any]] = []
        while True:
            message = self._next()
            if isinstance(message, dict) and message.get("id") == "end":
                return answers
            if isinstance(message, list):
                answers += message
            elif "method" in message:
                self._hear(message)
            else:
                answers.append(message)

    # -- inside
    def _request(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        self._last_id += 1
        return {"jsonrpc": "2.0", "id": self._last_id, "method": method, "params": params}

    def _write(self, message: Any) -> None:
        pipe = self._input()
        try:
            pipe.write(json.dumps(message).encode() + b"\n")
            pipe.flush()
        except BrokenPipeError:
            raise Gone("the sidecar reads no more") from None

    def _input(self) -> IO[bytes]:
        assert self._process is not None
        assert self._process.stdin is not None
        return self._process.stdin

    def _answer(self, request_id: int) -> dict[str, Any]:
        while True:
            message = self._next()
            if isinstance(message, dict) and message.get("id") == request_id:
                return message
            self._hear(message)

    def _take_batch(self, first: int) -> dict[int, dict[str, Any]]:
        while True:
            message = self._next()
            if isinstance(message, list) and message[0]["id"] == first:
                return {one["id"]: one for one in message}
            self._hear(message)

    def _hear(self, message: Any) -> None:
        assert isinstance(message, dict), f"an answer that nobody asked for: {message}"
        assert "method" in message, f"an answer that nobody asked for: {message}"
        if not self._is_known_inventory(message["params"]):
            check_news(message["method"], message["params"])
        self.news.append((message["method"], message["params"]))

    def _is_known_inventory(self, params: dict[str, Any]) -> bool:
        """Every conversation is told the same inventory; looking at it once is enough."""
        envelope = params.get("envelope", {})
        if envelope.get("type") != "lineup.v1.client.inventory":
            return False
        known = envelope["payload"]["revision"] in self._inventories
        self._inventories.add(envelope["payload"]["revision"])
        return known

    def _next(self) -> Any:
        while not self._messages:
            self._wait()
            self._read()
        return self._messages.pop(0)

    def _wait(self) -> None:
        """Wait until it says something, or is gone."""
        ready, _, _ = select.select([self._output()], [], [], PATIENCE_S)
        assert ready, f"no answer within {PATIENCE_S:g} s"

    def _read(self) -> None:
        """Take what it has said."""
        data = self._receive()
        if not data:
            raise Gone(f"the sidecar ended: {self.stderr.read_text(errors='replace')[-2000:]}")
        for frame in self._decoder.feed(data):
            assert isinstance(frame, bytes), f"not protocol on stdout: {frame}"
            self._messages.append(json.loads(frame))

    def _receive(self) -> bytes:
        return os.read(self._output(), 1024 * 1024)

    def _output(self) -> int:
        assert self._process is not None
        assert self._process.stdout is not None
        return self._process.stdout.fileno()

    def _result(self, method: str, answer: dict[str, Any]) -> Any:
        outcome = self._outcome(method, answer)
        if isinstance(outcome, Refused):
            raise outcome
        return outcome

    def _outcome(self, method: str, answer: dict[str, Any]) -> Any:
        if "error" in answer:
            return Refused(answer["error"])
        check_result(method, answer["result"])
        return answer["result"]

    def _close(self) -> None:
        assert self._process is not None
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except BrokenPipeError:
                    continue
        self._process.wait(PATIENCE_S)
        self._process = None


def check_result(method: str, result: Any) -> None:
    """Hold a result to the contract."""
    model = METHODS[method].result
    if model is None:
        assert result is None
    else:
        model.model_validate(result)


def check_news(method: str, params: dict[str, Any]) -> None:
    """Hold a notification to the contract, and an envelope's payload to its type."""
    NOTIFICATIONS[method].params.model_validate(params)
    if method == "transport.send":
        RUNTIME_ENVELOPES[params["envelope"]["type"]].model_validate(params["envelope"]["payload"])
