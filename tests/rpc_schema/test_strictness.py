"""All that is read is closed and strict: no unknown field, no null for an absent one, no coercion (PROTOCOL 1)."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from rpc_schema.base import Wire
from rpc_schema.envelopes import AGENT_ENVELOPES, Envelope
from rpc_schema.export.json_schema import write_json_schema
from rpc_schema.interactions import (
    ChoiceRequest,
    ChoiceResult,
    ConfirmRequest,
    ConfirmResult,
    InputRequest,
    InputResult,
    NoticeRequest,
    NoticeResult,
    StandardInteractionRequest,
    StandardInteractionResult,
)
from rpc_schema.manifest import Manifest
from rpc_schema.methods import METHODS
from rpc_schema.surfaces import Artifact

Sampler = Callable[..., Any]
Spoiler = Callable[[str, Any], list[tuple[str, Any]]]

JUDGED: list[type[Wire]] = [
    NoticeRequest,
    ChoiceRequest,
    ConfirmRequest,
    InputRequest,
    NoticeResult,
    ChoiceResult,
    ConfirmResult,
    InputResult,
    Artifact,
    Envelope,
    *AGENT_ENVELOPES.values(),
    Manifest,
]
"""What is read apart from params, or within them by a service."""

NAMES = {
    model: model.__name__ + "Input" if f"{model.__name__}Input" in write_json_schema()["$defs"] else model.__name__
    for model in [*(method.params for method in METHODS.values()), *JUDGED]
}


def read(model: Any, value: Any) -> Any:
    return TypeAdapter(model).validate_json(json.dumps(value))


def accepted(model: Any, spoilt: list[tuple[str, Any]]) -> list[str]:
    """The faults that a model does not see."""
    unseen = []
    for fault, value in spoilt:
        try:
            read(model, value)
        except ValidationError:
            continue
        unseen.append(fault)
    return unseen


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
@pytest.mark.parametrize("full", [True, False], ids=["every field", "required fields"])
def test_sound_params_of_every_method_are_read(method: Any, full: bool, sample: Sampler) -> None:
    value = sample(NAMES[method.params], full)
    assert read(method.params, value).model_dump(mode="json", exclude_unset=True) == value


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
def test_params_of_every_method_are_closed_and_never_coerced(method: Any, sample: Sampler, spoil: Spoiler) -> None:
    name = NAMES[method.params]
    spoilt = spoil(name, sample(name))
    assert "an unknown field" in dict(spoilt)
    assert accepted(method.params, spoilt) == []


@pytest.mark.parametrize("model", JUDGED, ids=lambda model: model.__name__)
def test_what_a_service_judges_is_closed_and_never_coerced(model: type[Wire], sample: Sampler, spoil: Spoiler) -> None:
    value = sample(NAMES[model])
    read(model, value)
    assert accepted(model, spoil(NAMES[model], value)) == []


@pytest.mark.parametrize("method", [m for name, m in METHODS.items() if name.startswith("sdk.")], ids=lambda m: m.name)
@pytest.mark.parametrize("field", ["owner", "app_scope", "instance_id", "conversation_id", "agent_id"])
def test_sdk_params_name_no_owner(method: Any, field: str, sample: Sampler) -> None:
    with pytest.raises(ValidationError, match="Extra inputs are not permitted"):
        read(method.params, {**sample(NAMES[method.params]), field: "x"})


@pytest.mark.parametrize("union", [StandardInteractionRequest, StandardInteractionResult])
def test_a_union_takes_none_but_its_members(union: Any) -> None:
    values: list[Any] = [None, [], "notice", {}, {"kind": "audio", "title": "t"}, {"kind": 1}]
    for value in values:
        with pytest.raises(ValidationError):
            read(union, value)
