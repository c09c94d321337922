"""How a run chooses what comes next: every move has a weight, a condition and its parameters' strategies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from hypothesis import strategies as st

F = TypeVar("F", bound=Callable[..., None])

PLACE = st.integers(0, 7)
MOSTLY = st.sampled_from([True, True, True, True, True, False])
APP = st.sampled_from(["alpha", "alpha", "alpha", "beta", "beta", "chat"])


class Move(NamedTuple):
    """One kind of move; ``weight`` is how often it comes beside the others."""

    weight: int
    when: Callable[[Any], Any] | None
    params: st.SearchStrategy[dict[str, Any]]


def move(
    weight: int = 4, when: Callable[[Any], Any] | None = None, **params: st.SearchStrategy[Any]
) -> Callable[[F], F]:
    """Make a method a move."""

    def mark(method: F) -> F:
        method.move = Move(weight, when, st.fixed_dictionaries(params))  # type: ignore[attr-defined]
        return method

    return mark


def moves_of(machine: object) -> dict[str, Move]:
    """The moves of a machine, by name."""
    methods = {name: getattr(type(machine), name, None) for name in dir(machine)}
    return {name: method.move for name, method in methods.items() if hasattr(method, "move")}


def choose_move(machine: Any) -> st.SearchStrategy[tuple[str, dict[str, Any]]]:
    """A move that the machine can make now, with its parameters."""
    able = {name: one for name, one in machine.moves.items() if one.when is None or one.when(machine)}
    names = [name for name, one in able.items() for _ in range(one.weight)]
    return st.sampled_from(names).flatmap(lambda name: st.tuples(st.just(name), able[name].params))
