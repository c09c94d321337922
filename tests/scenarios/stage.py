"""One conversation of a scenario, spoken step by step: its Agent, its person, and the MiniApps that the test plays."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from host_bridge.agent import Agent
from host_bridge.client import Sidecar
from host_bridge.errors import RpcError, ToolRejectedError
from host_bridge.record import Notification

NOTICE = {"title": "Heads up", "message": "The build starts"}
CONFIRM = {"title": "Sure?", "prompt": "Delete it?"}
CHOICE = {
    "title": "Pick",
    "prompt": "Which?",
    "mode": "multi-choice",
    "actions": [{"id": "a", "label": "A"}, {"id": "b", "label": "B"}, {"id": "c", "label": "C"}],
}
FORM = {"title": "Form", "prompt": "Fill in", "fields": [{"id": "name", "label": "Name", "type": "text"}]}
QUESTIONS = {"notice": NOTICE, "choice": CHOICE, "confirm": CONFIRM, "input": FORM}
ANSWERS: dict[str, dict[str, Any]] = {
    "notice": {"acknowledged": True},
    "choice": {"action_ids": ["b"]},
    "confirm": {"approved": True},
    "input": {"values": {"name": "Ada"}},
}

HOST_RUN = ["chat", "task-dashboard", "whiteboard", "probe", "probe-two", "probe-three", "mute", "future"]
PROVIDERS = ["probe.allowed", "probe.asked"]

MINUTE = 60_000
HOUR = 60 * MINUTE
DAY = 24 * HOUR


@contextmanager
def refused(code: str, **data: Any) -> Iterator[None]:
    """The block ends in that refusal, with at least these data."""
    with pytest.raises(RpcError) as caught:
        yield
    assert caught.value.refusal == code, f"expected {code}, got {caught.value}"
    assert {name: caught.value.data.get(name) for name in data} == data


async def begin(sidecar: Sidecar, **more: Any) -> dict[str, Any]:
    """Begin a session in which the Host runs every MiniApp."""
    return await sidecar.initialize(**{"host_run": HOST_RUN, "capability_providers": PROVIDERS, **more})


async def start_again(sidecar: Sidecar, ahead_ms: int = 0) -> None:
    """Kill the process and start it again with its test clock that far ahead."""
    await sidecar.kill()
    clock = f"--test-clock={ahead_ms}"
    sidecar.command = tuple(clock if one.startswith("--test-clock") else one for one in sidecar.command)
    await sidecar.start()


async def restart(sidecar: Sidecar, *, ahead_ms: int = 0, **more: Any) -> dict[str, Any]:
    """Kill the process, start it again and begin a session."""
    await start_again(sidecar, ahead_ms)
    return await begin(sidecar, **more)


class Stage:
    """A conversation. Its Agent acks nothing by itself; several stages may share a sidecar."""

    def __init__(self, sidecar: Sidecar, agent: Agent) -> None:
        self.sidecar = sidecar
        self.agent = agent
        self.conversation_id = agent.conversation_id
        self.call = sidecar.call
        self.news: list[Notification] = []
        self.end = sidecar.listen(self.news.append)

    # -- the Host
    async def open(self) -> dict[str, Any]:
        """The workspace's snapshot."""
        peer = self.agent.peer
        snapshot: dict[str, Any] = await self.call("workspace.open", **peer)
        return snapshot

    async def settle(self) -> None:
        """Wait until everything that was said by now is heard: the answer to a ping comes after it."""
        await self.call("ping")

    async def heard(self, method: str, **fields: Any) -> list[dict[str, Any]]:
        """Every notification since the stage began whose fields say so, in order."""
        await self.settle()
        told = [one.params for one in self.news if one.method == method]
        return [params for params in told if all(params.get(name) == value for name, value in fields.items())]

    async def forget(self) -> None:
        """Let ``heard`` begin here."""
        await self.settle()
        self.news.clear()

    async def advance(self, ms: int) -> None:
        """Let time pass."""
        await self.call("test.advanceClock", ms=ms)

    async def instance(self, scope: str) -> dict[str, Any] | None:
        """The live instance of an app."""
        return next((one for one in (await self.open())["instances"] if one["app_scope"] == scope), None)

    async def stack(self) -> list[str]:
        """The scopes in the focus stack, bottom to top."""
        snapshot = await self.open()
        scopes = {one["instance_id"]: one["app_scope"] for one in snapshot["instances"]}
        assert snapshot["foreground"] == snapshot["focus_stack"][-1]
        return [scopes[instance_id] for instance_id in snapshot["focus_stack"]]

    async def mount(self, scope: str) -> App:
        """Mount the live instance of an app and speak for it."""
        instance = await self.instance(scope)
        assert instance, f"no live instance of {scope}"
        app = App(self, instance["instance_id"])
        await app.mount()
        return app

    async def start(self, scope: str = "probe") -> App:
        """What a user's click does, and the mount."""
        await self.call("miniapp.open", conversation_id=self.conversation_id, app_scope=scope)
        return await self.mount(scope)

    async def items(self) -> list[dict[str, Any]]:
        """The open questions."""
        items: list[dict[str, Any]] = (await self.call("renderer.list", conversation_id=self.conversation_id))["items"]
        return items

    async def item(self, interaction_id: str) -> dict[str, Any]:
        """An open question."""
        return next(one for one in await self.items() if one["record"]["interaction_id"] == interaction_id)

    async def answer(self, interaction_id: str, result: dict[str, Any]) -> str:
        """The user answers; the status."""
        status: str = (await self.call("renderer.submit", interaction_id=interaction_id, result=result))["status"]
        return status

    async def audit(self) -> list[dict[str, Any]]:
        """The audit of this conversation."""
        entries: list[dict[str, Any]] = []
        while True:
            after = entries[-1]["seq"] if entries else 0
            page = {"conversation_id": self.conversation_id, "after_seq": after, "limit": 500}
            more = (await self.call("audit.list", **page))["entries"]
            if not more:
                return entries
            entries += more

    # -- the Agent
    async def revision(self) -> str:
        """The inventory's revision."""
        return await self.agent.revision()

    async def deliver(self, type_: str, payload: dict[str, Any], **envelope: Any) -> dict[str, Any]:
        """Hand in an envelope: the answer."""
        return await self.agent.deliver(type_, payload, **envelope)

    async def invoke(self, tool_id: str, given: dict[str, Any] | None = None, **more: Any) -> str:
        """Invoke a Tool, which is accepted: the call id."""
        call = await self.agent.invoke(tool_id, {"n": 1} if given is None else given, **more)
        return call.call_id

    async def reject(self, tool_id: str, given: dict[str, Any] | None = None, **more: Any) -> str:
        """Invoke a Tool, which is rejected: the code."""
        with pytest.raises(ToolRejectedError) as caught:
            await self.invoke(tool_id, given, **more)
        return caught.value.code

    async def invoke_many(self, tool_id: str, given: list[dict[str, Any]]) -> list[str]:
        """Invoke a Tool once for each input, all in one batch, and all are accepted: the call ids."""
        revision = await self.revision()
        calls = []
        for number, one in enumerate(given):
            call_id = f"{self.conversation_id}-{tool_id}-{number}"
            payload = {"call_id": call_id, "tool_id": tool_id, "inventory_revision": revision, "input": one}
            envelope = {"type": "lineup.v1.tool.invoke", "message_id": f"message {call_id}", "payload": payload}
            calls.append(("transport.deliver", {"peer": self.agent.peer, "envelope": envelope}))
        answers = await self.sidecar.batch(calls)
        assert [one["status"] for one in answers] == ["accepted"] * len(given), answers
        return [params["envelope"]["payload"]["call_id"] for _, params in calls]

    async def say(self, text: str, scope: str = "probe", **envelope: Any) -> dict[str, Any]:
        """Send a message to an app: the answer."""
        return await self.deliver("message", {"text": text}, app_scope=scope, **envelope)

    async def ask(self, kind: str, request: dict[str, Any] | None = None, **more: Any) -> tuple[str, str]:
        """Ask a standard question: call id and interaction id."""
        call_id = await self.invoke(f"interaction.{kind}", request or QUESTIONS[kind], **more)
        [item] = [one for one in await self.items() if one["record"]["call_id"] == call_id]
        return call_id, item["record"]["interaction_id"]

    async def sent(self, type_: str, call_id: str | None = None) -> list[dict[str, Any]]:
        """The payloads of all rows of that type so far, each row once."""
        await self.settle()
        return self.agent.received(type_, call_id)

    async def result(self, call_id: str) -> dict[str, Any] | None:
        """The one result of a call, if it was sent."""
        results = await self.sent("tool.result", call_id)
        assert len(results) < 2, results
        return results[0] if results else None

    async def ack(self) -> int:
        """The Agent's side has all that was sent."""
        await self.settle()
        return await self.agent.ack_held()

    # -- both
    async def launch(self, scope: str = "probe", name: str = "launch") -> tuple[App, str]:
        """Invoke a Tool and take its call in the app: the app and the call id."""
        call_id = await self.invoke(f"{scope}.{name}")
        app = await self.mount(scope)
        assert call_id in [call["call_id"] for call in await app.take_calls()]
        return app, call_id


