"""RFC 7396, by the examples of its appendix that have an object on both sides."""

from __future__ import annotations

from typing import Any

import pytest

from miniapps.sdk.merge_patch import merge

EXAMPLES: list[tuple[dict[str, Any], dict[str, Any], dict[str, Any]]] = [
    ({"a": "b"}, {"a": "c"}, {"a": "c"}),
    ({"a": "b"}, {"b": "c"}, {"a": "b", "b": "c"}),
    ({"a": "b"}, {"a": None}, {}),
    ({"a": "b", "b": "c"}, {"a": None}, {"b": "c"}),
    ({"a": ["b"]}, {"a": "c"}, {"a": "c"}),
    ({"a": "c"}, {"a": ["b"]}, {"a": ["b"]}),
    ({"a": {"b": "c"}}, {"a": {"b": "d", "c": None}}, {"a": {"b": "d"}}),
    ({"a": [{"b": "c"}]}, {"a": [1]}, {"a": [1]}),
    ({"e": None}, {"a": 1}, {"e": None, "a": 1}),
    ({}, {"a": {"bb": {"ccc": None}}}, {"a": {"bb": {}}}),
    ({"a": "text"}, {"a": {"b": 1}}, {"a": {"b": 1}}),
]


@pytest.mark.parametrize(("state", "patch", "expected"), EXAMPLES)
def test_the_patch_is_merged_and_the_state_given_is_unchanged(
    state: dict[str, Any], patch: dict[str, Any], expected: dict[str, Any]
) -> None:
    before = repr(state)
    assert merge(state, patch) == expected
    assert repr(state) == before
