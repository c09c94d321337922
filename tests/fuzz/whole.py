"""``python -m tests.fuzz.whole``: a real sidecar, spoken to in requests that the OpenRPC document allows, or nearly.

Whatever is said: each request is answered once, by a result or an error of the contract; nothing is an internal error;
what is told fits the contract; the process lives; its end is orderly and its store sound.
"""

from __future__ import annotations

import argparse
import json
import secrets
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from typing import Any

from rpc_schema import errors
from tests.fuzz.requests import Requests, spoil
from tests.properties.stage import HOST_RUN, OPTIONS, check_log, verify
from tests.properties.wire import Wire, check_result

_KNOWN = {
    errors.PARSE_ERROR,
    errors.INVALID_REQUEST,
    errors.METHOD_NOT_FOUND,
    errors.INVALID_PARAMS,
    errors.REFUSED,
}
_GROUP = 8
_HOST = {"protocol_version": "1.0", "host": {"name": "fuzz", "version": "1.0.0"}, "host_run": HOST_RUN}


class Talk:
    """One conversation with one sidecar, wholly decided by ``seed``."""

    def __init__(self, folder: Path, seed: int) -> None:
        self._chance = Random(seed)  # noqa: S311 - what is drawn must come back with its seed
        self._requests = Requests(self._chance)
        self._wire = Wire(folder, OPTIONS)
        self._last_id = 0

    def run(self, groups: int) -> int:
        """Say so many groups of requests; how many results there were."""
        self._wire.start()
        self._begin()
        results = 0
        for _ in range(groups):
            results += self._say()
            if self._chance.random() < 0.02:
                self._begin()
        assert self._wire.stop() == 0
        check_log(self._wire)
        verify(self._wire)
        return results

    def _begin(self) -> None:
        """A session with every app open, so that there is something to speak of."""
        wire, hear = self._wire, self._requests.hear
        hear(wire.call("initialize", **_HOST))
        hear(wire.call("workspace.open", agent_id="agent-1", conversation_id="talk-1"))
        for scope in HOST_RUN:
            if scope != "chat":
                wire.call("miniapp.setEnabled", app_scope=scope, enabled=True)
            opened = wire.call("miniapp.open", conversation_id="talk-1", app_scope=scope)
            hear(opened)
            hear(wire.call("miniapp.mount", instance_id=opened["instance_id"]))
        hear(wire.call("transport.setOnline", online=True))

    def _say(self) -> int:
        """Write a group at once, and hold the answers to it."""
        asked = [self._request() for _ in range(self._chance.randrange(1, _GROUP))]
        lines = [json.dumps(request).encode() for request in asked]
        whole = {request["id"]: request["method"] for request in asked}
        if self._chance.random() < 0.15:
            lines = [b"[" + b",".join(lines) + b"]"]
        if self._chance.random() < 0.1:
            place = self._chance.randrange(len(lines))
            lines[place] = spoil(self._chance, lines[place])
            answers = self._heard(lines)
            assert len(answers) <= len(asked) + lines[place].count(b"\n") + 1
        else:
            answers = self._heard(lines)
            assert sorted(answer["id"] for answer in answers) == sorted(whole)
        return sum(self._check(answer, whole) for answer in answers)

    def _request(self) -> dict[str, Any]:
        self._last_id += 1
        method, params = self._requests.next()
        return {"jsonrpc": "2.0", "id": self._last_id, "method": method, "params": params}

    def _heard(self, lines: list[bytes]) -> list[dict[str, Any]]:
        answers = self._wire.speak(lines)
        for _, params in self._wire.news:
            self._requests.hear(params)
        self._wire.news.clear()
        return answers

    def _check(self, answer: dict[str, Any], asked: dict[Any, str]) -> bool:
        if "error" in answer:
            assert answer["error"]["code"] in _KNOWN, answer
            return False
        method = asked.get(answer["id"])
        if method is not None:
            check_result(method, answer["result"])
        self._requests.hear(answer["result"])
        return True


def main() -> int:
    """Talk with one sidecar after the other until the time is over."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.whole", description="Speak nearly right, for long.")
    parser.add_argument("--seconds", type=float, default=60, help="how long (default: 60)")
    parser.add_argument("--seed", type=int, help="the one talk of that seed, once, instead of one after the other")
    parser.add_argument("--groups", type=int, default=400, help="how many groups of requests a talk has (default: 400)")
    options = parser.parse_args()
    end = time.monotonic() + options.seconds
    while True:
        seed = secrets.randbits(32) if options.seed is None else options.seed
        sys.stdout.write(f"seed {seed}: ")
        sys.stdout.flush()
        with tempfile.TemporaryDirectory() as folder:
            sys.stdout.write(f"{Talk(Path(folder), seed).run(options.groups)} results\n")
        if options.seed is not None or time.monotonic() > end:
            return 0


if __name__ == "__main__":
    sys.exit(main())
