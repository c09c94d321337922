"""How a run chooses what comes next: every move has a weight, a condition and its parameters' choices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any, NamedTuple, TypeVar

from hypothesis import strategies as st

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., None])
Chosen = tuple[str, dict[str, Any]]

PLACE = range(8)
MOSTLY = (*[True] * 11, False)
APP = ("alpha", "alpha", "alpha", "beta", "beta", "chat")


class Move(NamedTuple):
    """One kind of move; ``weight`` is how often it comes beside the others."""

    weight: int
    when: Callable[[Any], Any] | None
    params: dict[str, Sequence[Any]]


def move(weight: int = 4, when: Callable[[Any], Any] | None = None, **params: Sequence[Any]) -> Callable[[F], F]:
    """Make a method a move."""

    def mark(method: F) -> F:
        vars(method)["move"] = Move(weight, when, params)
        return method

    return mark


def moves_of(machine: type) -> dict[str, Move]:
    """The moves of a class of machines, by name."""
    methods = {name: getattr(machine, name) for name in dir(machine)}
    return {name: method.move for name, method in methods.items() if hasattr(method, "move")}


def is_able(machine: Any, name: str) -> bool:
    """Whether the machine can make a move now."""
    when = machine.moves[name].when
    return when is None or bool(when(machine))


def draw_move(moves: dict[str, Move]) -> st.SearchStrategy[Chosen]:
    """Any move with its parameters, for Hypothesis to draw and to shorten.

    Whether it can be made is not asked here: after a kill that depends on time, and draws must not.
    """

    def params_of(name: str) -> st.SearchStrategy[Chosen]:
        params = {param: st.sampled_from(choices) for param, choices in moves[name].params.items()}
        return st.tuples(st.just(name), st.fixed_dictionaries(params))

    return st.sampled_from([name for name, one in moves.items() for _ in range(one.weight)]).flatmap(params_of)


class Chance:
    """A source of choices that is the same for a seed on every machine."""

    def __init__(self, seed: int) -> None:
        self._seed, self._count = seed, 0

    def choice(self, among: Sequence[T]) -> T:
        """One of them."""
        self._count += 1
        digest = sha256(b"%d %d" % (self._seed, self._count)).digest()
        return among[int.from_bytes(digest[:8], "big") % len(among)]


def pick_move(machine: Any, chance: Chance) -> Chosen:
    """A move that the machine can make now, with its parameters, by chance alone."""
    able = [name for name, one in machine.moves.items() if is_able(machine, name) for _ in range(one.weight)]
    name = chance.choice(able)
    return name, {param: chance.choice(choices) for param, choices in machine.moves[name].params.items()}
