from __future__ import annotations

import pytest

from host_bridge.web.tokens import KEPT, TokenRefusedError, Tokens


def refusal(tokens: Tokens, token: str | None) -> TokenRefusedError:
    with pytest.raises(TokenRefusedError) as caught:
        tokens.exchange(token)
    return caught.value


def test_a_token_is_exchanged_once_and_the_reconnect_token_always() -> None:
    tokens = Tokens()
    token = tokens.issue()
    reconnect = tokens.exchange(token)
    assert tokens.exchange(reconnect) == reconnect == tokens.exchange(reconnect)
    assert refusal(tokens, token).spent
    assert len({token, reconnect}) == 2


@pytest.mark.parametrize("wrong", [None, "", "x", "ü", "\x00"])
def test_what_was_never_issued_is_wrong_and_not_spent(wrong: str | None) -> None:
    tokens = Tokens()
    tokens.issue()
    assert not refusal(tokens, wrong).spent


def test_a_token_altered_by_one_character_is_wrong() -> None:
    tokens = Tokens()
    token = tokens.issue()
    altered = token[:-1] + ("A" if token[-1] != "A" else "B")
    assert not refusal(tokens, altered).spent
    assert tokens.exchange(token)


def test_a_new_address_makes_the_unused_one_before_it_void() -> None:
    tokens = Tokens()
    first, second = tokens.issue(), tokens.issue()
    assert not refusal(tokens, first).spent
    assert tokens.is_address_open
    tokens.exchange(second)
    assert not tokens.is_address_open


def test_no_two_tokens_are_alike_and_each_holds_256_bits() -> None:
    tokens = Tokens()
    issued = {tokens.issue() for _ in range(100)}
    assert len(issued) == 100
    assert all(len(one) >= 43 for one in issued)


def test_the_oldest_reconnect_tokens_are_forgotten() -> None:
    tokens = Tokens()
    reconnect = [tokens.exchange(tokens.issue()) for _ in range(KEPT + 1)]
    assert not refusal(tokens, reconnect[0]).spent
    assert tokens.exchange(reconnect[1])