class App:
    """An instance whose logic the test is."""

    def __init__(self, stage: Stage, instance_id: str) -> None:
        self.stage = stage
        self.instance_id = instance_id
        self.token = ""
        self.context: dict[str, Any] = {}

    async def mount(self) -> list[dict[str, Any]]:
        """Mount (again): a new token; the surfaces."""
        mounted = await self.stage.call("miniapp.mount", instance_id=self.instance_id)
        self.token, self.context = mounted["context_token"], mounted["context"]
        surfaces: list[dict[str, Any]] = mounted["surfaces"]
        return surfaces

    async def unmount(self) -> None:
        """Unmount: the token is void."""
        await self.stage.call("miniapp.unmount", instance_id=self.instance_id)

    async def close(self, **more: Any) -> None:
        """The user closes it."""
        await self.stage.call("miniapp.close", instance_id=self.instance_id, **more)

    async def foreground(self) -> None:
        """The user brings it forward."""
        await self.stage.call("miniapp.foreground", instance_id=self.instance_id)

    async def background(self) -> None:
        """The user sends it back."""
        await self.stage.call("miniapp.background", instance_id=self.instance_id)

    async def sdk(self, method: str, **params: Any) -> Any:
        """Call the SDK; ``method`` goes without ``sdk.``."""
        return await self.stage.call(f"sdk.{method}", context_token=self.token, **params)

    async def state(self) -> str:
        """The state as it knows it."""
        state: str = (await self.sdk("context.get"))["state"]
        return state

    async def subscribe(self) -> None:
        """Hear all that a MiniApp can hear."""
        for topic in ("inbox", "tools", "ui"):
            await self.sdk(f"{topic}.subscribe")

    async def take_calls(self) -> list[dict[str, Any]]:
        """Subscribe to calls: those that there are."""
        calls: list[dict[str, Any]] = (await self.sdk("tools.subscribe"))["calls"]
        return calls

    async def get_call(self, call_id: str) -> dict[str, Any]:
        """An own call."""
        call: dict[str, Any] = (await self.sdk("tools.get", call_id=call_id))["call"]
        return call

    async def complete(self, call_id: str, **result: Any) -> dict[str, Any]:
        """Complete a call."""
        receipt: dict[str, Any] = await self.sdk("tools.complete", call_id=call_id, result=result or {"ok": True})
        return receipt

    async def ask(self, kind: str = "confirm", request: dict[str, Any] | None = None, **options: Any) -> str:
        """Ask the user: the interaction id."""
        question = {"kind": kind, **(request or QUESTIONS[kind])}
        asked = await self.sdk("ui.request", request=question, **({"options": options} if options else {}))
        interaction_id: str = asked["interaction_id"]
        return interaction_id

    async def record(self, interaction_id: str) -> dict[str, Any]:
        """An own question."""
        record: dict[str, Any] = (await self.sdk("ui.get", interaction_id=interaction_id))["record"]
        return record

    async def messages(self, type_: str | None = None) -> list[dict[str, Any]]:
        """What waits in the Inbox."""
        listed: list[dict[str, Any]] = (await self.sdk("inbox.list"))["messages"]
        return [one for one in listed if type_ in (None, one["type"])]

    async def open_surface(self, key: str = "main", **more: Any) -> str:
        """Open a surface: its id."""
        request = {"key": key, "title": "Probe", **more}
        surface_id: str = (await self.sdk("surfaces.requestOpen", request=request))["surface_id"]
        return surface_id

    async def want(self, capability: str, **more: Any) -> str:
        """Request a capability: the request id."""
        wanted = {"capability": capability, "reason": "please", "arguments": {"x": 1}, **more}
        request_id: str = (await self.sdk("capabilities.request", **wanted))["request_id"]
        return request_id

    async def heard(self, method: str, **fields: Any) -> list[dict[str, Any]]:
        """What its logic was told since the stage began."""
        return await self.stage.heard(method, instance_id=self.instance_id, **fields)
