"""Standard interactions: the four questions, their answers and records (PROTOCOL 4.1, RULES 5)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints, model_validator

from rpc_schema import limits
from rpc_schema.base import Id, JsonObject, JudgedBy, Maybe, Name, Number, Text, TextOrNumber, Timestamp, Wire, exactly

InteractionKind = Literal["notice", "choice", "confirm", "input"]
InteractionStatus = Literal["pending", "presented", "submitted", "completed", "cancelled", "expired", "failed"]
InteractionSource = Literal["agent_tool", "miniapp_tool", "runtime_policy"]

ExpiresIn = Annotated[int, Field(ge=limits.MIN_EXPIRY_MS, le=limits.MAX_EXPIRY_MS)]
"""Milliseconds until nobody's answer counts any more; default 900 000."""


class NoticeRequest(Wire):
    """Tell the user something; it does not wait, so it takes no expiry."""

    kind: Literal["notice"]
    title: Name
    message: Text
    acknowledge_label: Maybe[Name] = None


class ChoiceAction(Wire):
    """One thing to choose."""

    id: Id
    label: Name
    description: Maybe[Text] = None


class ChoiceRequest(Wire):
    """Let the user choose among named actions."""

    kind: Literal["choice"]
    title: Name
    prompt: Text
    mode: Literal["single-choice", "multi-choice", "button"]
    actions: list[ChoiceAction] = Field(min_length=1, max_length=limits.MAX_ACTIONS)
    expires_in_ms: Maybe[ExpiresIn] = None

    @model_validator(mode="after")
    def _ids_are_unique(self) -> ChoiceRequest:
        _unique("actions", [action.id for action in self.actions])
        return self


class ConfirmRequest(Wire):
    """Ask the user to agree to one thing that can be explained."""

    kind: Literal["confirm"]
    title: Name
    prompt: Text
    approve_label: Maybe[Name] = None
    cancel_label: Maybe[Name] = None
    expires_in_ms: Maybe[ExpiresIn] = None


class InputField(Wire):
    """One field of a form. Length bounds are for text, value bounds for numbers."""

    id: Id
    label: Name
    type: Literal["text", "textarea", "number"]
    required: Maybe[bool] = None
    placeholder: Maybe[Annotated[str, StringConstraints(max_length=limits.MAX_NAME)]] = None
    min_length: Maybe[Annotated[int, Field(ge=0, le=limits.MAX_MESSAGE_TEXT)]] = None
    max_length: Maybe[Annotated[int, Field(ge=0, le=limits.MAX_MESSAGE_TEXT)]] = None
    minimum: Maybe[Number] = None
    maximum: Maybe[Number] = None

    @model_validator(mode="after")
    def _bounds_fit_the_type(self) -> InputField:
        foreign = ("min_length", "max_length") if self.type == "number" else ("minimum", "maximum")
        for bound in foreign:
            if getattr(self, bound) is not None:
                raise ValueError(f"{bound} says nothing about a field of type {self.type}")
        _ordered("min_length", self.min_length, "max_length", self.max_length)
        _ordered("minimum", self.minimum, "maximum", self.maximum)
        return self


class InputRequest(Wire):
    """Ask the user to fill in a form of text and numbers."""

    kind: Literal["input"]
    title: Name
    prompt: Text
    fields: list[InputField] = Field(min_length=1, max_length=limits.MAX_FIELDS)
    submit_label: Maybe[Name] = None
    cancel_label: Maybe[Name] = None
    expires_in_ms: Maybe[ExpiresIn] = None

    @model_validator(mode="after")
    def _ids_are_unique(self) -> InputRequest:
        _unique("fields", [field.id for field in self.fields])
        return self


StandardInteractionRequest = Annotated[
    NoticeRequest | ChoiceRequest | ConfirmRequest | InputRequest, Field(discriminator="kind")
]


class NoticeResult(Wire):
    """The user has seen it."""

    acknowledged: Annotated[Literal[True], exactly(bool)]


class ChoiceResult(Wire):
    """What the user chose, in the user's order."""

    action_ids: list[Id] = Field(max_length=limits.MAX_ACTION_IDS)


class ConfirmResult(Wire):
    """Whether the user agreed."""

    approved: bool


class InputResult(Wire):
    """The form as filled in, by field id; an optional field may be absent."""

    values: dict[str, TextOrNumber]


StandardInteractionResult = NoticeResult | ChoiceResult | ConfirmResult | InputResult


class InputDraft(Wire):
    """What the user has typed so far; kept until the interaction is final."""

    values: dict[str, TextOrNumber]


class StandardInteractionRecord(Wire):
    """An interaction as its owner sees it. ``expires_at`` is null for a notice."""

    interaction_id: Id
    kind: InteractionKind
    request: Annotated[JsonObject, JudgedBy(StandardInteractionRequest)]
    status: InteractionStatus
    result: Annotated[JsonObject | None, JudgedBy(StandardInteractionResult | None)]
    reason: str | None
    created_at: Timestamp
    updated_at: Timestamp
    expires_at: Timestamp | None
    parent_call_id: str | None


def _unique(where: str, ids: list[str]) -> None:
    if len(set(ids)) != len(ids):
        raise ValueError(f"ids of {where} must differ from one another")


def _ordered(low_name: str, low: float | None, high_name: str, high: float | None) -> None:
    if low is not None and high is not None and low > high:
        raise ValueError(f"{low_name} must not be above {high_name}")
