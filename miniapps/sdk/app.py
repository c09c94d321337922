"""``MiniApp``: the handlers that an author registers, and the loop that feeds them one event at a time.

Delivery is at least once: after a restart, calls come again (``redelivered``), un-acknowledged messages come again and
recently ended questions come again. Handlers must bear that; within one process nothing is handed out twice.

An exception costs one event, not the MiniApp: it goes to stderr with its traceback, a Tool call then fails with
``app_error``, a message is acknowledged (one that cannot be handled must not come back for ever), and the next event
follows. Three things end the process instead, and the Runtime starts it anew: an exception in ``on_start``, an internal
error of the Runtime, and a lost connection; ``app_disabled`` ends it until the user switches the app on again.
What was not acknowledged then comes again.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, TypeVar

from miniapps.sdk.channel import Channel, ChannelClosedError, Notification, RefusedError, RpcError
from miniapps.sdk.client import Sdk
from miniapps.sdk.events import Seen, Start, SurfaceEvent, ToolCall
from miniapps.sdk.shapes import (
    LifecycleClosing,
    MiniAppContext,
    MiniAppMessage,
    MiniAppToolCall,
    StandardInteractionRecord,
    SurfacePatched,
    ToolClosed,
    is_ended,
)
from rpc_schema.errors import INTERNAL_ERROR

E = TypeVar("E")
Handler = Callable[[E], None]

MESSAGES = {
    "agent.message": "message",
    "surface.failed": "surface_failed",
    "capability.resolved": "capability",
    "outbox.delivered": "delivered",
}
"""The handler of each type of Inbox message but ``surface.event``, which has one for each event's name."""


