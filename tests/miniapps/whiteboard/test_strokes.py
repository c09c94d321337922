"""What may be drawn: whatever a view or an Agent sends, a stroke's values are bounded."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from miniapps.whiteboard import strokes

CASES = json.loads(Path(__file__).with_name("strokes.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES)
def test_a_stroke_is_kept_as_the_view_keeps_it(case: dict[str, Any]) -> None:
    stroke = strokes.clean(case["given"])
    assert (None if stroke is None else strokes.to_state(stroke)) == case["kept"]


def test_numbers_that_are_none_and_points_without_end_are_left_out() -> None:
    stroke = strokes.clean({"points": [[float("nan"), 1], [1, float("inf")], [2, 2]] + [[3, 3]] * 6_000})
    assert stroke is not None
    assert len(stroke.points) == strokes.MAX_POINTS - 2


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("a\tb\nc", "a b c"),
        ("\x00a\x08\x1b\x7f\x85b\ufffe\uffff", "ab"),
        ("漢 \U0001f600", "漢 \U0001f600"),
        (None, ""),
        ("x" * 300, "x" * 200),
    ],
)
def test_a_text_is_one_line_that_xml_can_hold(given: object, kept: str) -> None:
    assert strokes.clean_text(given, 200) == kept


def test_strokes_lie_in_their_order_and_then_by_their_id() -> None:
    drawn = {
        "b": {"points": [[2, 2]], "order": 1},
        "a": {"points": [[1, 1]], "order": 1},
        "z": {"points": [[0, 0]]},
        "bad": {"points": "x"},
    }
    assert [stroke.points[0][0] for stroke in strokes.in_order(drawn)] == [0, 1, 2]
    for no_strokes in (None, [], "x", 7):
        assert strokes.in_order(no_strokes) == []
