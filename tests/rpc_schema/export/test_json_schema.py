"""The JSON Schema says of every value what the models say (PROTOCOL 1)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Annotated, Any, Literal

import pytest
from jsonschema import Draft202012Validator
from pydantic import Field, create_model

from rpc_schema.base import Gone, Maybe, Wire
from rpc_schema.envelopes import AGENT_ENVELOPES, RUNTIME_ENVELOPES
from rpc_schema.export.json_schema import define, write_json_schema
from rpc_schema.export.vocabulary import NAMED, READ, SENT
from rpc_schema.inbox import INBOX_PAYLOADS, MessageType
from rpc_schema.methods import METHODS
from rpc_schema.notifications import NOTIFICATIONS

Sampler = Callable[..., Any]
Spoiler = Callable[[str, Any], list[tuple[str, Any]]]

DOCUMENT = write_json_schema()
DEFINITIONS: dict[str, Any] = DOCUMENT["$defs"]


class Both(Wire):
    """Read and sent."""

    kind: Literal["chat"] = "chat"
    n: int = 3


class Inner(Wire):
    """Holds both."""

    both: Both


def walk(value: Any) -> Iterator[dict[str, Any]]:
    """Every object in a schema, those that map names to schemas left out."""
    if isinstance(value, list):
        for one in value:
            yield from walk(one)
    elif isinstance(value, dict):
        yield value
        for key, one in value.items():
            yield from (
                (found for schema in one.values() for found in walk(schema)) if key == "properties" else walk(one)
            )


def fits(name: str, value: Any) -> bool:
    return bool(Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": DEFINITIONS}).is_valid(value))


def test_the_document_is_a_sound_json_schema() -> None:
    Draft202012Validator.check_schema(DOCUMENT)
    assert DOCUMENT["$schema"] == "https://json-schema.org/draft/2020-12/schema"


def test_every_model_of_the_tables_is_defined() -> None:
    models = [
        *(model for method in METHODS.values() for model in (method.params, method.result) if model),
        *(notification.params for notification in NOTIFICATIONS.values()),
        *(*AGENT_ENVELOPES.values(), *RUNTIME_ENVELOPES.values(), *INBOX_PAYLOADS.values()),
    ]
    assert {model.__name__ for model in models} <= DEFINITIONS.keys()
    assert NAMED.keys() <= DEFINITIONS.keys()


def test_every_reference_leads_somewhere() -> None:
    used = {schema["$ref"].removeprefix("#/$defs/") for schema in walk([*DEFINITIONS.values()]) if "$ref" in schema}
    assert used <= DEFINITIONS.keys()


def test_nothing_is_said_for_nothing() -> None:
    for schema in walk([*DEFINITIONS.values()]):
        assert not schema.keys() & {"title", "discriminator", "allOf"}
        assert schema.get("default", 0) is not None
        assert not re.search(r"\\[zd]", schema.get("pattern", ""))  # ECMAScript has no \z, and \d differs by engine


def test_every_object_is_closed_described_and_in_snake_case() -> None:
    for name, schema in DEFINITIONS.items():
        if schema.get("type") != "object":
            continue
        assert schema["description"], name
        assert schema["additionalProperties"] is (name in ("OpenRpcDocument", "RefusalData")), name
        for field in schema["properties"]:
            assert re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", field), f"{name}.{field}"


def test_a_patterns_end_is_the_texts_end() -> None:
    assert fits("HostRequirement", {"min_version": "1.0.0-rc.1+b", "surface_required": True})
    for version in ("1.0", "01.0.0", "1.0.0-01", "1.0.0\N{ARABIC-INDIC DIGIT ONE}", "v1.0.0"):
        assert not fits("HostRequirement", {"min_version": version, "surface_required": True})


@pytest.mark.parametrize("model", dict.fromkeys(READ), ids=lambda model: model.__name__)
def test_schema_and_model_agree_on_what_is_read(model: type[Wire], sample: Sampler, spoil: Spoiler) -> None:
    name = f"{model.__name__}Input" if f"{model.__name__}Input" in DEFINITIONS else model.__name__
    for full in (True, False):
        assert fits(name, sample(name, full))
        model.model_validate_json(json.dumps(sample(name, full)))
    assert [fault for fault, value in spoil(name, sample(name)) if fits(name, value)] == []


@pytest.mark.parametrize("model", dict.fromkeys(SENT), ids=lambda model: model.__name__)
def test_what_is_sent_carries_every_field_that_the_schema_requires(model: type[Wire], sample: Sampler) -> None:
    for full in (True, False):
        value = sample(model.__name__, full)
        sent = model.model_validate_json(json.dumps(value)).model_dump(mode="json")
        assert sent == value
        assert fits(model.__name__, sent)


def test_a_default_is_left_out_in_what_is_read_and_always_there_in_what_is_sent() -> None:
    definitions = define([Both], [Inner], {})
    assert definitions["BothInput"]["properties"]["n"] == {"type": "integer", "default": 3}
    assert "required" not in definitions["BothInput"]
    assert definitions["Both"]["required"] == ["kind", "n"]
    assert definitions["Inner"]["properties"]["both"] == {"$ref": "#/$defs/Both"}


def test_optional_and_nullable_are_two_things() -> None:
    class Four(Wire):
        """All of them."""

        a: str
        b: str | None
        c: Maybe[str] = None
        d: Maybe[str | Gone] = None

    (schema,) = (one for name, one in define([Four], [Four], {}).items() if name == "Four")
    text, null = {"type": "string"}, {"type": "null"}
    assert schema["required"] == ["a", "b"]
    assert [schema["properties"][name] for name in "abc"] == [text, {"anyOf": [text, null]}, text]
    assert schema["properties"]["d"] == {"anyOf": [text, {"$ref": "#/$defs/Gone"}]}


def test_what_has_a_name_is_referred_to_by_it() -> None:
    assert DEFINITIONS["MiniAppMessage"]["properties"]["type"] == {"$ref": "#/$defs/MessageType"}
    assert DEFINITIONS["SdkUiRequestParams"]["properties"]["request"] == {"$ref": "#/$defs/StandardInteractionRequest"}
    assert DEFINITIONS["SdkSurfacesSubmitParams"]["properties"]["artifact"] == {"$ref": "#/$defs/Artifact"}


def test_two_models_of_one_name_are_refused() -> None:
    other = create_model("Both", __base__=Wire, __doc__="Another.", n=(str, ...))
    with pytest.raises(ValueError, match=r"two models would take one name, .*Both"):
        define([Both, other], [], {})


def test_a_model_called_as_another_is_when_read_is_refused() -> None:
    clash = create_model("BothInput", __base__=Wire, __doc__="Another.", n=(str, ...))
    with pytest.raises(ValueError, match=r"two models would take one name, .*Both"):
        define([Both, clash], [Both], {})


def test_a_type_named_as_a_model_is_refused() -> None:
    with pytest.raises(ValueError, match="both called Both"):
        define([Both], [], {"Both": Literal["a", "b"]})


def test_one_type_under_two_names_is_refused() -> None:
    with pytest.raises(ValueError, match="MessageType and Again are the same type"):
        define([Both], [], {"MessageType": MessageType, "Again": MessageType})


def test_a_model_without_a_docstring_has_no_description() -> None:
    silent = create_model("Silent", __base__=Wire, n=(Annotated[int, Field(ge=1)], ...))
    silent.__doc__ = None
    assert define([silent], [], {})["Silent"].keys() == {"type", "properties", "required", "additionalProperties"}
