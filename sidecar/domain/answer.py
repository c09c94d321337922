"""Whether a user's answer fits the question (PROTOCOL 4.1)."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from rpc_schema import limits
from rpc_schema.base import Wire
from rpc_schema.error_data import errors_of
from rpc_schema.interactions import (
    ChoiceRequest,
    ChoiceResult,
    ConfirmResult,
    InputField,
    InputRequest,
    InputResult,
    NoticeResult,
)
from sidecar.domain.refusal import Refusal

_MODELS: dict[str, type[Wire]] = {
    "notice": NoticeResult,
    "choice": ChoiceResult,
    "confirm": ConfirmResult,
    "input": InputResult,
}


def check_answer(kind: str, request: str, result: Any) -> dict[str, Any]:
    """The answer to a stored question, in its final form.

    Raises:
        Refusal: ``interaction_result_invalid``; the question stays open.
    """
    try:
        answer = _MODELS[kind].model_validate(result)
    except ValidationError as fault:
        raise Refusal("interaction_result_invalid", errors=errors_of(fault)[:1]) from None
    if isinstance(answer, ChoiceResult):
        return _choice(ChoiceRequest.model_validate_json(request), answer)
    if isinstance(answer, InputResult):
        return _input(InputRequest.model_validate_json(request), answer)
    return answer.model_dump()


def _choice(request: ChoiceRequest, answer: ChoiceResult) -> dict[str, Any]:
    chosen = list(dict.fromkeys(answer.action_ids))
    known = {action.id for action in request.actions}
    if not set(chosen) <= known:
        raise _refused("action_ids", "names an action that was not offered")
    if not chosen:
        raise _refused("action_ids", "must name at least one action")
    if request.mode != "multi-choice" and len(chosen) != 1:
        raise _refused("action_ids", "must name exactly one action")
    return {"action_ids": chosen}


def _input(request: InputRequest, answer: InputResult) -> dict[str, Any]:
    fields = {field.id: field for field in request.fields}
    for unknown in answer.values.keys() - fields.keys():
        raise _refused(f"values.{unknown[: limits.MAX_ID]}", "is no field of this form")
    for field in request.fields:
        if field.id in answer.values:
            _check_field(field, answer.values[field.id])
        elif field.required:
            raise _refused(f"values.{field.id}", "is required")
    return {"values": {field.id: answer.values[field.id] for field in request.fields if field.id in answer.values}}


def _check_field(field: InputField, value: str | int | float) -> None:
    path = f"values.{field.id}"
    if field.type == "number":
        if isinstance(value, str):
            raise _refused(path, "must be a number")
        _check_bounds(path, value, field.minimum, field.maximum, "")
    else:
        if not isinstance(value, str):
            raise _refused(path, "must be text")
        _check_bounds(path, len(value), field.min_length, field.max_length, " characters")


def _check_bounds(path: str, size: float, low: float | None, high: float | None, unit: str) -> None:
    if low is not None and size < low:
        raise _refused(path, f"must be at least {low}{unit}")
    if high is not None and size > high:
        raise _refused(path, f"must be at most {high}{unit}")


def _refused(path: str, message: str) -> Refusal:
    return Refusal("interaction_result_invalid", errors=[{"path": path, "message": message}])
