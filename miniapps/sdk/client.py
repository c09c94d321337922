"""``sdk``: everything that a MiniApp may ask of the Runtime, bound to the instance by its token (PROTOCOL 4).

Each write is a request: the Runtime decides, and an answer means that it is durable. Every method may raise
``RefusedError`` (the Runtime's decision) or ``RpcError`` (a malformed request).
"""

from __future__ import annotations

from typing import Any, Literal, cast

from miniapps.sdk.channel import Channel
from miniapps.sdk.shapes import (
    CommandReceipt,
    InteractionReceipt,
    JsonObject,
    MiniAppContext,
    MiniAppMessage,
    MiniAppToolCall,
    MiniAppToolFailure,
    MiniAppToolProgress,
    StandardInteractionRecord,
    StandardInteractionRequest,
)
from miniapps.sdk.surfaces import Call, SurfacesAPI
from rpc_schema.limits import MAX_INBOX_LIST

Messages = list[MiniAppMessage]

UNBOUND = "the SDK is bound by MiniApp.serve: use it in handlers, not while app.py is loaded"


class InboxAPI:
    """Messages to this instance. ``MiniApp`` subscribes and acknowledges; this is for looking again."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def list(self, after_message_id: str | None = None, limit: int = MAX_INBOX_LIST) -> Messages:
        """Un-acknowledged messages, oldest first."""
        after = {} if after_message_id is None else {"after_message_id": after_message_id}
        return cast(Messages, self._call("inbox.list", limit=limit, **after)["messages"])

    def subscribe(self) -> Messages:
        """Hear new messages; the backlog."""
        return cast(Messages, self._call("inbox.subscribe")["messages"])

    def acknowledge(self, message_id: str) -> bool:
        """Take a message over for good; False where that was done before."""
        return bool(self._call("inbox.acknowledge", message_id=message_id)["acknowledged"])


class ToolsAPI:
    """Tool calls of this instance. Their outcome is checked against the Tool's schema before anybody hears of it."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def subscribe(self) -> list[MiniAppToolCall]:
        """Take calls: those that wait run from now on, and those that run are handed over again."""
        return cast("list[MiniAppToolCall]", self._call("tools.subscribe")["calls"])

    def get(self, call_id: str) -> MiniAppToolCall | None:
        """The call, also an ended one, or None."""
        return cast("MiniAppToolCall | None", self._call("tools.get", call_id=call_id)["call"])

    def report_progress(self, call_id: str, progress: MiniAppToolProgress) -> CommandReceipt:
        """Tell how far a running call is; a newer report replaces one that was not sent yet."""
        return cast(CommandReceipt, self._call("tools.reportProgress", call_id=call_id, progress=progress))

    def complete(self, call_id: str, result: JsonObject) -> CommandReceipt:
        """End a call with its result. ``tool_output_invalid`` leaves it running."""
        return cast(CommandReceipt, self._call("tools.complete", call_id=call_id, result=result))

    def fail(self, call_id: str, failure: MiniAppToolFailure) -> CommandReceipt:
        """End a call without a result."""
        return cast(CommandReceipt, self._call("tools.fail", call_id=call_id, failure=failure))

    def cancel(self, call_id: str, reason: str = "") -> CommandReceipt:
        """Give a call up."""
        return cast(CommandReceipt, self._call("tools.cancel", call_id=call_id, reason=reason))


