"""Validating inputs and results of Tools: verdicts, places, messages."""

from __future__ import annotations

import json
import socket
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rpc_schema import limits
from sidecar.domain.tool_schema import Fault, SchemaError, check_schema, compile_schema
from sidecar.domain.tool_schema_value import find_faults, identity

CLOSED = {"type": "object", "additionalProperties": False}
AWKWARD = [
    "$ref",
    "$id",
    "$schema",
    "pattern",
    "description",
    "__proto__",
    "constructor",
    "toString",
    "",
    " ",
    ".",
    "a.b",
]
AWKWARD += ["{}", "{0}", "{variable}", "{name}", "{data.__class__}", "}}", "%s", "%(a)s", "'", '"', "\\", '\\"', "'''"]
AWKWARD += [
    '"""',
    "\n",
    "\r\n",
    "\t",
    "\x00",
    "\x0c",
    "\x7f",
    "\u2028",
    "\u202e",
    "é",
    "e\u0301",
    "😀",
    "~0~1",
    "#",
    "$",
]
AWKWARD += ["'+str(1/0)+'", '"+str(1/0)+"', "\n    raise SystemExit", "\\x41", "\\N{BULLET}", "None", "data", "keys"]
AWKWARD += [
    "data_keys",
    "missing_keys",
    "_keys",
    "is_dict",
    "custom_formats",
    "name_prefix",
    "isinstance",
    "a-b",
    "ab",
    "-1",
]


def fits(schema: dict[str, Any], value: object) -> bool:
    return compile_schema(schema).faults(value) == []


def faults(schema: dict[str, Any], value: object) -> list[Fault]:
    return compile_schema(schema).faults(value)


VALUES: list[tuple[str, Any]] = [
    ("object", {}),
    ("string", ""),
    ("string", "1"),
    ("number", 0),
    ("number", 1.5),
    ("number", 10**309),
    ("number", -0.0),
    ("boolean", True),
    ("boolean", False),
    ("array", []),
    ("array", [None]),
    ("none", None),
]


@pytest.mark.parametrize("type_", ["object", "string", "number", "boolean", "array"])
@pytest.mark.parametrize(("kind", "value"), VALUES)
def test_a_value_is_of_one_type_and_never_turned_into_another(type_: str, kind: str, value: object) -> None:
    assert fits({"type": type_}, value) == (type_ == kind)


@pytest.mark.parametrize(
    ("bounds", "value", "expected"),
    [
        ({"minimum": 1}, 1, True),
        ({"minimum": 1}, 0.999, False),
        ({"maximum": 1}, 1.0, True),
        ({"maximum": 1}, 2, False),
        ({"minimum": 0, "maximum": 0}, -0.0, True),
        ({"maximum": 9007199254740992}, 9007199254740993, False),
        ({"maximum": 9007199254740992.0}, 9007199254740993, False),
        ({"minimum": -9007199254740992}, -9007199254740993, False),
        ({"maximum": 1e308}, 10**308, True),
        ({"maximum": 1e308}, 10**309, False),
        ({"minimum": 10**400}, 10**400, True),
        ({"minimum": 10**400}, 1e308, False),
        ({"enum": [9007199254740993]}, 9007199254740992, False),
        ({"enum": [100]}, 100.0, True),
        ({"enum": [0]}, -0.0, True),
        ({"enum": [1]}, True, False),
    ],
)
def test_numbers_are_compared_exactly(bounds: dict[str, Any], value: float, expected: bool) -> None:
    assert fits({"type": "number", **bounds}, value) == expected


@pytest.mark.parametrize(
    ("text", "length"),
    [("", 0), ("abc", 3), ("é", 1), ("e\u0301", 2), ("😀", 1), ("👩‍👩‍👧", 5), ("\x00", 1), (" \n", 2)],
)
def test_lengths_count_code_points(text: str, length: int) -> None:
    assert fits({"type": "string", "minLength": length, "maxLength": float(length)}, text)
    assert not fits({"type": "string", "minLength": length + 1}, text)
    assert length == 0 or not fits({"type": "string", "maxLength": length - 1}, text)


@pytest.mark.parametrize(
    ("listed", "value", "expected"),
    [
        ([1], [1.0], True),
        ([1], [True], False),
        ([True], [1], False),
        ([0, [False]], [0, [0]], False),
        ([{"a": 1, "b": None}], [{"b": None, "a": 1.0}], True),
        ([{"a": 1}], [{"a": 1, "b": None}], False),
        ([{}], [{}], True),
        ([{}], [[]], False),
        ([[]], [{}], False),
        ([None], [False], False),
        ([1, 2], [2, 1], False),
        ([{"$ref": "#/nowhere"}], [{"$ref": "#/nowhere"}], True),
        (["{x}"], ["{x}"], True),
        (["{{x}}"], ["{x}"], False),
    ],
)
def test_listed_values_are_compared_as_json(listed: list[Any], value: list[Any], expected: bool) -> None:
    assert fits({"type": "array", "enum": [listed]}, value) == expected


