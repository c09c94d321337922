"""Which worker gives up its place (RULES 3)."""

import pytest

from sidecar.domain.worker_choice import Candidate, victim


def one(name, *, front=False, calls=0, left=0, used=0):
    return Candidate(name, in_front=front, open_calls=calls, left_front=left, used=used)


@pytest.mark.parametrize(
    ("candidates", "chosen"),
    [
        ([one("a", left=3, used=1), one("b", left=2, used=9)], "b"),
        ([one("busy", calls=1, left=1), one("idle", left=5, used=5)], "idle"),
        ([one("front", front=True, used=1), one("back", left=9, used=9)], "back"),
        ([one("x", calls=2, used=5), one("y", calls=1, used=4)], "y"),
        ([one("front", front=True, used=1), one("busy", calls=1, used=9)], "busy"),
        ([one("one", front=True, used=7), one("two", front=True, used=6)], "two"),
        ([one("same", left=0, used=2), one("less", left=0, used=1)], "less"),
    ],
)
def test_the_one_longest_in_the_background_without_calls_else_the_least_recently_used(candidates, chosen):
    assert victim(candidates) == chosen
