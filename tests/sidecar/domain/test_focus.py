"""The focus stack, bottom to top (RULES 3)."""

import pytest

from sidecar.domain import focus


def test_the_foreground_is_the_top():
    assert (focus.top(("a", "b")), focus.top(())) == ("b", None)


@pytest.mark.parametrize(("stack", "after"), [(("a", "b", "c"), ("b", "c", "a")), (("b",), ("b", "a")), ((), ("a",))])
def test_raising_moves_to_the_top_or_enters_there(stack, after):
    assert focus.raised(stack, "a") == after


def test_an_instance_without_focus_enters_at_the_bottom():
    assert focus.entered_below(("chat",), "new") == ("new", "chat")


@pytest.mark.parametrize(("one", "after"), [("c", ("a", "c", "b")), ("b", ("b", "a", "c")), ("a", None)])
def test_lowering_moves_one_place_down_if_anything_is_beneath(one, after):
    assert focus.lowered(("a", "b", "c"), one) == after


@pytest.mark.parametrize(
    ("gone", "fall_to", "after"),
    [("c", None, ("a", "b")), ("c", "a", ("b", "a")), ("b", "a", ("a", "c")), ("x", None, ("a", "b", "c"))],
)
def test_leaving_falls_to_the_one_below_or_to_a_named_one(gone, fall_to, after):
    assert focus.without(("a", "b", "c"), gone, fall_to=fall_to) == after
