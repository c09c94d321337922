"""Answers that fit, and those that leave the question open (PROTOCOL 4.1)."""

import json

import pytest

from sidecar.domain.answer import check_answer
from sidecar.domain.refusal import Refusal

ACTIONS = [{"id": one, "label": one.upper()} for one in "abc"]
MANY = {"kind": "choice", "title": "t", "prompt": "p", "mode": "multi-choice", "actions": ACTIONS}
ONE = {**MANY, "mode": "single-choice"}
FORM = {
    "kind": "input",
    "title": "t",
    "prompt": "p",
    "fields": [
        {"id": "name", "label": "N", "type": "text", "required": True, "min_length": 2, "max_length": 3},
        {"id": "age", "label": "A", "type": "number", "minimum": 0, "maximum": 150},
        {"id": "note", "label": "T", "type": "textarea"},
    ],
}


def check(question, answer):
    return check_answer(question["kind"], json.dumps(question), answer)


@pytest.mark.parametrize(
    ("question", "answer", "result"),
    [
        ({"kind": "notice"}, {"acknowledged": True}, {"acknowledged": True}),
        ({"kind": "confirm"}, {"approved": False}, {"approved": False}),
        (MANY, {"action_ids": ["c", "a", "c"]}, {"action_ids": ["c", "a"]}),
        (ONE, {"action_ids": ["b", "b"]}, {"action_ids": ["b"]}),
        (FORM, {"values": {"age": 7.5, "name": "𝄞𝄞"}}, {"values": {"name": "𝄞𝄞", "age": 7.5}}),
        (FORM, {"values": {"name": "abc", "note": ""}}, {"values": {"name": "abc", "note": ""}}),
        (FORM, {"values": {"name": "abc", "age": 150}}, {"values": {"name": "abc", "age": 150}}),
    ],
)
def test_an_answer_that_fits_is_brought_to_its_final_form(question, answer, result):
    assert check(question, answer) == result


@pytest.mark.parametrize(
    ("question", "answer", "path"),
    [
        ({"kind": "notice"}, {"acknowledged": 1}, "acknowledged"),
        ({"kind": "confirm"}, {"approved": "true"}, "approved"),
        ({"kind": "confirm"}, None, ""),
        (MANY, {"action_ids": []}, "action_ids"),
        (MANY, {"action_ids": ["z"]}, "action_ids"),
        (ONE, {"action_ids": ["a", "b"]}, "action_ids"),
        (FORM, {"values": {}}, "values.name"),
        (FORM, {"values": {"name": "a"}}, "values.name"),
        (FORM, {"values": {"name": "abcd"}}, "values.name"),
        (FORM, {"values": {"name": 5}}, "values.name"),
        (FORM, {"values": {"name": "abc", "age": "7"}}, "values.age"),
        (FORM, {"values": {"name": "abc", "age": -1}}, "values.age"),
        (FORM, {"values": {"name": "abc", "age": 151}}, "values.age"),
        (FORM, {"values": {"name": "abc", "age": True}}, "values.age"),
        (FORM, {"values": {"name": "abc", "other": "x"}}, "values.other"),
    ],
)
def test_an_answer_that_does_not_fit_says_where(question, answer, path):
    with pytest.raises(Refusal) as refusal:
        check(question, answer)
    assert refusal.value.code == "interaction_result_invalid"
    assert refusal.value.data["errors"][0]["path"] == path
