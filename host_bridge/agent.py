"""A scripted Agent in one conversation: invokes Tools, hears their results, acks what it has (PROTOCOL 7)."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from types import TracebackType
from typing import Any, Self

import anyio

from host_bridge.client import Sidecar
from host_bridge.errors import ConnectionLostError, RpcError, ToolRejectedError
from host_bridge.record import RECORD_LIMIT, Notification, NotificationRecord, Where

PREFIX = "lineup.v1."


class Call:
    """A Tool call of this Agent and what came of it. ``outcome`` is the payload of its result or rejection."""

    def __init__(self, call_id: str, tool_id: str) -> None:
        self.call_id = call_id
        self.tool_id = tool_id
        self.progress: list[dict[str, Any]] = []
        self.outcome: dict[str, Any] | None = None
        self._changed = anyio.Event()

    def take(self, type_: str, payload: dict[str, Any]) -> None:
        """Take one envelope that names this call."""
        if type_ == "tool.progress":
            self.progress.append(payload["progress"])
        else:
            self.outcome = payload
        self._changed.set()
        self._changed = anyio.Event()

    async def result(self, timeout: float = 30.0) -> dict[str, Any]:
        """Wait for the payload of the one ``tool.result``. Raises ToolRejectedError, TimeoutError."""
        with anyio.move_on_after(timeout):
            await self.ended()
        if self.outcome is None:
            raise TimeoutError(f"no result of {self.tool_id} ({self.call_id}) within {timeout:g} s")
        if "code" in self.outcome:
            raise ToolRejectedError(self.outcome["code"], self.outcome["message"], self.outcome)
        return self.outcome

    async def ended(self) -> None:
        """Wait until there is an outcome, however long it takes."""
        while self.outcome is None:
            await self._changed.wait()

    async def updates(self) -> AsyncIterator[dict[str, Any]]:
        """Iterate over the progress, from the first one on, until the call has ended."""
        seen = 0
        while True:
            while seen < len(self.progress):
                seen += 1
                yield self.progress[seen - 1]
            if self.outcome is not None:
                return
            await self._changed.wait()


class Agent:
    """An Agent, seen from the Host's transport. Use as ``async with``; it hears across restarts of the sidecar.

    What was sent to it before counts as heard now. Each outbox row counts once, however often it is sent.
    While ``ack`` is False acks are held back.
    """

    def __init__(
        self, sidecar: Sidecar, conversation_id: str = "conv-1", agent_id: str = "agent-1", *, ack: bool = True
    ) -> None:
        self.sidecar = sidecar
        self.peer = {"agent_id": agent_id, "conversation_id": conversation_id}
        self.conversation_id = conversation_id
        self.ack = ack
        self.inventory: dict[str, Any] | None = None
        self.calls: dict[str, Call] = {}
        self.held: list[str] = []
        self._rows = NotificationRecord()
        self._known: dict[str, None] = {}
        self._news = anyio.Event()
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        for sent in self.sidecar.seen("transport.send"):
            self._hear(sent)
        self._stack.callback(self.sidecar.listen(self._hear))
        tasks = await self._stack.enter_async_context(anyio.create_task_group())
        self._stack.callback(tasks.cancel_scope.cancel)
        tasks.start_soon(self._keep_acking)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        return await self._stack.__aexit__(kind, error, trace)

    # -- what it knows
    @property
    def tools(self) -> dict[str, dict[str, Any]]:
        """The Tools of the latest inventory, by id."""
        return {tool["id"]: tool for tool in (self.inventory or {}).get("tools", [])}

    def received(self, type_: str, call_id: str | None = None) -> list[dict[str, Any]]:
        """The payloads of all distinct rows of that type, without ``lineup.v1.``, or of those of one call."""
        payloads = [row.params for row in self._rows.seen(type_)]
        return [one for one in payloads if call_id in (None, one.get("call_id"))]

    def listen(self, listener: Callable[[Notification], None]) -> Callable[[], None]:
        """Call ``listener`` with each distinct row from now on (type and payload); the result ends it."""
        return self._rows.listen(listener)

    async def receive(self, type_: str, where: Where = lambda payload: True, timeout: float = 30.0) -> dict[str, Any]:
        """Take the oldest row of that type that fits and was not taken yet; its payload. Raises TimeoutError."""
        with anyio.move_on_after(timeout):
            return await self._rows.wait_for(type_, where)
        raise TimeoutError(f"no {type_} for {self.peer} within {timeout:g} s\n{self.sidecar.stderr_tail}".rstrip())

    async def revision(self) -> str:
        """The revision of the latest inventory, awaited where none came yet."""
        if self.inventory is None:
            await self.receive("client.inventory")
        assert self.inventory
        revision: str = self.inventory["revision"]
        return revision

    # -- what it says
    async def deliver(self, type_: str, payload: dict[str, Any], **envelope: Any) -> dict[str, Any]:
        """Hand in an envelope; the type goes without ``lineup.v1.``. The transport's answer, whatever it says."""
        envelope.setdefault("message_id", _new_id("msg"))
        whole = {"type": PREFIX + type_, "payload": payload, **envelope}
        answer: dict[str, Any] = await self.sidecar.call("transport.deliver", peer=self.peer, envelope=whole)
        return answer

    async def invoke(
        self,
        tool_id: str,
        arguments: dict[str, Any],
        *,
        call_id: str | None = None,
        revision: str | None = None,
        app_session_id: str | None = None,
        **envelope: Any,
    ) -> Call:
        """Invoke a Tool by the latest inventory. Raises ToolRejectedError."""
        call = self._begin(call_id, tool_id)
        revision = revision or await self.revision()
        payload = {"tool_id": tool_id, "inventory_revision": revision, "input": arguments}
        return await self._deliver_call(call, "tool.invoke", payload, app_session_id, envelope)

    async def ask(
        self,
        kind: str,
        request: dict[str, Any],
        *,
        call_id: str | None = None,
        app_session_id: str | None = None,
        **envelope: Any,
    ) -> Call:
        """Ask a standard question by the older ``tool.call``. Raises ToolRejectedError."""
        call = self._begin(call_id, f"interaction.{kind}")
        return await self._deliver_call(call, "tool.call", {"kind": kind, "request": request}, app_session_id, envelope)

    async def say(self, text: str, *, markdown: bool = True, **envelope: Any) -> None:
        """Send a message, to Interact unless ``app_scope`` names another MiniApp. Raises ToolRejectedError."""
        payload = {"text": text, "format": "markdown" if markdown else "plain"}
        _accepted(await self.deliver("message", payload, **envelope))

    async def cancel(self, call: Call | str, *, control_id: str | None = None, reason: str = "") -> dict[str, Any]:
        """Give a call up; the receipt. Raises ToolRejectedError."""
        return await self._control("tool.cancel", call, control_id, reason)

    async def dismiss(self, call: Call | str, *, control_id: str | None = None, reason: str = "") -> dict[str, Any]:
        """Take a question back; the receipt. Raises ToolRejectedError."""
        return await self._control("interaction.dismiss", call, control_id, reason)

    async def ack_held(self) -> int:
        """Ack what was held back; how many rows were open."""
        held, self.held = self.held, []
        acked: int = (await self.sidecar.call("transport.ack", outbox_ids=held))["acked"]
        return acked

    # -- inside
    def _begin(self, call_id: str | None, tool_id: str) -> Call:
        call_id = call_id or _new_id("call")
        return self.calls.setdefault(call_id, Call(call_id, tool_id))

    async def _deliver_call(
        self,
        call: Call,
        type_: str,
        payload: dict[str, Any],
        app_session_id: str | None,
        envelope: dict[str, Any],
    ) -> Call:
        if app_session_id is not None:
            payload["app_session_context"] = {"app_session_id": app_session_id}
        _accepted(await self.deliver(type_, {"call_id": call.call_id, **payload}, **envelope))
        return call

    async def _control(self, type_: str, call: Call | str, control_id: str | None, reason: str) -> dict[str, Any]:
        call_id = call if isinstance(call, str) else call.call_id
        payload = {"control_id": control_id or _new_id("ctl"), "call_id": call_id, "reason": reason}
        answer = await self.deliver(type_, payload)
        _accepted(answer)
        receipt: dict[str, Any] = answer["receipt"]
        return receipt

    def _hear(self, notification: Notification) -> None:
        params = notification.params
        if notification.method != "transport.send" or params["peer"] != self.peer:
            return
        if params["outbox_id"] not in self._known:
            self._remember(params["outbox_id"])
            self._take(params["envelope"]["type"].removeprefix(PREFIX), params["envelope"]["payload"])
        if params["outbox_id"] not in self.held:
            self.held.append(params["outbox_id"])
        self._news.set()

    def _remember(self, outbox_id: str) -> None:
        self._known[outbox_id] = None
        if len(self._known) > RECORD_LIMIT:
            del self._known[next(iter(self._known))]

    def _take(self, type_: str, payload: dict[str, Any]) -> None:
        if type_ == "client.inventory":
            self.inventory = payload
        if type_ in ("tool.progress", "tool.result", "tool.rejected") and payload["call_id"] in self.calls:
            self.calls[payload["call_id"]].take(type_, payload)
        self._rows.add(Notification(type_, payload))

    async def _keep_acking(self) -> None:
        while True:
            await self._news.wait()
            self._news = anyio.Event()
            if self.ack and self.held:
                await self._ack_if_there()

    async def _ack_if_there(self) -> None:
        try:
            await self.ack_held()
        except ConnectionLostError:
            return  # the rows come again with the next process
        except (RpcError, TimeoutError) as error:
            if not (isinstance(error, RpcError) and error.refusal == "shutting_down"):
                self.sidecar.faults.append(f"transport.ack: {error}")


def _accepted(answer: dict[str, Any]) -> None:
    if answer["code"] is not None:
        raise ToolRejectedError(answer["code"], answer["message"], answer)


def _new_id(kind: str) -> str:
    return f"{kind}-{secrets.token_hex(8)}"
