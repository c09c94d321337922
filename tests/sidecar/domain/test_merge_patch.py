"""What a surface's state refuses (PROTOCOL 5)."""

import pytest

from rpc_schema import limits
from sidecar.domain.merge_patch import check_patch, check_state
from sidecar.domain.refusal import Refusal


def nested(depth):
    value = {}
    for _ in range(depth - 1):
        value = {"x": value}
    return value


@pytest.mark.parametrize(
    "patch",
    [
        None,
        [],
        "text",
        {"__proto__": 1},
        {"a": {"constructor": {}}},
        {"a": [{"b": [{"prototype": 1}]}]},
        {"a": [1, [{"__proto__": 1}]]},
        nested(33),
        {"a": [[[nested(31)]]]},
        {"big": "x" * limits.MAX_PATCH},
        {"lone": "\ud800"},
    ],
)
def test_an_unsound_patch_is_refused(patch):
    with pytest.raises(Refusal) as refusal:
        check_patch(patch)
    assert refusal.value.code == "surface_patch_invalid"


def test_a_patch_within_the_bounds_is_taken():
    patch = {"deep": nested(31), "proto": "__proto__", "list": [1, {"toString": None}]}
    assert check_patch(patch) is patch
    assert check_patch({"x": "y" * limits.MAX_PATCH}, is_state=True)


def test_a_state_is_bounded_and_says_by_how_much():
    assert check_state({"a": "é"}) == '{"a":"\\u00e9"}'
    with pytest.raises(Refusal) as refusal:
        check_state({"a": "x" * limits.MAX_STATE})
    assert refusal.value.data == {"limit": "state_bytes", "bound": limits.MAX_STATE, "actual": limits.MAX_STATE + 8}
