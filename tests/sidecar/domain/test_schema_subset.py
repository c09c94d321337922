"""The gate: what a Tool's schema may say (PROTOCOL 10)."""

from __future__ import annotations

from typing import Any

import pytest

from rpc_schema import limits
from sidecar.domain.schema_subset import check_schema

KEYWORDS = "type, enum, description, properties, required, additionalProperties, items, maxItems, minLength, maxLength"
TYPES = "object, string, number, boolean, array"
CLOSED = {"type": "object", "additionalProperties": False}


def paths(schema: object) -> list[str]:
    return [fault.path for fault in check_schema(schema)]


def properties(**inner: Any) -> dict[str, Any]:
    return {**CLOSED, "properties": inner}


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string"},
        {"type": "string", "minLength": 0, "maxLength": 10, "description": "A name"},
        {"type": "string", "minLength": 2.0, "maxLength": 1e2},
        {"type": "string", "minLength": -0.0, "maxLength": 10**400},
        {"type": "string", "enum": ["", "a", "A", "$ref", "{name}", "{}", '"', "'\\\"", "\n", "\u2028", "%(a)s"]},
        {"type": "string", "description": ""},
        {"type": "string", "description": "x" * 1_024},
        {"type": "number", "minimum": -1.5, "maximum": 10**400},
        {"type": "number", "minimum": 1, "maximum": 1.0},
        {"type": "number", "enum": [0, 1, 1.5, -2, 9007199254740993, 9007199254740992]},
        {"type": "boolean", "enum": [True]},
        {"type": "boolean", "enum": [True, False]},
        {"type": "array"},
        {"type": "array", "items": {"type": "number"}, "maxItems": 0},
        {"type": "array", "enum": [[1], [True], [1, 2], [2, 1], [None]]},
        {"type": "object"},
        {
            "type": "object",
            "enum": [{"$ref": "http://127.0.0.1:9/x"}, {"$ref": "#"}, {"type": 7}, {"a": [{"b": None}]}],
        },
        {**CLOSED, "required": []},
        {**CLOSED, "properties": {}},
        properties(a={"type": "string"}, b={"type": "array", "items": properties(c={"type": "boolean"})}),
        {**properties(required={"type": "string"}, description={"type": "number"}), "required": ["required"]},
        {**properties(a={"type": "number"}), "enum": [{"a": 1}, {}]},
        {
            "type": "object",
            "properties": {name: {"type": "string"} for name in ("$ref", "$id", "id", "", "{0}", "a.b")},
        },
        {
            "type": "object",
            "properties": {"properties": {"type": "object", "properties": {"type": {"type": "string"}}}},
        },
    ],
)
def test_a_schema_of_the_subset_is_taken(schema: dict[str, Any]) -> None:
    assert check_schema(schema) == []


@pytest.mark.parametrize(
    "schema", [None, True, False, [], [{"type": "string"}], "string", "", 1, {"a"}, b"{}", float("nan"), {1: 2}]
)
def test_what_is_no_object_is_no_schema(schema: object) -> None:
    assert paths(schema) == [""]


@pytest.mark.parametrize(
    "value", [None, True, 1, "integer", "null", "any", "String", "", [], ["string"], {"type": "string"}, float]
)
def test_type_is_one_of_five_names(value: object) -> None:
    assert paths({"type": value}) == ["type" if value is not float else ""]


def test_a_schema_without_type_is_refused_wherever_it_stands() -> None:
    assert check_schema({}) == [("type", f"is required: one of {TYPES}")]
    assert paths({"enum": [1]}) == ["type"]
    assert paths({"minLength": 1}) == ["type"]
    assert paths({"type": "array", "items": {}}) == ["items.type"]
    assert paths(properties(a={}, b={"type": "string"}, c={})) == ["properties.a.type", "properties.c.type"]


