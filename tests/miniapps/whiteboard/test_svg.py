"""The picture: the same bytes for the same state, and nothing in it that could act."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from miniapps.whiteboard import strokes, svg

CASES = json.loads(Path(__file__).with_name("paths.json").read_text(encoding="utf-8"))
ALLOWED = {
    "svg": {"viewBox", "width", "height"},
    "title": set(),
    "rect": {"width", "height", "fill"},
    "g": {"fill", "stroke-linecap", "stroke-linejoin", "font-family"},
    "circle": {"cx", "cy", "r", "fill"},
    "path": {"d", "stroke", "stroke-width"},
    "text": {"x", "y", "font-size", "fill"},
}


def draw(title: str, drawn: Any) -> bytes:
    return svg.draw(title, strokes.in_order(drawn))


def test_a_board_is_drawn_to_the_byte() -> None:
    drawn = {
        "s2": {"points": [[5, 5]], "color": "#112233", "width": 3, "order": 2},
        "s1": {"points": [[0, 0], [10, 10], [20, 5]], "color": "#AABBCC", "width": 3, "order": 1},
        "s3": {"points": [[100, 200]], "color": "#000000", "width": 5, "order": 3, "text": "a <b> & c"},
    }
    expected = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1600 1000" width="1600" height="1000">
<title>Plan &lt;A&gt;</title>
<rect width="1600" height="1000" fill="#ffffff"/>
<g fill="none" stroke-linecap="round" stroke-linejoin="round" font-family="sans-serif">
<path d="M0 0Q10 10 15 7.5L20 5" stroke="#aabbcc" stroke-width="3"/>
<circle cx="5" cy="5" r="1.5" fill="#112233"/>
<text x="100" y="200" font-size="40" fill="#000000">a &lt;b&gt; &amp; c</text>
</g>
</svg>
"""
    assert draw("Plan <A>", drawn) == expected.encode()
    assert draw("Plan <A>", dict(reversed(drawn.items()))) == expected.encode()


@pytest.mark.parametrize("case", CASES)
def test_paths_run_through_the_middles_and_part_where_the_pressure_does(case: dict[str, Any]) -> None:
    stroke = strokes.clean({"points": case["points"], "width": case["width"]})
    assert stroke is not None
    assert [list(run) for run in svg.paths(stroke.points, stroke.width)] == case["paths"]


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (-0.0, "0"), (-0.001, "0"), (1, "1"), (1.5, "1.5"), (1.005, "1"), (100, "100"), (1e3, "1000")],
)
def test_numbers_are_short_and_plain(value: float, text: str) -> None:
    assert svg.number(value) == text


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
STROKE = st.fixed_dictionaries(
    {},
    optional={
        "points": st.lists(st.lists(st.floats() | st.integers() | JSON, max_size=4), max_size=5) | JSON,
        "color": st.sampled_from(["#123456", '"/><script>', "#12345g"]) | JSON,
        "width": st.floats() | JSON,
        "order": st.integers() | JSON,
        "text": st.text() | JSON,
    },
)


@given(title=st.text(), drawn=st.dictionaries(st.text(max_size=8), STROKE | JSON, max_size=5) | JSON)
def test_whatever_the_state_the_picture_is_xml_of_known_elements_alone(title: str, drawn: Any) -> None:
    content = draw(strokes.clean_text(title.encode(errors="ignore").decode(), 200), drawn)
    for element in ElementTree.fromstring(content).iter():  # noqa: S314 - it is our own output
        name = element.tag.removeprefix("{http://www.w3.org/2000/svg}")
        assert set(element.attrib) <= ALLOWED[name]
        for attribute, value in element.attrib.items():
            if attribute in ("fill", "stroke"):
                assert value == "none" or (value[0] == "#" and len(value) == 7)
