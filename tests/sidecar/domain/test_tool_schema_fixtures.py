"""The shared schema cases, where they are at hand: beside the repository, or where LINEUP_SHARED points to."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from rpc_schema import limits
from rpc_schema.json_text import JsonTextError, read_json
from sidecar.domain.tool_schema import check_schema, compile_schema

NAMED = os.environ.get("LINEUP_SHARED")
FOLDER = Path(NAMED) if NAMED else Path(__file__).parents[4] / "shared" / "fixtures"
AT_HAND = bool(NAMED) or FOLDER.is_dir()


def load(name: str) -> list[Any]:
    return [pytest.param(case, id=case["id"]) for case in json.loads((FOLDER / name).read_text("utf-8"))]


def compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


def wide(count: int, leaf: str) -> str:
    members = ",".join(f'"p{index}":{leaf}' for index in range(count))
    return '{"type":"object","additionalProperties":false,"properties":{' + members + "}}"


def nest(opening: str, inner: str, closing: str, depth: int) -> str:
    return opening * depth + inner + closing * depth


def tree(depth: int, width: int, leaf: str) -> str:
    return leaf if depth == 0 else wide(width, tree(depth - 1, width, leaf))


def closed(name: str) -> str:
    return '{"type":"object","additionalProperties":false,"properties":{' + compact(name) + ":"


EXPANSIONS = {
    "nested_array": lambda g, n, leaf: nest("[", leaf, "]", n),
    "nested_object": lambda g, n, leaf: nest("{" + compact(g["key"]) + ":", leaf or "{}", "}", n),
    "long_string": lambda g, n, leaf: '"' + compact(g["unit"])[1:-1] * n + '"',
    "long_array": lambda g, n, leaf: "[" + ",".join([compact(g["item"])] * n) + "]",
    "many_keys": lambda g, n, leaf: "{" + ",".join(f'"{g["prefix"]}{i}":{compact(g["value"])}' for i in range(n)) + "}",
    "many_digits": lambda g, n, leaf: g["digit"] * n,
    "array_schemas": lambda g, n, leaf: nest('{"type":"array","items":', leaf, "}", n),
    "object_schemas": lambda g, n, leaf: nest(closed(g["key"]), leaf, "}}", n),
    "wide_schema": lambda g, n, leaf: wide(n, leaf),
    "tree_schema": lambda g, n, leaf: tree(n, g["width"], leaf),
    "many_required_schema": lambda g, n, leaf: (
        wide(n, '{"type":"string"}')[:-1] + ',"required":' + compact([f"p{i}" for i in range(n)]) + "}"
    ),
    "wide_enum_schema": lambda g, n, leaf: '{"type":"string","enum":' + compact([f"v{i}" for i in range(n)]) + "}",
    "deep_enum_schema": lambda g, n, leaf: (
        '{"type":"array","items":{"type":"array"},"enum":[' + nest("[", "", "]", n) + "]}"
    ),
    "long_enum_schema": lambda g, n, leaf: '{"type":"string","enum":["' + "x" * n + '"]}',
    "long_name_schema": lambda g, n, leaf: closed("n" * n) + '{"type":"string"}}}',
    "padded_schema": lambda g, n, leaf: '{"type":"string"' + " " * n + "}",
    "digits_bound_schema": lambda g, n, leaf: '{"type":"number","' + g["keyword"] + '":' + "9" * n + "}",
}
"""A few texts are too long to be written out; each is described by its kind, and made here."""


def expand(described: dict[str, Any]) -> str:
    count = described.get("count", described.get("depth"))
    leaf = compact(described["leaf"]) if "leaf" in described else ""
    return EXPANSIONS[described["kind"]](described, count, leaf)


def text_of(case: dict[str, Any], plain: str, raw: str, described: str) -> bytes:
    if raw in case:
        return case[raw].encode("utf-8", "surrogatepass")
    return (compact(case[plain]) if plain in case else expand(case[described])).encode()


def schema_text(case: dict[str, Any]) -> bytes:
    return text_of(case, "schema", "schema_text", "schema_generate")


def registers(text: bytes) -> bool:
    if len(text) > limits.MAX_MANIFEST:
        return False
    try:
        schema = read_json(text)
    except JsonTextError:
        return False
    faults = check_schema(schema)
    assert all(len(fault.message) <= limits.MAX_ERROR_TEXT for fault in faults)
    if not faults:
        compile_schema(schema).faults(None)
    return not faults


if AT_HAND:

    @pytest.mark.parametrize("case", load("schema_registration.json"))
    def test_a_schema_is_taken_or_refused(case: dict[str, Any]) -> None:
        assert registers(schema_text(case)) == case["accept"], case["why"]

    @pytest.mark.parametrize("case", load("schema_values.json"))
    def test_a_value_fits_or_fails(case: dict[str, Any]) -> None:
        if "typeless" in case.get("choice", []):
            assert not registers(schema_text(case))
            return
        validator = compile_schema(read_json(schema_text(case)))
        text = text_of(case, "value", "raw_text", "generate")
        try:
            value = read_json(text)
        except JsonTextError:
            assert not case["valid"], case["note"]
            return
        assert case.get("refused_at") != "decode", case["note"]
        faults = validator.faults(value)
        assert (not faults) == case["valid"], case["note"]
        assert len(faults) <= limits.MAX_ERRORS
        assert all(len(fault.message) <= limits.MAX_ERROR_TEXT for fault in faults)
        assert all(fault.message != "must fit the schema" for fault in faults), "the walk found nothing to name"

    def test_every_case_was_read() -> None:
        assert len(load("schema_registration.json")) >= 726
        assert len(load("schema_values.json")) >= 1_202