@pytest.mark.parametrize(
    "keyword",
    [
        *("$ref", "$id", "$schema", "$defs", "id", "title", "default", "const", "format", "pattern", "anyOf", "not"),
        *("if", "nullable", "examples", "minItems", "uniqueItems", "exclusiveMinimum", "multipleOf"),
        *("patternProperties", "Type", "minlength", " type", "", "__proto__", "{variable}", "class"),
    ],
)
def test_any_other_keyword_is_refused_wherever_it_stands(keyword: str) -> None:
    inner = {"type": "string", keyword: {"type": "string"}}
    assert paths(inner) == [keyword]
    assert paths({"type": "array", "items": inner}) == [f"items.{keyword}"]
    assert paths(properties(a=inner)) == [f"properties.a.{keyword}"]
    assert KEYWORDS in check_schema(inner)[0].message


FITTING = {
    "properties": {"a": {"type": "string"}},
    "required": [],
    "additionalProperties": False,
    "items": {"type": "string"},
    "maxItems": 1,
    "minLength": 1,
    "maxLength": 1,
    "minimum": 1,
    "maximum": 1,
}
HOMES = {
    "object": {"properties", "required", "additionalProperties"},
    "string": {"minLength", "maxLength"},
    "number": {"minimum", "maximum"},
    "boolean": set(),
    "array": {"items", "maxItems"},
}


@pytest.mark.parametrize("type_", HOMES)
@pytest.mark.parametrize("keyword", FITTING)
def test_a_keyword_stands_only_beside_its_type(type_: str, keyword: str) -> None:
    expected = [] if keyword in HOMES[type_] else [(keyword, f"says nothing about type {type_}: remove it")]
    assert check_schema({"type": type_, keyword: FITTING[keyword]}) == expected


@pytest.mark.parametrize("keyword", ["minLength", "maxLength"])
@pytest.mark.parametrize("value", [None, True, "1", -1, -0.5, 1.5, 1e-9, [], {}])
def test_a_length_is_a_whole_number(keyword: str, value: object) -> None:
    assert check_schema({"type": "string", keyword: value}) == [(keyword, "must be a whole number, 0 or more")]


@pytest.mark.parametrize("value", [None, True, False, "1", [], {}])
def test_a_bound_is_a_number(value: object) -> None:
    assert check_schema({"type": "number", "minimum": value}) == [("minimum", "must be a number")]


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf"), 10**4_000, -(10**4_200)])
def test_a_number_is_finite_and_bounded(value: float) -> None:
    [fault] = check_schema({"type": "number", "maximum": value}, "input_schema")
    assert fault == ("input_schema", "must be JSON, its numbers finite and of at most 4000 digits")


@pytest.mark.parametrize("value", [True, None, 0, 0.0, "false", "", [], {}, {"type": "string"}])
def test_an_object_is_closed_with_the_literal_false(value: object) -> None:
    assert paths({"type": "object", "additionalProperties": value}) == ["additionalProperties"]


@pytest.mark.parametrize("value", [None, True, False, [], [{"type": "string"}], "string", 1])
def test_items_is_one_schema(value: object) -> None:
    assert check_schema({"type": "array", "items": value}) == [("items", "must be one schema")]


@pytest.mark.parametrize("value", [None, True, [], "a", 1])
def test_properties_is_an_object(value: object) -> None:
    assert check_schema({"type": "object", "properties": value}) == [("properties", "must be an object of schemas")]


@pytest.mark.parametrize("value", [None, True, [], "string", 1])
def test_a_property_is_a_schema(value: object) -> None:
    assert paths(properties(a=value)) == ["properties.a"]


@pytest.mark.parametrize("value", [None, True, "a", 1, {}, [1], [None], [["a"]], ["a", "a"]])
def test_required_is_a_list_of_different_names(value: object) -> None:
    assert paths({**properties(a={"type": "string"}), "required": value}) == ["required"]


def test_a_required_name_is_declared() -> None:
    schema = {**properties(a={"type": "string"}), "required": ["A", "a", "a "]}
    assert check_schema(schema) == [
        ("required.0", '"A" is not in properties'),
        ("required.2", '"a " is not in properties'),
    ]
    assert paths({"type": "object", "required": ["a"]}) == ["required.0"]


@pytest.mark.parametrize("value", [None, 5, [], "x" * 1_025])
def test_a_description_is_text_of_1024_characters(value: object) -> None:
    assert paths({"type": "string", "description": value}) == ["description"]


