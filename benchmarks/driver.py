"""The one driver of both sides: a child process spoken to in lines of JSON, blocking, on one thread.

Whoever the child is, a message costs this end the same: one ``json.dumps`` and one write out, one read and one
``json.loads`` in.
"""

from __future__ import annotations

import json
import os
import select
import subprocess
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any, Self

Message = dict[str, Any]

PATIENCE_MS = 30_000
"""How long an answer may take before the measurement is given up."""

_CHUNK = 64 * 1024  # what a pipe holds


class PeerError(Exception):
    """The child does not do what it should; the measurement is void."""


class Peer:
    """A running child. What it says on stderr goes to a file beside its other files."""

    def __init__(self, command: Sequence[str], folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._errors = folder / "stderr.txt"
        self.started = perf_counter()
        with self._errors.open("ab") as errors:
            self._process = subprocess.Popen(
                command,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                cwd=folder,
                env={"PATH": os.environ["PATH"], "HOME": str(folder), "LANG": "C.UTF-8"},
            )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._stdin = self._process.stdin.fileno()
        self._stdout = self._process.stdout.fileno()
        self._poll = select.poll()
        self._poll.register(self._stdout, select.POLLIN)
        self._rest = b""
        self._arrived: deque[Message] = deque()
        self._last_id = 0

    @property
    def pid(self) -> int:
        """The child's process id."""
        return self._process.pid

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def end(self) -> None:
        """Hang up and wait for the child to end; kill it if it does not."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()

    # -- out
    def ask(self, method: str, params: Mapping[str, Any] | None = None) -> Message:
        """Make a request under the next id; it is not sent yet."""
        self._last_id += 1
        message: Message = {"jsonrpc": "2.0", "id": self._last_id, "method": method}
        if params is not None:
            message["params"] = params
        return message

    def send(self, *messages: Message) -> None:
        """Write messages, all at once."""
        data = b"".join([json.dumps(message, separators=(",", ":")).encode() + b"\n" for message in messages])
        try:
            while data:
                data = data[os.write(self._stdin, data) :]
        except BrokenPipeError:
            raise self._ended() from None

    # -- in
    def receive(self) -> Message:
        """Take the next message."""
        while not self._arrived:
            self._read()
        return self._arrived.popleft()

    def receive_all(self) -> list[Message]:
        """Take all that has arrived, one message at least."""
        first = self.receive()
        rest, self._arrived = self._arrived, deque()
        return [first, *rest]

    def request(self, method: str, params: Mapping[str, Any] | None = None) -> Any:
        """Send a request and wait for its result; what arrives before it is dropped."""
        message = self.ask(method, params)
        self.send(message)
        while (answer := self.receive()).get("id") != message["id"]:
            pass
        return result_of(answer)

    def wait_for(self, method: str) -> Any:
        """Wait for a notification; its params. What arrives before it is dropped."""
        while (message := self.receive()).get("method") != method:
            pass
        return message["params"]

    def _read(self) -> None:
        if not self._poll.poll(PATIENCE_MS):
            raise PeerError(f"nothing was heard for {PATIENCE_MS} ms: {self._last_words()}")
        data = os.read(self._stdout, _CHUNK)
        if not data:
            raise self._ended()
        *lines, self._rest = (self._rest + data).split(b"\n")
        self._arrived.extend([json.loads(line) for line in lines])

    def _ended(self) -> PeerError:
        self._process.wait()
        return PeerError(f"the process has ended: {self._last_words()}")

    def _last_words(self) -> str:
        return self._errors.read_text(errors="replace")[-2_000:].strip() or "it said nothing"


def result_of(answer: Message) -> Any:
    """The result of an answer.

    Raises:
        PeerError: it is an error.
    """
    if "result" not in answer:
        raise PeerError(f"a request was refused: {answer.get('error')}")
    return answer["result"]


def rss_bytes(pid: int) -> int:
    """The memory that a process holds, as the system counts it."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def cpu_seconds(pid: int) -> float:
    """The processor time that the threads of a process have used so far."""
    spent = [task.joinpath("schedstat").read_text().split()[0] for task in Path(f"/proc/{pid}/task").iterdir()]
    return sum(map(int, spent)) / 1e9


def children(pid: int) -> list[int]:
    """The processes that a process has started and that live."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
