"""Canonical JSON (RFC 8785)."""

import pytest

from sidecar.domain.canonical import canonical, digest

BIG = 10**30


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"b": 1, "a": [True, None, "é"]}, '{"a":[true,null,"é"],"b":1}'),
        ({"n": 1.0, "m": 1e21, "k": 0.1}, '{"k":0.1,"m":1e+21,"n":1}'),
        ({"€": 1, "\U0001f600": 2, "z": 3}, '{"z":3,"€":1,"😀":2}'),
        ({"big": BIG, "f": 2.0, "list": [3.0, {"x": 0.5}]}, f'{{"big":{BIG},"f":2,"list":[3,{{"x":0.5}}]}}'),
    ],
)
def test_the_canonical_text(value, text):
    assert canonical(value).decode() == text


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        (1, 1.0, True),
        ({"a": BIG, "n": 1}, {"n": 1.0, "a": BIG}, True),
        (1, True, False),
        (0, False, False),
        ("1", 1, False),
        ([1, 2], [2, 1], False),
        ({}, {"a": None}, False),
    ],
)
def test_equal_values_and_no_others_have_one_digest(one, other, same):
    assert (digest(one) == digest(other)) is same