class StandardInteractionAPI:
    """Questions to the user, which the Runtime keeps and the Host shows. At most 8 open at once."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def request(
        self,
        request: StandardInteractionRequest,
        *,
        parent_call_id: str | None = None,
        presentation: Literal["default", "inline", "modal"] = "default",
    ) -> InteractionReceipt:
        """Ask; the answer comes to ``MiniApp.on_interaction``. While it is open the parent call's clock stands still.

        Raises:
            RefusedError: ``renderer_unavailable``, ``limit_exceeded``, ``call_not_found`` or ``call_already_final``
                (the parent), ``interaction_request_invalid``.
        """
        options: JsonObject = {"presentation": presentation}
        if parent_call_id is not None:
            options["parent_call_id"] = parent_call_id
        return cast(InteractionReceipt, self._call("ui.request", request=request, options=options))

    def get(self, interaction_id: str) -> StandardInteractionRecord | None:
        """The record of an own question, or None."""
        return cast("StandardInteractionRecord | None", self._call("ui.get", interaction_id=interaction_id)["record"])

    def subscribe(self) -> list[StandardInteractionRecord]:
        """Hear answers; the open questions and the newest 50 that ended within 24 hours."""
        return cast("list[StandardInteractionRecord]", self._call("ui.subscribe")["records"])

    def cancel(self, interaction_id: str, reason: str = "") -> CommandReceipt:
        """Take a question back."""
        return cast(CommandReceipt, self._call("ui.cancel", interaction_id=interaction_id, reason=reason))


class LifecycleAPI:
    """Requests about the instance itself; ``lifecycle_denied`` where the Runtime says no."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def request_foreground(self) -> CommandReceipt:
        """Come to the front; only while a call is open."""
        return cast(CommandReceipt, self._call("lifecycle.requestForeground"))

    def request_background(self) -> CommandReceipt:
        """Go one place down."""
        return cast(CommandReceipt, self._call("lifecycle.requestBackground"))

    def request_close(self, reason: str = "") -> CommandReceipt:
        """Close the instance: its open calls end as ``app_closed``, and nothing can be asked after this."""
        return cast(CommandReceipt, self._call("lifecycle.requestClose", reason=reason))


class CapabilitiesAPI:
    """Things of the Host that manifest, policy and user must allow."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def request(self, capability: str, reason: str, arguments: JsonObject) -> str:
        """Ask for one; its ``request_id``. The outcome comes to ``MiniApp.on_capability``.

        Raises:
            RefusedError: ``capability_denied``; ``data["reason"]`` is ``not_declared``, ``policy`` or
                ``host_unsupported``. A *no* of the user or the Host is an outcome.
        """
        asked = self._call("capabilities.request", capability=capability, reason=reason, arguments=arguments)
        return str(asked["request_id"])


class ConversationAPI:
    """The user's words to the Agent; for the system MiniApp alone."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def send_text(self, text: str, client_message_id: str) -> CommandReceipt:
        """Send text of at most 32 000 characters; the same ``client_message_id`` is the same message."""
        return cast(CommandReceipt, self._call("conversation.sendText", text=text, client_message_id=client_message_id))


class RendererAPI:
    """The Agent's questions, read only; for the system MiniApp alone."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def subscribe(self) -> list[StandardInteractionRecord]:
        """Hear of them; those that are there."""
        return cast("list[StandardInteractionRecord]", self._call("renderer.subscribe")["records"])


class Sdk:
    """The SDK of one instance. It can be named before the Runtime has said hello, but not used."""

    def __init__(self) -> None:
        self._channel: Channel | None = None
        self._token = ""
        self._context: MiniAppContext | None = None
        self.inbox = InboxAPI(self._call)
        self.tools = ToolsAPI(self._call)
        self.ui = StandardInteractionAPI(self._call)
        self.lifecycle = LifecycleAPI(self._call)
        self.surfaces = SurfacesAPI(self._call)
        self.capabilities = CapabilitiesAPI(self._call)
        self.conversation = ConversationAPI(self._call)
        self.renderer = RendererAPI(self._call)

    @property
    def context(self) -> MiniAppContext:
        """Who this instance is, as last told. Raises RuntimeError before ``MiniApp.serve``."""
        if self._context is None:
            raise RuntimeError(UNBOUND)
        return self._context

    def bind(self, channel: Channel, token: str, context: MiniAppContext) -> None:
        """Take the connection and the token of this process's life."""
        self._channel, self._token, self._context = channel, token, context

    def take_context(self, context: MiniAppContext) -> None:
        """Remember what the Runtime says of this instance now."""
        self._context = context

    def refresh(self) -> None:
        """Read context and surfaces anew, after notifications were lost."""
        self._context = self._call("context.get")
        self.surfaces.refresh()

    def _call(self, method: str, **params: Any) -> Any:
        if self._channel is None:
            raise RuntimeError(UNBOUND)
        return self._channel.call(f"sdk.{method}", context_token=self._token, **params)
