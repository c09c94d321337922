"""The person types: values are read strictly, asked again where they do not fit, and may be kept back."""

from __future__ import annotations

import io
from typing import Any

import pytest

from host_bridge.cli.person import LeftError, Person, read_value
from host_bridge.cli.terminal import Terminal

ACTIONS = [{"id": "a", "label": "Apple"}, {"id": "b", "label": "Bean", "description": "green"}]
CHOICE = {"kind": "choice", "title": "t", "prompt": "p", "mode": "multi-choice", "actions": ACTIONS}
CONFIRM = {"kind": "confirm", "title": "t", "prompt": "p"}
NOTICE = {"kind": "notice", "title": "t", "message": "m", "acknowledge_label": "Got it"}
FORM = {
    "kind": "input",
    "title": "t",
    "prompt": "p",
    "fields": [
        {"id": "name", "label": "Name", "type": "text", "required": True},
        {"id": "age", "label": "Age", "type": "number"},
    ],
}
SCHEMA = {
    "type": "object",
    "required": ["title"],
    "properties": {
        "title": {"type": "string", "description": "What the user reads."},
        "state": {"type": "string", "enum": ["on", "off"]},
        "urgent": {"type": "boolean"},
        "points": {"type": "array", "items": {"type": "number"}},
    },
}


class Typing:
    """A person who types these lines, and what was printed."""

    def __init__(self, *lines: str) -> None:
        self.lines = list(lines)
        self.stream = io.StringIO()
        self.prompts: list[str] = []
        self.person = Person(self._ask, Terminal(self.stream))

    async def _ask(self, prompt: str) -> str | None:
        self.prompts.append(prompt)
        return self.lines.pop(0) if self.lines else None


@pytest.mark.parametrize(
    ("request_", "lines", "result"),
    [
        (CHOICE, ["2, 1"], {"action_ids": ["b", "a"]}),
        (CONFIRM, ["yes"], {"approved": True}),
        (CONFIRM, ["N"], {"approved": False}),
        (NOTICE, [""], {"acknowledged": True}),
        (FORM, ["Ada", "36.5"], {"values": {"name": "Ada", "age": 36.5}}),
        (FORM, ["Ada", ""], {"values": {"name": "Ada"}}),
    ],
)
async def test_a_question_is_answered(request_: dict[str, Any], lines: list[str], result: dict[str, Any]) -> None:
    assert await Typing(*lines).person.answer(request_) == result


@pytest.mark.parametrize(
    ("request_", "lines", "wanted"),
    [
        (CHOICE, ["0", "3", "x", "", "1"], "type numbers from 1 to 2"),
        (CONFIRM, ["maybe", "", "y"], "type y or n"),
        (FORM, ["", "Ada", ""], "this one is needed"),
        (FORM, ["Ada", "old", "NaN", "1e999", "true", "7"], "type a number"),
    ],
)
async def test_what_does_not_fit_is_asked_again(request_: dict[str, Any], lines: list[str], wanted: str) -> None:
    typing = Typing(*lines)
    await typing.person.answer(request_)
    assert wanted in typing.stream.getvalue()
    assert typing.lines == []


@pytest.mark.parametrize("request_", [CHOICE, CONFIRM, NOTICE, FORM])
@pytest.mark.parametrize(("lines", "dismissed"), [(["later"], False), (["dismiss"], True), ([], False)])
async def test_a_question_may_be_left(request_: dict[str, Any], lines: list[str], dismissed: bool) -> None:
    with pytest.raises(LeftError) as caught:
        await Typing(*lines).person.answer(request_)
    assert caught.value.dismissed is dismissed


async def test_a_tools_input_is_asked_for_field_by_field() -> None:
    typing = Typing("Ship it", "on", "y", "[1, 2]")
    assert await typing.person.fill_in(SCHEMA) == {"title": "Ship it", "state": "on", "urgent": True, "points": [1, 2]}
    assert typing.prompts == [
        "title (string) What the user reads.:",
        "state (on | off, may be left out):",
        "urgent (boolean, may be left out):",
        "points (array, may be left out):",
    ]


async def test_an_empty_line_leaves_out_what_may_be_left_out() -> None:
    assert await Typing("Ship it", "", "", "").person.fill_in(SCHEMA) == {"title": "Ship it"}


def test_a_line_that_is_no_json_says_what_is_wanted() -> None:
    with pytest.raises(ValueError, match="type JSON of type array"):
        read_value("1, 2", {"type": "array"})
