"""Which worker gives up its place when the bound is reached (RULES 3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Candidate(NamedTuple):
    """A live worker: when its instance left the foreground and when it was last used, as counters that only grow."""

    instance_id: str
    in_front: bool
    open_calls: int
    left_front: int
    used: int


def victim(candidates: Sequence[Candidate]) -> str:
    """The one longest in the background without open calls, else the least recently used."""
    idle = [one for one in candidates if not one.in_front and not one.open_calls]
    if idle:
        return min(idle, key=lambda one: (one.left_front, one.used)).instance_id
    return min(candidates, key=lambda one: (one.in_front, one.used)).instance_id
