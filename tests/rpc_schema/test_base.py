"""The types that the whole contract is made of (PROTOCOL 1)."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

import pytest
from pydantic import TypeAdapter, ValidationError

from rpc_schema import limits
from rpc_schema.base import (
    AppScope,
    Count,
    Gone,
    Id,
    JudgedBy,
    Maybe,
    Number,
    SemVer,
    TextOrNumber,
    Timestamp,
    Token,
    Whole,
    Wire,
    exactly,
)

One = Annotated[Literal[1], exactly(int)]
Yes = Annotated[Literal[True], exactly(bool)]
DIGIT = "\N{ARABIC-INDIC DIGIT ONE}"
BEYOND = limits.MAX_INTEGER + 1


class Optional(Wire):
    """Absent, gone or there."""

    text: Maybe[str] = None
    thing: Maybe[str | Gone] = None


class Judged(Wire):
    """Something that a service judges."""

    thing: Annotated[Any, JudgedBy(Optional)]


def is_read(type_: Any, text: str) -> bool:
    try:
        TypeAdapter(type_).validate_json(text, strict=True)
    except ValidationError:
        return False
    return True


FITTING: list[tuple[Any, list[Any]]] = [
    (Id, ["x", "x" * 128, "汉" * 128, " ", "\n"]),
    (AppScope, ["a", "task-dashboard", "a" * 64, "a--1"]),
    (SemVer, ["0.0.0", "1.20.300", "1.0.0-rc.1", "1.0.0-0a.-", "1.0.0+001.b", "1.0.0-a+b"]),
    (Timestamp, ["2026-08-05T10:00:00.000Z"]),
    (Token, ["", "x", "x" * 100_000]),
    (Count, [0, limits.MAX_INTEGER]),
    (Whole, [-limits.MAX_INTEGER, 0, limits.MAX_INTEGER]),
    (Number, [0, -1, 1.5, 10**300, -1.7976931348623157e308]),
    (TextOrNumber, ["", "x", 1, 1.5]),
    (One, [1]),
    (Yes, [True]),
]
UNFITTING: list[tuple[Any, list[Any]]] = [
    (Id, ["", "x" * 129, 1, None]),
    (AppScope, ["", "A", "1a", "-a", "a_b", "a" * 65, "a\n", "a.b", "é"]),
    (SemVer, ["1", "1.0", "01.0.0", "1.0.0-", "1.0.0-01", "1.0.0+", "v1.0.0", "1.0.0\n", "1.0.0-" + "a" * 128]),
    (SemVer, [f"1.0.{DIGIT}", f"1{DIGIT}.0.0", f"1.0.0-{DIGIT}a"]),
    (Timestamp, ["", "2026-08-05T10:00:00Z", "2026-08-05 10:00:00.000Z", f"202{DIGIT}-08-05T10:00:00.000Z"]),
    (Token, [1, None, []]),
    (Count, [-1, BEYOND, 1.0, True, "1"]),
    (Whole, [-BEYOND, BEYOND, 1.0, False]),
    (Number, [True, "1", None, 10**309, -(10**309)]),
    (TextOrNumber, [True, None, [], 10**309]),
    (One, [True, 1.0, "1", 2]),
    (Yes, [1, 1.0, "true", False]),
]


@pytest.mark.parametrize(("type_", "values"), FITTING)
def test_what_fits_is_read(type_: Any, values: list[Any]) -> None:
    assert [value for value in values if not is_read(type_, json.dumps(value))] == []


@pytest.mark.parametrize(("type_", "values"), UNFITTING)
def test_what_does_not_fit_is_refused(type_: Any, values: list[Any]) -> None:
    assert [value for value in values if is_read(type_, json.dumps(value))] == []


@pytest.mark.parametrize("text", ["NaN", "Infinity", "-Infinity", "1e400"])
def test_a_number_is_finite(text: str) -> None:
    assert not is_read(Number, text)


def test_a_value_that_fits_no_member_is_one_fault_at_its_own_path() -> None:
    with pytest.raises(ValidationError) as caught:
        TypeAdapter(dict[str, TextOrNumber]).validate_json('{"a": true}', strict=True)
    (fault,) = caught.value.errors()
    assert (fault["loc"], fault["msg"]) == (("a",), "Input should be text or a finite number")


def test_an_absent_field_is_not_null() -> None:
    assert Optional.model_validate_json("{}") == Optional()
    assert Optional().model_dump() == {}
    assert not is_read(Optional, '{"text": null}')
    with pytest.raises(ValidationError):
        Optional.model_validate({"text": None})


def test_a_model_is_made_of_the_fields_that_there_are() -> None:
    assert Optional.having(text=None, thing="x").model_dump() == {"thing": "x"}
    assert Optional.having(text="", thing=Gone()).model_dump() == {"text": "", "thing": None}


def test_what_is_gone_is_null_and_not_absent() -> None:
    gone = Optional.model_validate_json('{"thing": null}')
    assert gone == Optional(thing=Gone())
    assert gone.model_dump_json() == '{"thing":null}'


@pytest.mark.parametrize("value", [None, 1, "x", {"unknown": 1}])
def test_what_a_service_judges_is_not_judged_here(value: Any) -> None:
    assert Judged.model_validate_json(json.dumps({"thing": value})).thing == value
    assert not is_read(Judged, "{}")


def test_what_a_service_judges_is_described() -> None:
    schema = Judged.model_json_schema()
    assert schema["properties"]["thing"]["allOf"] == [{"$ref": "#/$defs/Optional"}]
    assert "Optional" in schema["$defs"]


def test_objects_do_not_change() -> None:
    with pytest.raises(ValidationError):
        Optional(text="x").__setattr__("text", "y")