@pytest.mark.parametrize(
    ("schema", "path"),
    [
        ({"type": "string", "minLength": 3, "maxLength": 2}, "minLength"),
        ({"type": "number", "minimum": 0.2, "maximum": 0.1}, "minimum"),
        ({"type": "number", "minimum": 9007199254740993, "maximum": 9007199254740992}, "minimum"),
        ({"type": "number", "minimum": 9007199254740993, "maximum": 9007199254740992.0}, "minimum"),
        ({"type": "string", "enum": []}, "enum"),
        (properties(a={"type": "number", "minimum": 2, "maximum": 1}), "properties.a.minimum"),
    ],
)
def test_a_schema_that_nothing_fits_is_refused(schema: dict[str, Any], path: str) -> None:
    assert paths(schema) == [path]


@pytest.mark.parametrize(
    ("schema", "path"),
    [
        ({"type": "string", "enum": ["a", None]}, "enum.1"),
        ({"type": "string", "enum": ["abc", "a"], "minLength": 2}, "enum.1"),
        ({"type": "string", "enum": ["abc", "a"], "maxLength": 2}, "enum.0"),
        ({"type": "number", "enum": [5, 0], "minimum": 1}, "enum.1"),
        ({"type": "number", "enum": [5, 0], "maximum": 4}, "enum.0"),
        ({"type": "number", "enum": [True]}, "enum.0"),
        ({"type": "boolean", "enum": [False, 0]}, "enum.1"),
        ({"type": "array", "items": {"type": "string"}, "enum": [["a", 1]]}, "enum.0.1"),
        ({"type": "array", "maxItems": 1, "enum": [[1, 2]]}, "enum.0"),
        ({**properties(a={"type": "string"}), "required": ["a"], "enum": [{}]}, "enum.0.a"),
        ({**properties(a={"type": "string"}), "enum": [{"b": 1}]}, "enum.0.b"),
        ({**properties(a={"type": "string"}), "enum": [{"a": 1}]}, "enum.0.a"),
        (properties(a={"type": "array", "items": {"type": "boolean", "enum": [None]}}), "properties.a.items.enum.0"),
    ],
)
def test_a_listed_value_fits_the_rest_of_its_schema(schema: dict[str, Any], path: str) -> None:
    assert paths(schema) == [path]


@pytest.mark.parametrize("value", ["a", None, True, {"a": 1}, 1, ()])
def test_enum_is_a_list(value: object) -> None:
    assert len(check_schema({"type": "string", "enum": value})) == 1


@pytest.mark.parametrize(
    ("type_", "listed"),
    [
        ("number", [1, 2, 1.0]),
        ("number", [0, 1, -0.0]),
        ("number", [100, 0, 1e2]),
        ("boolean", [True, False, True]),
        ("string", ["a", "b", "a"]),
        ("array", [[1], [2], [1.0]]),
        ("array", [[[]], [True], [[]]]),
        ("object", [{"a": 1, "b": [2]}, {}, {"b": [2.0], "a": 1}]),
    ],
)
def test_equal_values_are_not_listed_twice(type_: str, listed: list[Any]) -> None:
    assert check_schema({"type": type_, "enum": listed}) == [("enum.2", "is listed twice")]


@pytest.mark.parametrize(
    "listed", [[[1], [True]], [[0], [False]], [[1, [1]], [1, [True]]], [["1"], [1]], [[None], [0]]]
)
def test_values_that_python_takes_for_equal_are_not(listed: list[Any]) -> None:
    assert check_schema({"type": "array", "enum": listed}) == []


def test_every_fault_is_listed_with_its_path() -> None:
    schema = {
        "type": "object",
        "title": "x",
        "additionalProperties": True,
        "properties": {
            "v": {"type": "string", "minLength": -1, "pattern": "a"},
            "w": {"type": "array", "items": {"type": "integer", "maximum": "1"}, "minimum": 1},
            "x": {"type": "number", "minimum": 2, "maximum": 1},
        },
    }
    assert [fault.path for fault in check_schema(schema, "tools.0.input_schema")] == [
        f"tools.0.input_schema.{path}"
        for path in (
            "title",
            "additionalProperties",
            "properties.v.minLength",
            "properties.v.pattern",
            "properties.w.minimum",
            "properties.w.items.type",
            "properties.w.items.maximum",
            "properties.x.minimum",
        )
    ]


