"""Capabilities: manifest, then policy, then Host (RULES 8)."""

import pytest

from sidecar.domain.policy import denial, read_policy

POLICY = read_policy({"capabilities": {"a": "allow", "q": "ask", "d": "deny"}})


@pytest.mark.parametrize(("name", "verdict"), [("a", "allow"), ("q", "ask"), ("d", "deny"), ("unnamed", "deny")])
def test_what_the_policy_does_not_name_is_denied(name, verdict):
    assert POLICY.verdict(name) == verdict


@pytest.mark.parametrize(
    ("declared", "provided", "name", "reason"),
    [
        (False, False, "d", "not_declared"),
        (True, False, "d", "policy"),
        (True, False, "a", "host_unsupported"),
        (True, False, "q", "host_unsupported"),
        (True, True, "a", None),
        (True, True, "q", None),
    ],
)
def test_the_first_no_is_the_reason(declared, provided, name, reason):
    assert denial(POLICY, declared, provided, name) == reason


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        {},
        {"capabilities": []},
        {"capabilities": {}, "more": 1},
        {"capabilities": {"a": "yes"}},
        {"capabilities": {"a": []}},
    ],
)
def test_another_policy_is_refused(value):
    with pytest.raises(ValueError, match="policy"):
        read_policy(value)
