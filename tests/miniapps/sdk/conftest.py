"""The other end of a worker's connection: a script that reads requests and answers them, over real pipes."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable
from typing import Any

import pytest

from miniapps.sdk.channel import Channel

CONTEXT = {
    "app_scope": "probe",
    "instance_id": "i-1",
    "conversation_id": "c-1",
    "app_version": "1.0.0",
    "state": "foreground",
    "mode": None,
}
RECEIPTS = {"inbox.acknowledge": {"acknowledged": True}}


class Peer:
    """Speaks line by line, in the order of the script."""

    def __init__(self, read_fd: int, write_fd: int) -> None:
        self._reader, self._write_fd = os.fdopen(read_fd, "rb"), write_fd

    def send(self, message: dict[str, Any]) -> None:
        os.write(self._write_fd, json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    def notify(self, method: str, **params: Any) -> None:
        self.send({"method": method, "params": params})

    def hello(self) -> None:
        self.notify("sdk.hello", context_token="t-1", context=CONTEXT)

    def request(self, method: str) -> dict[str, Any]:
        """The next request, which must be of that method; its token is checked and taken away."""
        request = json.loads(self._reader.readline() or "{}")
        assert request.get("method") == method
        return dict(request)

    def expect(self, method: str, result: Any = None) -> dict[str, Any]:
        """Answer the next request; its params without the token."""
        request = self.request(f"sdk.{method}")
        self.send({"id": request["id"], "result": RECEIPTS.get(method, {}) if result is None else result})
        assert request["params"].pop("context_token") == "t-1"
        return dict(request["params"])

    def refuse(self, method: str, code: str, **data: Any) -> None:
        request = self.request(f"sdk.{method}")
        error = {"code": 1000, "message": "no", "data": {"code": code, **data}}
        self.send({"id": request["id"], "error": error})

    def subscribed(self, *, calls: Any = (), records: Any = (), messages: Any = ()) -> None:
        """Answer the three subscriptions of every MiniApp."""
        self.expect("ui.subscribe", {"records": list(records)})
        self.expect("tools.subscribe", {"calls": list(calls)})
        self.expect("inbox.subscribe", {"messages": list(messages)})

    def ended(self) -> bool:
        return self._reader.readline() == b""

    def close(self) -> None:
        os.close(self._write_fd)
        self._reader.close()


Script = Callable[[Peer], None]
Talk = Callable[[Script, Callable[[Channel], None]], None]


@pytest.fixture
def talk() -> Talk:
    """Run a script against a client; the connection ends with the script."""

    def run(script: Script, client: Callable[[Channel], None]) -> None:
        to_client, to_peer = os.pipe(), os.pipe()
        faults: list[BaseException] = []

        def play() -> None:
            peer = Peer(to_peer[0], to_client[1])
            try:
                script(peer)
            except BaseException as fault:
                faults.append(fault)
            finally:
                peer.close()

        thread = threading.Thread(target=play)
        thread.start()
        try:
            client(Channel(to_client[0], to_peer[1]))
        finally:
            os.close(to_peer[1])
            thread.join(10)
            os.close(to_client[0])
        if faults:
            raise faults[0]

    return run
