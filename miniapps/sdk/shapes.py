"""The shapes that cross between a MiniApp and the Runtime, as typed dictionaries (PROTOCOL 4, 4.1).

They describe what is on the wire and check nothing: the Runtime does. Names are those of the SDK's definition.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

JsonObject = dict[str, Any]

ENDED = frozenset({"submitted", "completed", "cancelled", "expired", "failed"})
"""The statuses of an interaction that takes no answer any more; ``submitted`` and ``completed`` carry one."""


class MiniAppContext(TypedDict):
    """Who the MiniApp is, as the Runtime says; ``mode`` is ``im`` for Interact, else null."""

    app_scope: str
    instance_id: str
    conversation_id: str
    app_version: str
    state: Literal["starting", "foreground", "background", "suspended"]
    mode: Literal["im"] | None


class CommandReceipt(TypedDict):
    """A command was accepted, that is, committed. One that is not accepted raises ``RefusedError``."""

    command_id: str
    status: Literal["accepted"]


class MiniAppMessage(TypedDict):
    """A message of the Inbox, kept by the Runtime until it is acknowledged."""

    message_id: str
    type: Literal["agent.message", "surface.event", "surface.failed", "capability.resolved", "outbox.delivered"]
    app_scope: str
    instance_id: str
    conversation_id: str
    payload: JsonObject
    created_at: str


class MiniAppToolCall(TypedDict):
    """A Tool call. It says nothing of who asked."""

    call_id: str
    tool_id: str
    input: JsonObject
    status: str
    created_at: str
    deadline_at: str | None
    redelivered: bool


class MiniAppToolProgress(TypedDict):
    """How far a call is: ``percent`` 0 to 100, ``message`` at most 4 000 characters, ``state`` at most 200."""

    percent: NotRequired[float]
    message: NotRequired[str]
    state: NotRequired[str]


class MiniAppToolFailure(TypedDict):
    """Why a call failed: a stable ``code`` for the Agent and words for people."""

    code: str
    message: str
    retryable: NotRequired[bool]
    details: NotRequired[JsonObject]


class NoticeRequest(TypedDict):
    """Tell the user something."""

    kind: Literal["notice"]
    title: str
    message: str
    acknowledge_label: NotRequired[str]


class ChoiceAction(TypedDict):
    """One thing to choose."""

    id: str
    label: str
    description: NotRequired[str]


class ChoiceRequest(TypedDict):
    """Let the user choose among 1 to 50 actions."""

    kind: Literal["choice"]
    title: str
    prompt: str
    mode: Literal["single-choice", "multi-choice", "button"]
    actions: list[ChoiceAction]
    expires_in_ms: NotRequired[int]


class ConfirmRequest(TypedDict):
    """Ask the user to agree to one thing that can be explained."""

    kind: Literal["confirm"]
    title: str
    prompt: str
    approve_label: NotRequired[str]
    cancel_label: NotRequired[str]
    expires_in_ms: NotRequired[int]


class InputField(TypedDict):
    """One field of a form. Length bounds are for text, value bounds for numbers."""

    id: str
    label: str
    type: Literal["text", "textarea", "number"]
    required: NotRequired[bool]
    placeholder: NotRequired[str]
    min_length: NotRequired[int]
    max_length: NotRequired[int]
    minimum: NotRequired[float]
    maximum: NotRequired[float]


class InputRequest(TypedDict):
    """Ask the user to fill in 1 to 20 fields."""

    kind: Literal["input"]
    title: str
    prompt: str
    fields: list[InputField]
    submit_label: NotRequired[str]
    cancel_label: NotRequired[str]
    expires_in_ms: NotRequired[int]


StandardInteractionRequest = NoticeRequest | ChoiceRequest | ConfirmRequest | InputRequest


class InteractionReceipt(TypedDict):
    """A question was stored; its answer comes to ``MiniApp.on_interaction``."""

    interaction_id: str
    status: str
    expires_at: str | None


class StandardInteractionRecord(TypedDict):
    """A question and what became of it. ``request`` and ``result`` have the shapes of PROTOCOL 4.1."""

    interaction_id: str
    kind: Literal["notice", "choice", "confirm", "input"]
    request: JsonObject
    status: Literal["pending", "presented", "submitted", "completed", "cancelled", "expired", "failed"]
    result: JsonObject | None
    reason: str | None
    created_at: str
    updated_at: str
    expires_at: str | None
    parent_call_id: str | None


class ToolClosed(TypedDict):
    """A call was ended by somebody else: the Agent, its timeout, the closing of the MiniApp."""

    instance_id: str
    call_id: str
    status: str
    reason: str


class SurfacePatched(TypedDict):
    """The view changed the state of a surface."""

    instance_id: str
    surface_id: str
    revision: int
    patch: JsonObject


class LifecycleClosing(TypedDict):
    """The instance is closed; its process is ended after the deadline."""

    instance_id: str
    reason: str
    deadline_ms: int


def is_ended(record: StandardInteractionRecord) -> bool:
    """Whether the question takes no answer any more."""
    return record["status"] in ENDED


def is_approved(record: StandardInteractionRecord) -> bool:
    """Whether the user agreed to a ``confirm``. A question that expired or was dismissed is no agreement."""
    answered = record["kind"] == "confirm" and record["status"] in ("submitted", "completed")
    return answered and record["result"] is not None and record["result"].get("approved") is True
