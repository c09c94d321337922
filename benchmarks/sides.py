"""The two sides as the measurements see them: start, ping, one loop, many loops at once."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import Any, Protocol, Self

from benchmarks.driver import Message, Peer, PeerError, result_of

TEXT = "The quick brown fox jumps over the lazy dog, and the dog lets it be. " * 2
"""What each Tool call carries there and back."""

BUNDLES = Path(__file__).with_name("bundles")
PEER = {"agent_id": "agent-1", "conversation_id": "conversation-1"}


class Side(Protocol):
    """A process under measurement."""

    @property
    def pid(self) -> int:
        """Its process id."""

    @property
    def started(self) -> float:
        """When it was started, by ``perf_counter``."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...

    def ping(self) -> None:
        """A round trip."""

    def initialize(self) -> None:
        """Begin a session."""

    def prepare(self) -> None:
        """Do what comes before the first Tool call."""

    def loop(self) -> float:
        """One Tool call from request to result; the seconds it took."""

    def flood(self, count: int, in_flight: int) -> float:
        """That many Tool calls, so many at a time; the seconds they took."""


class Mcp(Peer):
    """The MCP SDK's server: a Tool call is one request and nothing is stored."""

    def ping(self) -> None:
        """A round trip."""
        self.request("ping")

    def initialize(self) -> None:
        """The handshake."""
        client = {"name": "benchmark", "version": "1.0.0"}
        params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client}
        self.request("initialize", params)
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def prepare(self) -> None:
        """Nothing more."""

    def loop(self) -> float:
        """``tools/call``."""
        begun = perf_counter()
        result = self.request("tools/call", self._call())
        taken = perf_counter() - begun
        _check(result["content"][0]["text"])
        return taken

    def flood(self, count: int, in_flight: int) -> float:
        """Keep so many calls under way; each answer is followed by the next call."""
        begun = perf_counter()
        self.send(*[self.ask("tools/call", self._call()) for _ in range(min(count, in_flight))])
        to_send, to_come = count - min(count, in_flight), count
        while to_come:
            answers = self.receive_all()
            for answer in answers:
                _check(result_of(answer)["content"][0]["text"])
            to_come -= len(answers)
            more = min(to_send, len(answers))
            to_send -= more
            self.send(*[self.ask("tools/call", self._call()) for _ in range(more)])
        return perf_counter() - begun

    @staticmethod
    def _call() -> dict[str, Any]:
        return {"name": "bench.echo", "arguments": {"text": TEXT}}


class Sidecar(Peer):
    """The Runtime. The Host runs the benchmark's MiniApp and Interact, so that no other process takes part."""

    def __init__(self, command: Sequence[str], folder: Path) -> None:
        options = ["--database", str(folder / "store.sqlite"), "--miniapps", str(BUNDLES)]
        super().__init__([*command, *options], folder)
        self._revision = ""
        self._token = ""
        self._count = 0

    def ping(self) -> None:
        """A round trip."""
        self.request("ping")

    def initialize(self, *host_run: str) -> None:
        """Begin a session; the MiniApps named are run by this end."""
        host = {"name": "benchmark", "version": "1.0.0"}
        params = {"protocol_version": "1.0", "host": host, "host_run": list(host_run)}
        self._revision = self.request("initialize", params)["inventory_revision"]

    def prepare(self) -> None:
        """Open the conversation, mount the MiniApp and take its Tool calls."""
        self.initialize("chat")
        conversation_id = PEER["conversation_id"]
        self.request("workspace.open", PEER)
        opened = self.request("miniapp.open", {"conversation_id": conversation_id, "app_scope": "bench"})
        mounted = self.request("miniapp.mount", {"instance_id": opened["instance_id"]})
        self._token = mounted["context_token"]
        self.request("sdk.tools.subscribe", {"context_token": self._token})
        self._acknowledge_all()

    def ready_worker(self) -> float:
        """Open a conversation; the seconds until Interact's logic, in a worker process, has connected."""
        begun = perf_counter()
        self.request("workspace.open", {"agent_id": "agent-1", "conversation_id": "with-a-worker"})
        while self.wait_for("workspace.changed")["instances"][0]["state"] == "starting":
            pass
        return perf_counter() - begun

    def loop(self) -> float:
        """An invoke made durable, handed to the MiniApp, completed, made durable, and its result heard."""
        begun = perf_counter()
        self.send(self._deliver())
        self.send(self._complete(self.wait_for("sdk.tools.call")))
        sent = self.wait_for("transport.send")
        taken = perf_counter() - begun
        self._check_result(sent)
        self.request("transport.ack", {"outbox_ids": [sent["outbox_id"]]})
        return taken

    def flood(self, count: int, in_flight: int) -> float:
        """Keep so many loops under way; results are acknowledged as they come, the last ones within the time too."""
        begun = perf_counter()
        self.send(*[self._deliver() for _ in range(min(count, in_flight))])
        to_send, to_come = count - min(count, in_flight), count
        while to_come:
            answers: list[Message] = []
            acked: list[str] = []
            for message in self.receive_all():
                if message.get("method") == "sdk.tools.call":
                    answers.append(self._complete(message["params"]))
                elif message.get("method") == "transport.send":
                    self._check_result(message["params"])
                    acked.append(message["params"]["outbox_id"])
                elif "id" in message:
                    result_of(message)
            if acked:
                answers.append(self.ask("transport.ack", {"outbox_ids": acked}))
            to_come -= len(acked)
            more = min(to_send, len(acked))
            to_send -= more
            self.send(*answers, *[self._deliver() for _ in range(more)])
        self.ping()
        return perf_counter() - begun

    def _deliver(self) -> Message:
        self._count += 1
        payload = {
            "call_id": f"call-{self.pid}-{self._count}",
            "tool_id": "bench.echo",
            "inventory_revision": self._revision,
            "input": {"text": TEXT},
        }
        envelope = {
            "type": "lineup.v1.tool.invoke",
            "message_id": f"message-{self.pid}-{self._count}",
            "payload": payload,
        }
        return self.ask("transport.deliver", {"peer": PEER, "envelope": envelope})

    def _complete(self, handed: dict[str, Any]) -> Message:
        call = handed["call"]
        params = {"context_token": self._token, "call_id": call["call_id"], "result": {"text": call["input"]["text"]}}
        return self.ask("sdk.tools.complete", params)

    def _acknowledge_all(self) -> None:
        """Take over what opening the conversation had to tell."""
        pending = self.request("runtime.status")["outbox_pending"]
        self.send(self.ask("transport.setOnline", {"online": True}))
        told = [self.wait_for("transport.send")["outbox_id"] for _ in range(pending)]
        self.request("transport.ack", {"outbox_ids": told})

    @staticmethod
    def _check_result(sent: dict[str, Any]) -> None:
        payload = sent["envelope"]["payload"]
        if payload.get("status") != "completed":
            raise PeerError(f"a call did not complete: {payload}")
        _check(payload["result"]["text"])


def _check(text: str) -> None:
    if text != TEXT:
        raise PeerError("a Tool call came back with another text")