@pytest.mark.parametrize("name", AWKWARD)
def test_any_name_is_a_property_and_any_text_a_listed_value(name: str) -> None:
    inner = {"type": "string", "enum": [name, name + "!"]}
    schema = {**CLOSED, "properties": {name: inner, "z": {**CLOSED, "properties": {name: inner}}}, "required": [name]}
    assert fits(schema, {name: name, "z": {name: name + "!"}})
    assert faults(schema, {"z": {}}) == [(name, "is required")]
    assert faults(schema, {name: "?"}) == [(name, "must be one of the values that the schema lists")]
    assert faults(schema, {name: name, name + "?": 1}) == [(name + "?", "is not a declared property")]
    assert [fault.path for fault in faults(schema, {name: name, "z": {name: 1}})] == [f"z.{name}"]
    rows = {
        "type": "array",
        "items": {"type": "array", "items": {**schema, "enum": [{name: name}, {name: name + "!"}]}},
    }
    assert fits(rows, [[], [{name: name}, {name: name + "!"}]])
    assert faults(rows, [[{name: name, "z": {}}]]) == [("0.0", "must be one of the values that the schema lists")]
    assert [fault.path for fault in faults(rows, [[], [{name: 1}]])] == ["1.0", f"1.0.{name}"]


def test_all_awkward_names_live_side_by_side() -> None:
    schema = {
        **CLOSED,
        "properties": {name: {"type": "number", "minimum": n} for n, name in enumerate(AWKWARD)},
        "required": AWKWARD,
    }
    value = {name: n for n, name in enumerate(AWKWARD)}
    assert fits(schema, value)
    for n, name in enumerate(AWKWARD):
        assert [fault.path for fault in faults(schema, {**value, name: n - 1})] == [name]
        assert [
            fault.path for fault in faults(schema, {other: value[other] for other in AWKWARD if other != name})
        ] == [name]


def test_what_is_null_is_there() -> None:
    schema = {**CLOSED, "properties": {"a": {"type": "string"}}, "required": ["a"]}
    assert faults(schema, {"a": None}) == [("a", "must be text")]
    assert faults(schema, {}) == [("a", "is required")]


def test_an_open_object_takes_what_it_does_not_declare() -> None:
    assert fits({"type": "object", "properties": {"a": {"type": "string"}}}, {"b": 1})
    assert fits({"type": "object"}, {"b": [None]})
    assert fits({"type": "array"}, [None, 1, {}])


def test_every_place_is_named() -> None:
    schema = {
        **CLOSED,
        "required": ["name", "gone"],
        "properties": {
            "name": {"type": "string", "minLength": 2, "maxLength": 3},
            "gone": {"type": "boolean"},
            "rows": {
                "type": "array",
                "maxItems": 2,
                "items": {**CLOSED, "properties": {"n": {"type": "number", "minimum": 0, "maximum": 9}}},
            },
        },
    }
    value = {"name": "a", "extra": 1, "rows": [{"n": -1}, {"n": 10}, {"n": "1", "m": 1}]}
    assert faults(schema, value) == [
        ("gone", "is required"),
        ("extra", "is not a declared property"),
        ("name", "must have at least 2 characters"),
        ("rows", "must have at most 2 items"),
        ("rows.0.n", "must be at least 0"),
        ("rows.1.n", "must be at most 9"),
        ("rows.2.m", "is not a declared property"),
        ("rows.2.n", "must be a number"),
    ]
    assert faults(schema, {**value, "name": "abcd"})[2] == ("name", "must have at most 3 characters")
    assert faults(schema, []) == [("", "must be an object")]


def test_an_error_stays_short_and_repeats_no_value() -> None:
    schema = {
        **CLOSED,
        "properties": {"a": {"type": "string", "maxLength": 5}, "n": {"type": "number", "maximum": 10**300}},
    }
    secret = "s3cret" * 200_000
    for value in (
        {"a": secret},
        {secret: 1},
        {f"k{n}": secret for n in range(1_000)},
        {"n": 10**3_000},
        secret,
        [secret],
    ):
        found = faults(schema, value)
        assert 1 <= len(found) <= limits.MAX_ERRORS
        assert all(len(fault.message) < 120 and len(fault.path) < 70 for fault in found)
        assert not any("s3cret" in fault.message for fault in found)


def test_a_value_of_any_depth_is_an_ordinary_fault() -> None:
    deep: Any = 1
    for _ in range(100_000):
        deep = [deep]
    assert faults({"type": "array", "items": {"type": "string"}}, deep) == [("0", "must be text")]
    assert faults({"type": "array", "enum": [[1]]}, deep) == [("", "must be nested at most 64 levels deep")]
    while isinstance(deep, list):
        deep = deep.pop()


@pytest.mark.parametrize(
    "wrap", [lambda s: {"type": "array", "items": s}, lambda s: {**CLOSED, "properties": {"a": s}}]
)
def test_the_deepest_schema_compiles(wrap: Any) -> None:
    schema: Any = {"type": "string", "enum": ["x"]}
    value: Any = "x"
    for _ in range(limits.MAX_SCHEMA_DEPTH - 1):
        schema = wrap(schema)
        value = [value] if schema["type"] == "array" else {"a": value}
    assert fits(schema, value)
    assert not fits(schema, [] if isinstance(value, dict) else {})