def test_a_long_name_is_cut_in_the_path() -> None:
    [fault] = check_schema({"type": "string", "x" * 10_000: 1})
    assert fault.path == "x" * 64 + "…"


@pytest.mark.parametrize("wrap", [lambda s: {"type": "array", "items": s}, lambda s: properties(a=s)])
def test_nesting_is_bounded(wrap: Any) -> None:
    schema: Any = {"type": "string"}
    for _ in range(limits.MAX_SCHEMA_DEPTH - 1):
        schema = wrap(schema)
    assert check_schema(schema) == []
    [fault] = check_schema(wrap(schema))
    assert fault.message == "must be nested at most 16 schemas deep"
    assert fault.path.count(".") >= 15
    for _ in range(5_000):
        schema = wrap(schema)
    assert check_schema(schema) == [("", "must be nested at most 16 schemas deep")]


def test_a_schema_that_holds_itself_is_refused() -> None:
    schema: dict[str, Any] = {"type": "array"}
    schema["items"] = schema
    assert check_schema(schema) == [("", "must be nested at most 16 schemas deep")]


def test_a_listed_value_may_be_deep_but_not_endless() -> None:
    def listed(depth: int) -> dict[str, Any]:
        value: list[Any] = []
        for _ in range(depth - 1):
            value = [value]
        return {"type": "array", "enum": [value]}

    assert check_schema(listed(limits.MAX_SCHEMA_DEPTH)) == []
    assert check_schema(listed(500)) == [("", "must be nested at most 16 schemas deep")]


def test_properties_are_counted_over_the_whole_schema() -> None:
    def spread(count: int) -> dict[str, Any]:
        leaf = {"type": "string"}
        half = {f"p{n}": leaf for n in range(count - 130)}
        return properties(**half, inner={"type": "array", "items": properties(**{f"p{n}": leaf for n in range(129)})})

    assert check_schema(spread(256)) == []
    assert check_schema(spread(257), "s") == [("s", "must declare at most 256 properties in all")]


def test_listed_values_are_counted_over_the_whole_schema() -> None:
    def spread(count: int) -> dict[str, Any]:
        return properties(
            a={"type": "number", "enum": list(range(600))}, b={"type": "number", "enum": list(range(count - 600))}
        )

    assert check_schema(spread(1_000)) == []
    assert check_schema(spread(1_001), "s") == [("s", "must list at most 1000 enum values in all")]


@pytest.mark.parametrize(
    "grow",
    [
        lambda size: {"type": "string", "enum": ["x" * (size - len('{"type":"string","enum":[""]}'))]},
        lambda size: properties(
            **{
                "x"
                * (size - len(b'{"type":"object","additionalProperties":false,"properties":{"":{"type":"string"}}}')): {
                    "type": "string"
                }
            }
        ),
        lambda size: {"type": "string", "enum": ["é" * ((size - len('{"type":"string","enum":[""]}')) // 2)]},
    ],
)
def test_the_text_is_bounded_in_bytes_of_compact_json(grow: Any) -> None:
    assert check_schema(grow(limits.MAX_SCHEMA_TEXT)) == []
    assert check_schema(grow(limits.MAX_SCHEMA_TEXT + 2)) == [("", "must be at most 65536 bytes of compact JSON")]


def test_a_schema_far_too_large_is_refused_without_being_walked() -> None:
    schema = {"type": "object", "properties": {f"p{n}": {"type": "nonsense"} for n in range(100_000)}}
    assert check_schema(schema) == [("", "must be at most 65536 bytes of compact JSON")]


@pytest.mark.parametrize(
    "schema", [{"type": "string", "enum": ["\ud800"]}, {"type": "object", "properties": {"\udfff": 1}}]
)
def test_a_lone_surrogate_is_refused(schema: dict[str, Any]) -> None:
    assert check_schema(schema) == [("", "must be Unicode text: a surrogate has no partner")]
