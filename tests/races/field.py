"""One call or one question after the other on a real sidecar, and everything that could end it (RULES 2 and 5)."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import Any

from tests.properties.stage import HOST_RUN, OPTIONS
from tests.properties.wire import Call, Wire

PEER = {"agent_id": "agent-1", "conversation_id": "races"}
HOUR_MS = 3_600_000
CONFIRM = {"title": "Go on?", "prompt": "It takes a while."}


class Field:
    """A sidecar with one conversation, in which the Host runs every app."""

    def __init__(self, folder: Path) -> None:
        self.wire = Wire(folder, OPTIONS)
        self.results: dict[str, list[dict[str, Any]]] = {}
        """What the Agent's side was told of each call; what comes again under its id is dropped there."""
        self._seen: set[str] = set()
        self._numbers = count(1)
        self._revision = ""
        self._begin()

    def restart(self) -> None:
        """Kill it and begin anew; the Host mounts alpha again."""
        self.wire.kill()
        self._begin()

    def _begin(self) -> None:
        self.wire.start()
        host = {"name": "races", "version": "1.0.0"}
        begun = self.wire.call("initialize", protocol_version="1.0", host=host, host_run=HOST_RUN)
        self._revision = begun["inventory_revision"]
        self.wire.call("workspace.open", **PEER)
        self.wire.call("transport.setOnline", online=True)
        self.mount()

    def mount(self) -> None:
        """Have a live alpha whose logic is this test."""
        conversation_id = PEER["conversation_id"]
        opened = self.wire.call("miniapp.open", conversation_id=conversation_id, app_scope="alpha")
        self.instance_id: str = opened["instance_id"]
        self.token: str = self.wire.call("miniapp.mount", instance_id=self.instance_id)["context_token"]
        self.wire.call("sdk.tools.subscribe", context_token=self.token)

    def fresh(self, what: str) -> str:
        """A name that nothing has yet."""
        return f"{what}-{next(self._numbers)}"

    def deliver(self, type_: str, **payload: Any) -> Call:
        """The Agent's envelope, as a request."""
        envelope = {"type": f"lineup.v1.{type_}", "message_id": self.fresh("message"), "payload": payload}
        return "transport.deliver", {"peer": PEER, "envelope": envelope}

    def invoke(self, tool_id: str, given: dict[str, Any]) -> str:
        """Let the Agent's call be open."""
        call_id = self.fresh("call")
        asked = self.deliver(
            "tool.invoke", call_id=call_id, tool_id=tool_id, inventory_revision=self._revision, input=given
        )
        assert self.ask(asked)["status"] == "accepted"
        return call_id

    def ask(self, call: Call) -> Any:
        """Make a request: its result, or the refusal."""
        [outcome] = self.ask_together([call])
        return outcome

    def ask_together(self, calls: list[Call]) -> list[Any]:
        """Make requests in one batch, which is one transaction: each one's result, or the refusal."""
        outcomes = self.wire.batch(calls)
        self.wire.ahead_ms += sum(params["ms"] for method, params in calls if method == "test.advanceClock")
        return outcomes

    def hear(self) -> None:
        """Take the Agent's side's post, and acknowledge it."""
        while True:
            self.wire.call("ping")
            sent = [params for method, params in self.wire.news if method == "transport.send"]
            self.wire.news.clear()
            if not sent:
                return
            for params in sent:
                if params["envelope"]["type"] == "lineup.v1.tool.result" and params["outbox_id"] not in self._seen:
                    self._seen.add(params["outbox_id"])
                    payload = params["envelope"]["payload"]
                    self.results.setdefault(payload["call_id"], []).append(payload)
            self.wire.call("transport.ack", outbox_ids=[params["outbox_id"] for params in sent])


class Work:
    """A call that alpha works on."""

    def __init__(self, field: Field) -> None:
        self.field = field
        self.call_id = field.invoke("alpha.work", {"n": 1})

    def endings(self) -> dict[str, tuple[Call, str]]:
        """What could end it, as a request, and the outcome that the Agent is told."""
        field = self.field
        mine = {"context_token": field.token, "call_id": self.call_id}
        failure = {"code": "no_luck", "message": "No luck.", "retryable": False}
        cancel = field.deliver("tool.cancel", call_id=self.call_id, control_id=field.fresh("control"))
        return {
            "complete": (("sdk.tools.complete", {**mine, "result": {"ok": True}}), "completed"),
            "fail": (("sdk.tools.fail", {**mine, "failure": failure}), "failed"),
            "cancel": (("sdk.tools.cancel", {**mine, "reason": "enough"}), "cancelled"),
            "agent-cancel": (cancel, "cancelled"),
            "close": (("miniapp.close", {"instance_id": field.instance_id}), "cancelled"),
            "expire": (("test.advanceClock", {"ms": HOUR_MS}), "expired"),
        }


class Question:
    """The Agent's question to the user, which Interact shows."""

    def __init__(self, field: Field) -> None:
        self.field = field
        self.call_id = field.invoke("interaction.confirm", CONFIRM)
        self._shown = self._find()

    def _find(self) -> str:
        items = self.field.wire.call("renderer.list", conversation_id=PEER["conversation_id"])["items"]
        [mine] = [one["record"]["interaction_id"] for one in items if one["record"]["call_id"] == self.call_id]
        return str(mine)

    def endings(self) -> dict[str, tuple[Call, str]]:
        """What could end it, as a request, and the outcome that the Agent is told."""
        field = self.field
        shown = {"interaction_id": self._shown}
        dismiss = field.deliver("interaction.dismiss", call_id=self.call_id, control_id=field.fresh("control"))
        return {
            "answer": (("renderer.submit", {**shown, "result": {"approved": True}}), "completed"),
            "refuse": (("renderer.cancel", shown), "cancelled"),
            "dismiss": (dismiss, "cancelled"),
            "expire": (("test.advanceClock", {"ms": HOUR_MS}), "expired"),
        }
