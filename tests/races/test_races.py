"""Whatever ends a call or a question first has ended it, for everybody and for ever (RULES 1).

``LINEUP_RACES=5000`` runs that many random walks instead of the suite's; each is wholly decided by its number.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

import pytest

from tests.properties.stage import check_log, verify
from tests.properties.wire import Refused
from tests.races.field import Field, Question, Work

WALKS = int(os.environ.get("LINEUP_RACES", "150"))
OF_A_CALL = ("complete", "fail", "cancel", "agent-cancel", "close", "expire")
OF_A_QUESTION = ("answer", "refuse", "dismiss", "expire")
WHEN = ("together", "one-after-the-other", "after-the-ack", "after-a-crash")


@pytest.fixture(scope="module")
def field(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Field]:
    made = Field(tmp_path_factory.mktemp("races"))
    yield made
    assert made.wire.stop() == 0
    check_log(made.wire)
    verify(made.wire)


def race(field: Field, kind: type[Work | Question], first: str, second: str, when: str) -> None:
    raced = kind(field)
    begun, late = raced.endings()[first], raced.endings()[second]
    if when == "together":
        won, lost = field.ask_together([begun[0], late[0]])
    else:
        won = field.ask(begun[0])
        if when == "after-the-ack":
            field.hear()
        if when == "after-a-crash":
            field.restart()
            late = raced.endings()[second]
        lost = field.ask(late[0])
    field.hear()
    assert not isinstance(won, Refused), won
    assert [one["status"] for one in field.results[raced.call_id]] == [begun[1]]
    assert is_too_late(second, lost), lost
    if "close" in (first, second):
        field.mount()


def is_too_late(ending: str, outcome: Any) -> bool:
    """Whether what came second was told so. Time passes and apps close, whatever has ended before."""
    if ending in ("expire", "close"):
        return True
    if ending in ("agent-cancel", "dismiss"):
        return bool(outcome["receipt"]["outcome"] == "already_final")
    final = ("call_already_final", "interaction_already_final", "call_not_found", "context_token_invalid")
    return isinstance(outcome, Refused) and outcome.code in final


@pytest.mark.requirement("R1-first-ending-wins", "R2-outcome-fixed", "R1-one-transaction")
@pytest.mark.parametrize("when", WHEN)
@pytest.mark.parametrize(("first", "second"), list(product(OF_A_CALL, OF_A_CALL)))
def test_the_first_of_two_endings_of_a_call_is_the_only_one(field: Field, first: str, second: str, when: str) -> None:
    race(field, Work, first, second, when)


@pytest.mark.requirement("R1-first-ending-wins", "R1-one-transaction")
@pytest.mark.parametrize("when", WHEN)
@pytest.mark.parametrize(("first", "second"), list(product(OF_A_QUESTION, OF_A_QUESTION)))
def test_the_first_of_two_endings_of_a_question_is_the_only_one(
    field: Field, first: str, second: str, when: str
) -> None:
    race(field, Question, first, second, when)


def walk(field: Field, seed: int) -> None:
    """Several calls and questions at once, and whatever chance does to them in groups of chance's size."""
    chance = Random(seed)  # noqa: S311 - what is drawn must come back with its seed
    raced = [chance.choice((Work, Question))(field) for _ in range(chance.randrange(2, 5))]
    for _ in range(chance.randrange(2, 6)):
        asked = [chance.choice(list(chance.choice(raced).endings().values()))[0] for _ in range(chance.randrange(1, 5))]
        field.ask_together(asked)
        if chance.random() < 0.4:
            field.hear()
        if chance.random() < 0.02:
            field.restart()
    field.hear()
    told = {one.call_id: list(field.results.get(one.call_id, [])) for one in raced}
    field.ask(("test.advanceClock", {"ms": 2 * 3_600_000}))
    field.hear()
    for one in raced:
        ended = field.results[one.call_id]
        assert len(ended) == 1, (seed, ended)
        assert told[one.call_id] in ([], ended), (seed, "what was told has changed")
    field.mount()


@pytest.mark.requirement("R1-first-ending-wins", "R1-one-transaction")
def test_whatever_happens_in_whatever_order_each_has_one_ending(field: Field) -> None:
    for seed in range(WALKS):
        walk(field, seed)
