"""When a worker that died is started again (RULES 6)."""

import pytest

from sidecar.workers.backoff import Backoff


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def failures(clock: Clock, *gaps: float) -> list[float | None]:
    backoff = Backoff(clock=clock)
    delays = []
    for gap in gaps:
        clock.now += gap
        delays.append(backoff.fail())
    return delays


def test_the_third_failure_within_a_minute_is_final(clock):
    assert failures(clock, 0, 0.1, 1) == [0.1, 1, None]


def test_a_failure_that_is_a_minute_old_is_not_counted(clock):
    assert failures(clock, 0, 30, 30) == [0.1, 1, 5]


def test_failures_that_keep_coming_wait_the_longest_delay(clock):
    assert failures(clock, 0, 40, 40, 40, 40) == [0.1, 1, 5, 5, 5]


def test_a_minute_without_failure_begins_anew(clock):
    assert failures(clock, 0, 1, 60, 1) == [0.1, 1, 0.1, 1]
