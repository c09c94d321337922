"""What the handlers of a MiniApp are given."""

from __future__ import annotations

from miniapps.sdk.client import Sdk
from miniapps.sdk.shapes import (
    JsonObject,
    MiniAppMessage,
    MiniAppToolCall,
    MiniAppToolFailure,
    MiniAppToolProgress,
    StandardInteractionRecord,
)

SEEN = 4_096
"""How many ids are remembered: more than the Runtime keeps open for an instance."""


class ToolCall:
    """A Tool call to carry out, now or later: keep ``call_id`` where it has to survive a restart."""

    __slots__ = ("_sdk", "call_id", "created_at", "deadline_at", "input", "redelivered", "tool_id")

    def __init__(self, sdk: Sdk, call: MiniAppToolCall) -> None:
        self._sdk = sdk
        self.call_id, self.tool_id, self.input = call["call_id"], call["tool_id"], call["input"]
        self.created_at, self.deadline_at = call["created_at"], call["deadline_at"]
        self.redelivered = call["redelivered"]

    def progress(self, *, percent: float | None = None, message: str | None = None, state: str | None = None) -> None:
        """Tell the Agent how far it is."""
        report: MiniAppToolProgress = {}
        if percent is not None:
            report["percent"] = percent
        if message is not None:
            report["message"] = message
        if state is not None:
            report["state"] = state
        self._sdk.tools.report_progress(self.call_id, report)

    def complete(self, result: JsonObject) -> None:
        """End it with its result. Raises RefusedError ``tool_output_invalid``, ``call_already_final``."""
        self._sdk.tools.complete(self.call_id, result)

    def fail(self, code: str, message: str, *, retryable: bool = False, details: JsonObject | None = None) -> None:
        """End it without a result: a stable code for the Agent, words for people."""
        failure: MiniAppToolFailure = {"code": code, "message": message, "retryable": retryable}
        if details is not None:
            failure["details"] = details
        self._sdk.tools.fail(self.call_id, failure)

    def cancel(self, reason: str = "") -> None:
        """Give it up."""
        self._sdk.tools.cancel(self.call_id, reason)


class SurfaceEvent:
    """Something happened in a view. The payload is what the view says: judge it before use."""

    __slots__ = ("created_at", "event", "message_id", "payload", "surface_id")

    def __init__(self, message: MiniAppMessage) -> None:
        self.message_id, self.created_at = message["message_id"], message["created_at"]
        self.surface_id: str = message["payload"]["surface_id"]
        self.event: str = message["payload"]["event"]
        self.payload: JsonObject = message["payload"]["payload"] or {}


class Start:
    """What there was when this process began; all of it but the open ``records`` comes to its handler next.

    ``cards`` are the Agent's questions, for the system MiniApp alone.
    """

    __slots__ = ("calls", "cards", "records")

    def __init__(
        self,
        calls: list[ToolCall],
        records: list[StandardInteractionRecord],
        cards: list[StandardInteractionRecord],
    ) -> None:
        self.calls, self.records, self.cards = calls, records, cards


class Seen:
    """The ids that were handed out in this process, the newest of them."""

    def __init__(self) -> None:
        self._ids: dict[str, None] = {}

    def add(self, id_: str) -> bool:
        """Remember an id; False where it was known."""
        if id_ in self._ids:
            return False
        self._ids[id_] = None
        if len(self._ids) > SEEN:
            del self._ids[next(iter(self._ids))]
        return True
