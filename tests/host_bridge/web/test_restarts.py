from __future__ import annotations

import pytest

from host_bridge.web.restarts import DELAYS, MOST, WITHIN_SECONDS, Restarts, TooOftenError


def start(restarts: Restarts, *times: float) -> list[float]:
    """Start at each of these times; the delays that were asked for."""
    delays = []
    for now in times:
        delays.append(restarts.delay(now))
        restarts.note(now)
    return delays


def test_each_start_waits_longer_and_the_sixth_is_refused_until_the_first_is_long_past() -> None:
    restarts = Restarts()
    assert start(restarts, 0, 10, 20, 30, 40) == list(DELAYS)
    with pytest.raises(TooOftenError) as caught:
        restarts.delay(50)
    assert caught.value.retry_after == WITHIN_SECONDS - 50
    with pytest.raises(TooOftenError):
        restarts.delay(WITHIN_SECONDS - 0.001)
    assert restarts.delay(WITHIN_SECONDS) == DELAYS[MOST - 1]


def test_a_sidecar_that_stayed_up_starts_at_once_again_and_is_counted_all_the_same() -> None:
    restarts = Restarts()
    assert start(restarts, *(n * WITHIN_SECONDS for n in range(10))) == [0.0] * 10
    assert restarts.count == 10
