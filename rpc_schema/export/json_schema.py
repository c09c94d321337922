"""One JSON Schema (2020-12) with a definition for every model on the wire.

A model that is both read and sent, and whose defaults make the two differ, is defined twice: what is sent keeps the
name, what is read takes the suffix ``Input``. What JSON Schema cannot say stays with the models: that ids differ from
one another, that bounds fit their field, and that ``5.0`` is no whole number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode, JsonSchemaValue
from pydantic_core.core_schema import ModelSchema, TaggedUnionSchema, WithDefaultSchema

from rpc_schema import PROTOCOL_VERSION
from rpc_schema.export.vocabulary import NAMED, READ, SENT

Schema = dict[str, Any]

_ANNOTATIONS = ("default", "description")


def write_json_schema() -> Schema:
    """Describe everything on the wire as one JSON Schema document."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:lineup-runtime:protocol:{PROTOCOL_VERSION}",
        "title": f"LineUp Runtime protocol {PROTOCOL_VERSION}",
        "description": "Every object on the wire. Objects are closed; what is optional may be absent, never null.",
        "$defs": define(READ, SENT, NAMED),
    }


def define(
    read: Sequence[Any], sent: Sequence[Any], named: Mapping[str, Any], where: str = "#/$defs/"
) -> dict[str, Schema]:
    """Define models and named types, sorted by name; references begin with ``where``.

    Raises ValueError where two of them would take one name, or two names say the same.
    """
    inputs: list[tuple[str, JsonSchemaMode, TypeAdapter[Any]]] = [
        *((f"read {n}", "validation", TypeAdapter(model)) for n, model in enumerate(read)),
        *((f"sent {n}", "serialization", TypeAdapter(model)) for n, model in enumerate(sent)),
        *((name, "validation", TypeAdapter(type_)) for name, type_ in named.items()),
    ]
    roots, document = TypeAdapter.json_schemas(inputs, ref_template=where + "{model}", schema_generator=_Generator)
    aliases = {name: roots[name, "validation"] for name in named}
    schemas = _use_aliases(document["$defs"], aliases, where)
    names = _plain_names([*schemas])
    refs = {where + old: where + new for old, new in names.items()}
    return {new: _refer_anew(schemas[old], refs) for old, new in sorted(names.items(), key=lambda item: item[1])}


class _Generator(GenerateJsonSchema):
    """pydantic's generator without what says nothing: titles made from names, and null as a default."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False

    def model_schema(self, schema: ModelSchema) -> JsonSchemaValue:
        result = super().model_schema(schema)
        del result["title"]
        if "description" in result:
            result["description"] = result["description"].replace("``", "`")
        return result

    def default_schema(self, schema: WithDefaultSchema) -> JsonSchemaValue:
        if self.mode == "serialization" or schema.get("default") is None:
            return self.generate_inner(schema["schema"])
        return super().default_schema(schema)

    def tagged_union_schema(self, schema: TaggedUnionSchema) -> JsonSchemaValue:
        """Leave out ``discriminator``: it is OpenAPI's, and the constants say the same."""
        result = super().tagged_union_schema(schema)
        result.pop("discriminator", None)
        return result


def _use_aliases(models: dict[str, Schema], aliases: dict[str, Schema], where: str) -> dict[str, Schema]:
    """Put a reference wherever a model repeats what has a name of its own."""
    if both := models.keys() & aliases.keys():
        raise ValueError(f"a model and a named type are both called {sorted(both)[0]}")
    names: dict[str, str] = {}
    for name, schema in aliases.items():
        if (twin := names.setdefault(repr(schema), name)) != name:
            raise ValueError(f"{twin} and {name} are the same type: give it one name")

    def replace(value: Any) -> Any:
        if isinstance(value, list):
            return [replace(one) for one in value]
        if not isinstance(value, dict):
            return value
        if value.keys() == {"allOf"}:  # what JudgedBy says, which is one type
            return replace(value["allOf"][0])
        kept = {key: value[key] for key in _ANNOTATIONS if key in value}
        bare = {key: one for key, one in value.items() if key not in kept}
        if name := names.get(repr(bare)):
            return {"$ref": where + name, **kept}
        return {key: replace(one) for key, one in value.items()}

    return {**{name: replace(schema) for name, schema in models.items()}, **aliases}


def _plain_names(names: list[str]) -> dict[str, str]:
    """Turn pydantic's names into ours; a name with its module in it is a collision."""
    plain = {name: name.removesuffix("-Output").replace("-Input", "Input") for name in names}
    for name, new in plain.items():
        if not new.isidentifier() or "__" in new or [*plain.values()].count(new) > 1:
            raise ValueError(f"two models would take one name, {name} is what is left for one: rename it")
    return plain


def _refer_anew(value: Any, refs: dict[str, str]) -> Any:
    if isinstance(value, list):
        return [_refer_anew(one, refs) for one in value]
    if isinstance(value, dict):
        return {key: refs[one] if key == "$ref" else _refer_anew(one, refs) for key, one in value.items()}
    return value