def test_the_widest_schema_compiles() -> None:
    names = [f"p{n}" for n in range(limits.MAX_SCHEMA_PROPERTIES)]
    wide = {**CLOSED, "properties": {name: {"type": "number"} for name in names}, "required": names}
    assert fits(wide, dict.fromkeys(names, 1))
    assert faults(wide, dict.fromkeys(names[1:], 1)) == [("p0", "is required")]
    listed = {"type": "number", "enum": list(range(limits.MAX_SCHEMA_ENUM))}
    assert fits(listed, 999)
    assert not fits(listed, 1_000)


def test_a_description_takes_no_part() -> None:
    schema = {
        "type": "object",
        "description": "{name} {0} \" '",
        "properties": {
            "description": {"type": "string", "description": "$ref"},
            "l": {"type": "array", "items": {"type": "number", "description": "a number"}},
        },
        "required": ["description"],
    }
    assert fits(schema, {"description": "x", "l": [1]})
    assert not fits(schema, {})
    assert not fits(schema, {"description": 1})


def test_the_same_content_is_compiled_once() -> None:
    assert compile_schema({"type": "string", "maxLength": 7}) is compile_schema({"type": "string", "maxLength": 7})
    one, true = {"type": "array", "enum": [[1]]}, {"type": "array", "enum": [[True]]}
    assert one == true
    assert compile_schema(one) is not compile_schema(true)


def test_what_the_caller_changes_later_changes_no_validator() -> None:
    schema = {"type": "string", "maxLength": 3}
    validator = compile_schema(schema)
    schema["maxLength"] = 1
    assert validator.faults("abc") == []


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string", "$ref": "http://127.0.0.1:9/x"},
        {"type": "object", "properties": {"a": {"$ref": "file:///nowhere"}}},
        {"type": "integer"},
        {"type": "number", "maximum": float("nan")},
        {"type": "number", "maximum": 10**4_200},
        {"type": "string", "enum": [b"x"]},
        {"type": "string", "enum": ["\ud800"]},
    ],
)
def test_nothing_outside_the_subset_is_compiled(schema: dict[str, Any]) -> None:
    with pytest.raises(SchemaError) as caught:
        compile_schema(schema)
    assert caught.value.faults == check_schema(schema)


def test_nothing_is_fetched_for_a_reference_that_is_data() -> None:
    with socket.create_server(("127.0.0.1", 0)) as canary:
        canary.setblocking(False)
        address = f"http://127.0.0.1:{canary.getsockname()[1]}/x"
        listed = [{"$ref": address}, {"$ref": "file:///nowhere"}, {"a": [{"$ref": address}]}]
        schema = {"type": "object", "enum": listed}
        assert all(fits(schema, value) for value in listed)
        assert not fits(schema, {"$ref": "#"})
        with pytest.raises(BlockingIOError):
            canary.accept()


# -- the compiled verdict and the walk that explains it agree

NAMES = st.sampled_from(["a", "b", "a-b", "", "{x}", "$ref", "keys"])
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.sampled_from([0.5, -0.0, 1.0, 10**309]),
    st.sampled_from(["", "a", "ab😀"]),
)
JSON = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3), max_leaves=6
)


@st.composite
def schemas(draw: st.DrawFn, depth: int = 3) -> dict[str, Any]:
    type_ = draw(st.sampled_from(["object", "string", "number", "boolean", "array"] if depth else ["string", "number"]))
    schema: dict[str, Any] = {"type": type_}
    if type_ == "object":
        schema["properties"] = draw(st.dictionaries(NAMES, schemas(depth - 1), max_size=3))
        schema["required"] = [name for name in schema["properties"] if draw(st.booleans())]
        if draw(st.booleans()):
            schema["additionalProperties"] = False
    elif type_ == "array" and draw(st.booleans()):
        schema["items"] = draw(schemas(depth - 1))
    optional = {"string": ["minLength", "maxLength"], "number": ["minimum", "maximum"], "array": ["maxItems"]}
    for keyword in optional.get(type_, []):
        if draw(st.booleans()):
            schema[keyword] = draw(st.integers(0, 2) | st.sampled_from([1.0, 2.0]))
    if draw(st.booleans()):
        drawn = [*draw(st.lists(JSON, max_size=6)), "", "a", 0, 1, True, [], [1], {}]
        fitting = {identity(value): value for value in drawn if not any(find_faults(schema, value))}
        if fitting:
            schema["enum"] = list(fitting.values())
    return schema


@settings(max_examples=150, deadline=None)
@given(schema=schemas(), values=st.lists(JSON, min_size=1, max_size=8))
def test_the_walk_finds_a_fault_exactly_where_the_compiled_schema_does(
    schema: dict[str, Any], values: list[Any]
) -> None:
    assume(not check_schema(schema))
    validator = compile_schema(schema)
    for value in [*values, *schema.get("enum", [])]:
        before = json.dumps(value)
        found = validator.faults(value)
        assert found == list(find_faults(schema, value))[: limits.MAX_ERRORS]
        assert json.dumps(value) == before
