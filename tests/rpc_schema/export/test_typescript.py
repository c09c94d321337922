"""The TypeScript is exact, and no text can break out of its place in it.

``golden/verdicts.ts`` holds values with the verdict of the models: where a model refuses, ``@ts-expect-error`` stands.
The compiler is run on it by ``scripts/typescript``. Run this file as a program to write it anew.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from rpc_schema import errors
from rpc_schema.base import Empty, Gone, JsonObject, Maybe, TextOrNumber, Wire
from rpc_schema.envelopes import AGENT_ENVELOPES, RUNTIME_ENVELOPES
from rpc_schema.export.json_schema import define
from rpc_schema.export.typescript import declare, write_typescript
from rpc_schema.export.vocabulary import NAMED, READ, SENT
from rpc_schema.inbox import INBOX_PAYLOADS
from rpc_schema.limits import WIRE_LIMITS
from rpc_schema.methods import METHODS
from rpc_schema.notifications import NOTIFICATIONS

GOLDEN = Path(__file__).parent / "golden" / "verdicts.ts"
TEXT = write_typescript()


class Four(Wire):
    """What may be absent and what may be null."""

    a: str
    b: str | None
    c: Maybe[str] = None
    d: Maybe[str | Gone] = None


class Chat(Wire):
    """What has a default may be left out when it is read, and is there when it is sent."""

    kind: Literal["chat"] = "chat"
    n: Annotated[int, Field(ge=1, le=9)] = 3


class Hostile(Wire):
    """x */ export const pwn = 1; /*
    // next line ` ${1}   @deprecated */"""

    model_config = ConfigDict(validate_by_alias=True)

    dash: str = Field(alias="a-b")
    quote: Literal["*/", 'a"b', "`${1}", "\\", "\u2028"] = Field(alias='a"b')
    digit: int = Field(alias="1x")
    line: int = Field(alias="a\nb")
    word: int = Field(alias="class")
    wide: int = Field(alias="名")


class Open(Wire):
    """More fields may come."""

    model_config = ConfigDict(extra="allow")

    n: int
    chat: Maybe[Chat] = None


class InputForm(Wire):
    """A member of a tagged union."""

    tag: Literal["input-form"] = Field(alias="$type")
    values: dict[str, TextOrNumber]


class Notice(Wire):
    """Another."""

    tag: Literal["notice"] = Field(alias="$type")
    rows: list[bool | None]


class Places(Wire):
    """Values of any shape, in places of every kind."""

    free: Any
    more: JsonObject
    nothing: Empty


Tagged = Annotated[InputForm | Notice, Field(discriminator="tag")]
FOUR = {"a": "x", "b": "x", "c": "x", "d": "x"}
HOSTILE = {"a-b": "x", 'a"b': "*/", "1x": 1, "a\nb": 1, "class": 1, "名": 1}

VALUES: dict[str, tuple[Any, list[Any]]] = {
    "Four": (
        Four,
        [
            FOUR,
            *({**FOUR, field: None} for field in FOUR),
            *({other: FOUR[other] for other in FOUR if other != field} for field in FOUR),
            {**FOUR, "e": "x"},
        ],
    ),
    "ChatInput": (Chat, [{}, {"kind": "chat"}, {"n": 4}, {"n": None}, {"n": "4"}, {"n": True}, {"kind": "talk"}]),
    "Hostile": (Hostile, [HOSTILE, {**HOSTILE, 'a"b': "\u2028"}, {**HOSTILE, 'a"b': "x"}, {**HOSTILE, "pwn": 1}]),
    "OpenInput": (Open, [{"n": 1}, {"n": 1, "chat": {}, "m": [None]}, {"n": "1"}, {"n": 1, "chat": None}, {"m": 1}]),
    "Tagged": (
        Tagged,
        [
            {"$type": "input-form", "values": {"a": "x", "b": 1.5}},
            {"$type": "input-form", "values": {"a": True}},
            {"$type": "input_form", "values": {}},
            {"$type": "notice", "values": {}},
            {"$type": "notice", "rows": [True, None]},
            {"$type": "notice", "rows": [1]},
            {"values": {}},
        ],
    ),
    "Places": (
        Places,
        [
            {"free": [1, {"a": None}], "more": {"a": [True]}, "nothing": {}},
            {"free": None, "more": {}, "nothing": {}},
            {"free": 1, "more": [], "nothing": {}},
            {"free": 1, "more": {}, "nothing": {"a": 1}},
            {"free": 1, "more": {}, "nothing": None},
            {"more": {}, "nothing": {}},
        ],
    ),
}
"""Models by the name of their type, and values for each."""


def write_verdicts() -> str:
    definitions = define([Four, Chat, Hostile, Open, Places], [Chat, Open], {"Tagged": Tagged}, where="")
    text = "// Values, and what the models say of them. Written by tests/rpc_schema/export/test_typescript.py.\n"
    text += 'import type { JsonObject, JsonValue } from "../../../../rpc_schema/generated/lineup";\n\n'
    text += declare(definitions) + "\n"
    for name, (model, values) in VALUES.items():
        for number, value in enumerate(values):
            try:
                TypeAdapter(model).validate_json(json.dumps(value))
            except ValidationError:
                text += "// @ts-expect-error\n"
            text += f"export const {name.lower()}{number}: {name} = {json.dumps(value)};\n"
    text += "\n// As sent, nothing is left out.\n// @ts-expect-error\nexport const sent: Chat = {};\n"
    return text


def test_the_verdicts_that_the_compiler_checks_are_those_of_the_models() -> None:
    assert GOLDEN.read_text(encoding="utf-8") == write_verdicts()


def test_every_definition_is_a_type() -> None:
    for name in define(READ, SENT, NAMED):
        assert TEXT.count(f"export type {name} = ") == 1


def test_the_maps_name_every_method_notification_and_payload_once() -> None:
    for name, method in METHODS.items():
        result = method.result.__name__ if method.result else "null"
        entry = f'  "{name}": {{ params: {method.params.__name__}; result: {result}; refusals: '
        assert TEXT.count(entry) == (0 if method.notification else 1)
    entries = {name: notification.params for name, notification in NOTIFICATIONS.items()}
    for models in (entries, AGENT_ENVELOPES, RUNTIME_ENVELOPES, INBOX_PAYLOADS):
        for name, model in models.items():
            assert TEXT.count(f'  "{name}": {model.__name__};\n') == 1
    assert '  "exit": Empty;\n' in TEXT


def test_the_constants_are_those_of_the_contract() -> None:
    for code, text in errors.REFUSALS.items():
        assert f'  "{code}": {json.dumps(text)}' in TEXT
    for name, limit in WIRE_LIMITS.items():
        assert f'  "{name}": {limit}' in TEXT
    assert '"Refused": 1000' in TEXT
    assert "{ code: 1000; message: string; data: RefusalData }" in TEXT
    assert "export const PROTOCOL_VERSION" in TEXT


@pytest.mark.parametrize(
    "schema", [{"type": "object", "patternProperties": {}}, {"not": {}}, {"type": "string", "format": "uri"}]
)
def test_a_keyword_without_a_counterpart_is_refused(schema: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="no TypeScript for"):
        declare({"Name": schema})


@pytest.mark.parametrize("name", ["a-b", "名", "Foo Bar", "x", "1x", "A = 1; export type B"])
def test_a_name_that_is_no_type_name_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="cannot name a type"):
        declare({name: {"type": "string"}})


def test_objects_nest() -> None:
    inner = {
        "type": "object",
        "properties": {"b": {"type": "integer"}},
        "required": ["b"],
        "additionalProperties": False,
    }
    outer = {"type": "object", "properties": {"a": inner}, "additionalProperties": False}
    assert declare({"Outer": outer}) == "export type Outer = {\n  a?: {\n    b: number;\n  };\n};\n"


if __name__ == "__main__":
    GOLDEN.write_text(write_verdicts(), encoding="utf-8")
