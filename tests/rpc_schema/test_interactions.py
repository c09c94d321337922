"""The four standard requests and their answers (PROTOCOL 4.1)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from rpc_schema.interactions import StandardInteractionRequest, StandardInteractionResult

NOTICE = {"kind": "notice", "title": "t", "message": "m"}
CONFIRM = {"kind": "confirm", "title": "t", "prompt": "p"}
ACTION = {"id": "a", "label": "A"}
CHOICE = {"kind": "choice", "title": "t", "prompt": "p", "mode": "button", "actions": [ACTION]}
TEXT = {"id": "f", "label": "F", "type": "text"}
NUMBER = {"id": "n", "label": "N", "type": "number"}
INPUT = {"kind": "input", "title": "t", "prompt": "p", "fields": [TEXT]}


def faults(union: Any, value: Any) -> str:
    """What is wrong with a value, in one text; empty where nothing is."""
    try:
        TypeAdapter(union).validate_json(json.dumps(value))
    except ValidationError as error:
        return str(error)
    return ""


@pytest.mark.parametrize(
    "request_",
    [
        {**NOTICE, "acknowledge_label": "OK"},
        {**CONFIRM, "approve_label": "Yes", "cancel_label": "No", "expires_in_ms": 60_000},
        {**CONFIRM, "title": "汉" * 200, "prompt": "x" * 4_000, "expires_in_ms": 86_400_000},
        {**CHOICE, "mode": "single-choice"},
        {
            **CHOICE,
            "mode": "multi-choice",
            "actions": [{**ACTION, "id": str(n), "description": "d"} for n in range(50)],
        },
        {**INPUT, "fields": [{**TEXT, "id": str(n)} for n in range(20)], "submit_label": "Go", "cancel_label": "No"},
        {**INPUT, "fields": [{**TEXT, "type": "textarea", "min_length": 1, "max_length": 1, "required": True}]},
        {**INPUT, "fields": [{**NUMBER, "minimum": -1.5, "maximum": -1.5, "placeholder": ""}]},
        {**INPUT, "fields": [{**NUMBER, "minimum": 1}, {**TEXT, "max_length": 0}]},
    ],
)
def test_a_sound_request_is_read(request_: dict[str, Any]) -> None:
    assert faults(StandardInteractionRequest, request_) == ""


@pytest.mark.parametrize(
    ("request_", "fault"),
    [
        ({**NOTICE, "expires_in_ms": 60_000}, "Extra inputs are not permitted"),
        ({**NOTICE, "title": ""}, "at least 1 character"),
        ({**NOTICE, "title": "x" * 201}, "at most 200 characters"),
        ({**NOTICE, "message": "x" * 4_001}, "at most 4000 characters"),
        ({**NOTICE, "acknowledge_label": ""}, "at least 1 character"),
        ({**CONFIRM, "expires_in_ms": 59_999}, "greater than or equal to 60000"),
        ({**CONFIRM, "expires_in_ms": 86_400_001}, "less than or equal to 86400000"),
        ({**CHOICE, "actions": []}, "at least 1 item"),
        ({**CHOICE, "actions": [{**ACTION, "id": str(n)} for n in range(51)]}, "at most 50 items"),
        ({**CHOICE, "actions": [ACTION, ACTION]}, "ids of actions must differ"),
        ({**CHOICE, "mode": "radio"}, "'single-choice', 'multi-choice' or 'button'"),
        ({**INPUT, "fields": []}, "at least 1 item"),
        ({**INPUT, "fields": [{**TEXT, "id": str(n)} for n in range(21)]}, "at most 20 items"),
        ({**INPUT, "fields": [TEXT, {**NUMBER, "id": "f"}]}, "ids of fields must differ"),
        ({**INPUT, "fields": [{**TEXT, "minimum": 1}]}, "minimum says nothing about a field of type text"),
        ({**INPUT, "fields": [{**NUMBER, "max_length": 1}]}, "max_length says nothing about a field of type number"),
        ({**INPUT, "fields": [{**TEXT, "min_length": 2, "max_length": 1}]}, "min_length must not be above max_length"),
        ({**INPUT, "fields": [{**NUMBER, "minimum": 1, "maximum": 0.5}]}, "minimum must not be above maximum"),
        ({**INPUT, "fields": [{**NUMBER, "minimum": 10**309}]}, "within the range of a double"),
        ({**INPUT, "fields": [{**TEXT, "min_length": -1}]}, "greater than or equal to 0"),
        ({**INPUT, "fields": [{**TEXT, "type": "password"}]}, "'text', 'textarea' or 'number'"),
        ({**CONFIRM, "kind": "audio"}, "does not match any of the expected tags"),
    ],
)
def test_an_unsound_request_is_refused_with_what_is_wrong(request_: dict[str, Any], fault: str) -> None:
    assert fault in faults(StandardInteractionRequest, request_)


@pytest.mark.parametrize(
    "result",
    [
        {"acknowledged": True},
        {"action_ids": []},
        {"action_ids": ["a", "a", "b"]},
        {"approved": False},
        {"values": {}},
        {"values": {"a": "", "b": 1, "c": -1.5}},
    ],
)
def test_an_answer_of_the_right_form_is_read(result: dict[str, Any]) -> None:
    assert faults(StandardInteractionResult, result) == ""


@pytest.mark.parametrize(
    "result",
    [
        {"acknowledged": False},
        {"acknowledged": 1},
        {"action_ids": "a"},
        {"approved": "yes"},
        {"approved": True, "acknowledged": True},
        {"values": {"a": True}},
        {"values": {"a": None}},
        {"values": [1]},
    ],
)
def test_an_answer_of_no_form_is_refused(result: dict[str, Any]) -> None:
    assert faults(StandardInteractionResult, result)