class MiniApp:
    """One MiniApp: make it in ``app.py`` as ``app``, register handlers, and use ``app.sdk`` in them."""

    def __init__(self) -> None:
        self.sdk = Sdk()
        self._handlers: dict[str, Handler[Any]] = {}
        self._seen_messages, self._seen_calls, self._seen_records = Seen(), Seen(), Seen()

    # -- what an author registers

    def tool(self, tool_id: str) -> Callable[[Handler[ToolCall]], Handler[ToolCall]]:
        """Carry out a Tool. The call stays open until it is completed, failed or cancelled, here or later."""
        return lambda handler: self._register(f"tool {tool_id}", handler)

    def on_surface_event(self, event: str) -> Callable[[Handler[SurfaceEvent]], Handler[SurfaceEvent]]:
        """Hear an event of that name from a view."""
        return lambda handler: self._register(f"event {event}", handler)

    def on_start(self, handler: Handler[Start]) -> Handler[Start]:
        """Begin, afresh or after a restart: open the surface again and rebuild from its state. Comes first."""
        return self._register("start", handler)

    def on_message(self, handler: Handler[MiniAppMessage]) -> Handler[MiniAppMessage]:
        """Hear the Agent's text (``agent.message``); the manifest must subscribe that topic."""
        return self._register("message", handler)

    def on_surface_failed(self, handler: Handler[MiniAppMessage]) -> Handler[MiniAppMessage]:
        """Hear that the Host could not show a surface."""
        return self._register("surface_failed", handler)

    def on_capability(self, handler: Handler[MiniAppMessage]) -> Handler[MiniAppMessage]:
        """Hear how a capability request ended."""
        return self._register("capability", handler)

    def on_delivered(self, handler: Handler[MiniAppMessage]) -> Handler[MiniAppMessage]:
        """Hear that the user's text has reached the Agent's side; for the system MiniApp alone."""
        return self._register("delivered", handler)

    def on_interaction(self, handler: Handler[StandardInteractionRecord]) -> Handler[StandardInteractionRecord]:
        """Hear that an own question has ended: answered, cancelled, expired or failed."""
        return self._register("interaction", handler)

    def on_renderer_record(self, handler: Handler[StandardInteractionRecord]) -> Handler[StandardInteractionRecord]:
        """See the Agent's questions, open and ended; for the system MiniApp alone."""
        return self._register("renderer_record", handler)

    def on_tool_closed(self, handler: Handler[ToolClosed]) -> Handler[ToolClosed]:
        """Hear that a call was ended by somebody else."""
        return self._register("tool_closed", handler)

    def on_surface_patched(self, handler: Handler[SurfacePatched]) -> Handler[SurfacePatched]:
        """Hear what a view has patched; the state of the ``Surface`` is up to date already."""
        return self._register("surface_patched", handler)

    def on_context_changed(self, handler: Handler[MiniAppContext]) -> Handler[MiniAppContext]:
        """Hear that the instance came to the front or went from it; ``sdk.context`` is up to date already."""
        return self._register("context_changed", handler)

    def on_closing(self, handler: Handler[LifecycleClosing]) -> Handler[LifecycleClosing]:
        """Hear that the instance is closed: nothing can be asked any more, and the process ends next."""
        return self._register("closing", handler)

    def _register(self, name: str, handler: Handler[E]) -> Handler[E]:
        if name in self._handlers:
            raise ValueError(f"there is a handler for {name!r} already")
        self._handlers[name] = handler
        return handler

    # -- the loop

    def serve(self, channel: Channel) -> None:
        """Wait for the Runtime's hello, then handle events until the instance closes or the Runtime is gone."""
        hello = channel.next_notification()
        if hello is None:
            return
        if hello.method != "sdk.hello":
            raise RuntimeError(f"expected sdk.hello, not {hello.method}: start this through the Runtime")
        self.sdk.bind(channel, hello.params["context_token"], hello.params["context"])
        try:
            self._subscribe(first=True)
            self._follow(channel)
        except ChannelClosedError:
            return
        except RefusedError as refused:
            if refused.code == "context_token_invalid":
                self._await_closing(channel)
            elif refused.code == "app_disabled":
                sys.stderr.write("the app was switched off: what was begun begins anew when it is switched on\n")
            else:
                raise

    def _subscribe(self, *, first: bool) -> None:
        """Subscribe to all before the first backlog is handled: what comes from then on waits in the channel.

        Answers come before calls and calls before messages, so that a message finds the work that it is about.
        """
        records = self.sdk.ui.subscribe()
        cards = self.sdk.renderer.subscribe() if "renderer_record" in self._handlers else []
        calls = self.sdk.tools.subscribe()
        messages = self.sdk.inbox.subscribe()
        if first and (start := self._handlers.get("start")):
            start(Start([ToolCall(self.sdk, call) for call in calls], records, cards))
        for card in cards:
            self._hand("renderer_record", card)
        for record in records:
            self._take_record(record)
        for call in calls:
            self._take_call(call)
        for message in messages:
            self._take_message(message)

    def _follow(self, channel: Channel) -> None:
        while notification := channel.next_notification():
            self._hear(notification)
            if notification.method == "sdk.lifecycle.closing":
                return

    def _await_closing(self, channel: Channel) -> None:
        """The token is dead, so the instance is closed; say so to the handler and drop what else still comes."""
        while notification := channel.next_notification():
            if notification.method == "sdk.lifecycle.closing":
                return self._hear(notification)
        return None

    def _hear(self, notification: Notification) -> None:
        params: Any = notification.params
        match notification.method:
            case "sdk.inbox.message":
                self._take_message(params["message"])
            case "sdk.tools.call":
                self._take_call(params["call"])
            case "sdk.tools.closed":
                self._hand("tool_closed", params)
            case "sdk.ui.record":
                self._take_record(params["record"])
            case "sdk.renderer.record":
                self._hand("renderer_record", params["record"])
            case "sdk.surfaces.patched":
                self.sdk.surfaces.absorb(params)
                self._hand("surface_patched", params)
            case "sdk.context.changed":
                self.sdk.take_context(params["context"])
                self._hand("context_changed", params["context"])
            case "sdk.lifecycle.closing":
                self._hand("closing", params)
            case "runtime.resync":
                self.sdk.refresh()
                self._subscribe(first=False)

    def _take_message(self, message: MiniAppMessage) -> None:
        if self._seen_messages.add(message["message_id"]):
            if message["type"] == "surface.event":
                self._hand(f"event {message['payload']['event']}", SurfaceEvent(message))
            else:
                self._hand(MESSAGES.get(message["type"], message["type"]), message)
        self.sdk.inbox.acknowledge(message["message_id"])

    def _take_record(self, record: StandardInteractionRecord) -> None:
        if is_ended(record) and self._seen_records.add(record["interaction_id"]):
            self._hand("interaction", record)

    def _take_call(self, taken: MiniAppToolCall) -> None:
        if not self._seen_calls.add(taken["call_id"]):
            return
        call = ToolCall(self.sdk, taken)
        if f"tool {call.tool_id}" not in self._handlers:
            self._fail(call, "not_implemented", "This MiniApp declares the Tool but does not carry it out.")
        elif not self._hand(f"tool {call.tool_id}", call):
            self._fail(call, "app_error", "The MiniApp could not carry out this call.")

    def _fail(self, call: ToolCall, code: str, message: str) -> None:
        try:
            call.fail(code, message)
        except RefusedError as refused:
            if refused.code == "context_token_invalid":
                raise
            sys.stderr.write(f"call {call.call_id} could not be failed: {refused}\n")

    def _hand(self, name: str, event: object) -> bool:
        """Give an event to its handler, if there is one; False where that raised."""
        handler = self._handlers.get(name)
        if handler is None:
            return True
        try:
            handler(event)
        except Exception as error:
            if _ends_the_process(error):
                raise
            sys.stderr.write(f"the handler for {name!r} failed; the MiniApp goes on\n")
            sys.__excepthook__(type(error), error, error.__traceback__)
            return False
        return True


def _ends_the_process(error: Exception) -> bool:
    match error:
        case ChannelClosedError():
            return True
        case RefusedError(code=code):
            # Switched off in the middle of a handler: what it was doing is handed over again once it is on.
            return code in ("context_token_invalid", "app_disabled")
        case RpcError(code=code):
            return code == INTERNAL_ERROR
    return False
