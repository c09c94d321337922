"""The logic of a MiniApp that the Host runs itself, spoken step by step through ``sdk.*`` (PROTOCOL 4)."""

from __future__ import annotations

from typing import Any

from host_bridge.headless import HeadlessHost


class HostRunApp:
    """One mounted instance. Its token is looked up anew for each call, so that a remount is no loss."""

    def __init__(self, host: HeadlessHost, instance_id: str) -> None:
        self.host = host
        self.instance_id = instance_id

    @classmethod
    async def find(cls, host: HeadlessHost, app_scope: str, conversation_id: str = "conv-1") -> HostRunApp:
        """Wait until an instance of the app lives in the conversation and is mounted. Raises TimeoutError."""

        def mounted(screen: Any) -> str | None:
            instance = screen.workspaces[conversation_id].find(app_scope)
            return instance["instance_id"] if instance and screen.tokens.get(instance["instance_id"]) else None

        return cls(host, await host.until(mounted))

    @property
    def token(self) -> str:
        """The context token. Raises LookupError where the instance is not mounted or not run by this Host."""
        token = self.host.screen.tokens.get(self.instance_id)
        if token is None:
            raise LookupError(f"{self.instance_id} is not mounted with a context token: name its app in host_run")
        return token

    async def sdk(self, method: str, **params: Any) -> Any:
        """Call the SDK; ``method`` goes without ``sdk.``. Raises RpcError."""
        return await self.host.sidecar.call(f"sdk.{method}", context_token=self.token, **params)

    async def subscribe(self) -> None:
        """Hear messages, Tool calls and answers: once after each mount."""
        for channel in ("inbox", "tools", "ui"):
            await self.sdk(f"{channel}.subscribe")

    async def take_call(self, call_id: str | None = None) -> dict[str, Any]:
        """Subscribe (again) and take a Tool call, that one or the oldest. Raises TimeoutError."""
        backlog = (await self.sdk("tools.subscribe"))["calls"]
        for call in backlog:
            if call_id in (None, call["call_id"]):
                return dict(call)
        return await self._hear("sdk.tools.call", "call", lambda call: call_id in (None, call["call_id"]))

    async def take_message(self, type_: str | None = None) -> dict[str, Any]:
        """Take and acknowledge the oldest message, or the oldest of that type. Raises TimeoutError."""
        backlog = (await self.sdk("inbox.subscribe"))["messages"]
        fitting = [one for one in backlog if type_ in (None, one["type"])]
        if fitting:
            message = dict(fitting[0])
        else:
            message = await self._hear("sdk.inbox.message", "message", lambda one: type_ in (None, one["type"]))
        await self.sdk("inbox.acknowledge", message_id=message["message_id"])
        return message

    async def ask(self, request: dict[str, Any], **options: Any) -> dict[str, Any]:
        """Ask the user a standard question and wait for how it ends: the record. Raises RpcError, TimeoutError."""
        await self.sdk("ui.subscribe")
        asked = await self.sdk("ui.request", request=request, **({"options": options} if options else {}))
        interaction_id = asked["interaction_id"]
        return await self._hear(
            "sdk.ui.record", "record", lambda one: one["interaction_id"] == interaction_id and _ended(one)
        )

    async def _hear(self, method: str, field: str, where: Any) -> dict[str, Any]:
        params = await self.host.sidecar.wait_for(
            method, lambda one: one["instance_id"] == self.instance_id and where(one[field])
        )
        found: dict[str, Any] = params[field]
        return found


def _ended(record: dict[str, Any]) -> bool:
    return record["status"] not in ("pending", "presented", "submitted")
