"""Sound and unsound values for every model of the contract, made from its JSON Schema."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from rpc_schema.base import JudgedBy, Wire
from rpc_schema.export.json_schema import write_json_schema

DEFINITIONS = write_json_schema()["$defs"]
EXAMPLES = ["probe", "1.0.0", "0" * 64, "2026-08-05T10:00:00.000Z"]
WRONG: dict[str, list[Any]] = {
    "string": [1, True, ["x"], {}],
    "integer": ["1", True, 1.5, [], {}],
    "number": ["1", True, [], {}],
    "boolean": [1, 0, "true", [], {}],
    "array": [{}, "x", 1],
    "object": [[], "x", 1],
    "null": [0, "", False],
}
"""Values of another type, by JSON type: what a lax reader would coerce."""

Sampler = Callable[..., Any]
Spoiler = Callable[[str, Any], list[tuple[str, Any]]]


def list_models(base: type[Wire] = Wire) -> dict[str, type[Wire]]:
    """Every model of the package, by name."""
    return {
        name: found
        for model in base.__subclasses__()
        if model.__module__.startswith("rpc_schema.")
        for name, found in {model.__name__: model, **list_models(model)}.items()
    }


def _is_judged(definition: str, field: str) -> bool:
    model = list_models().get(definition.removesuffix("Input")) or list_models()[definition]
    return any(isinstance(one, JudgedBy) for one in model.model_fields[field].metadata)


def _resolve(schema: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    name = schema.get("$ref", "").removeprefix("#/$defs/")
    return (name, DEFINITIONS[name]) if name else ("", schema)


def _sample(schema: dict[str, Any], full: bool) -> Any:
    _, schema = _resolve(schema)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][0]
    if options := schema.get("anyOf", schema.get("oneOf")):
        return _sample(options[0 if full else -1], full)
    if "type" not in schema:
        return {"any": ["thing", None]}
    return _MAKERS[schema["type"]](schema, full)


def _sample_object(schema: dict[str, Any], full: bool) -> dict[str, Any]:
    required = schema.get("required", [])
    fields = {
        name: _sample(field, full) for name, field in schema.get("properties", {}).items() if full or name in required
    }
    if fields.get("type") == "text":  # a field of a form, whose value bounds would be foreign to it
        fields = {name: value for name, value in fields.items() if name not in ("minimum", "maximum")}
    more = schema.get("additionalProperties", True)
    if isinstance(more, dict) and full:
        fields["key"] = _sample(more, full)
    return fields


def _sample_string(schema: dict[str, Any], full: bool) -> str:
    if "pattern" in schema:
        return next(example for example in EXAMPLES if re.search(schema["pattern"], example))
    shortest: int = schema.get("minLength", 0)
    return "x" * max(shortest, int(full))


_MAKERS: dict[str, Callable[[dict[str, Any], bool], Any]] = {
    "object": _sample_object,
    "array": lambda schema, full: [_sample(schema["items"], full)] * max(schema.get("minItems", 0), int(full)),
    "string": _sample_string,
    "integer": lambda schema, _: schema.get("minimum", 7),
    "number": lambda schema, _: schema.get("minimum", 7),
    "boolean": lambda *_: True,
    "null": lambda *_: None,
}


def _spoil(schema: dict[str, Any], value: Any) -> Iterator[tuple[str, Any]]:
    """Yield the value with one fault each, and what the fault is."""
    name, schema = _resolve(schema)
    if options := schema.get("anyOf", schema.get("oneOf")):
        if not any(_resolve(option)[1].get("type") == "null" for option in options):
            yield "null", None
        yield "another type", True
        return
    for wrong in WRONG[schema["type"]]:
        if not (schema["type"] == "object" and wrong == {}):
            yield f"{wrong!r} for {schema['type']}", wrong
    if schema["type"] != "null":
        yield "null", None
    if "enum" in schema or "const" in schema:
        yield "another word", "another word"
    if schema["type"] == "object":
        yield from _spoil_object(name, schema, value)
    if schema["type"] == "array" and value:
        for fault, spoilt in _spoil(schema["items"], value[0]):
            yield f"[0] {fault}", [spoilt]


def _spoil_object(name: str, schema: dict[str, Any], value: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    if schema.get("additionalProperties") is False:
        yield "an unknown field", {**value, "surplus": 1}
    for field in schema.get("required", []):
        yield f"no {field}", {key: one for key, one in value.items() if key != field}
    for field, inner in schema.get("properties", {}).items():
        if field in value and not _is_judged(name, field):
            for fault, spoilt in _spoil(inner, value[field]):
                yield f"{field}: {fault}", {**value, field: spoilt}
    if isinstance(schema.get("additionalProperties"), dict):
        for fault, spoilt in _spoil(schema["additionalProperties"], value["key"]):
            yield f"key: {fault}", {**value, "key": spoilt}


@pytest.fixture(scope="session")
def sample() -> Sampler:
    """Make a sound value of a definition: with every field, or with the required ones alone."""
    return lambda name, full=True: copy.deepcopy(_sample({"$ref": f"#/$defs/{name}"}, full))


@pytest.fixture(scope="session")
def spoil() -> Spoiler:
    """Make unsound values out of a sound and full one: (what is wrong, the value)."""
    return lambda name, value: list(_spoil({"$ref": f"#/$defs/{name}"}, value))
