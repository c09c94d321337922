"""Capability requests that do not hold (RULES 8)."""

from __future__ import annotations

import pytest

from tests.sidecar.commands.conftest import Tamper

CASES = {
    "a denial becomes a grant": (
        "UPDATE capabilityrequest SET status = 'granted' WHERE request_id = '{denied}'",
        "capabilityrequest request_id='{denied}': its status is granted, yet the audit says denied",
    ),
    "a request waits for nobody": (
        "UPDATE capabilityrequest SET status = 'asking' WHERE request_id = '{denied}'",
        "request_id='{denied}': it waits for the user, yet its question",
    ),
    "a request is open for a closed instance": (
        "UPDATE capabilityrequest SET status = 'asking' WHERE instance_id = '{closed}'",
        "it is asking, yet its instance {closed} is closed",
    ),
    "a request never times out": (
        "UPDATE capabilityrequest SET due_at = NULL WHERE request_id = '{wanted}'",
        "request_id='{wanted}': only while the Host's provider has it is it due",
    ),
    "a request's arguments are none": (
        "UPDATE capabilityrequest SET arguments = 'all' WHERE request_id = '{wanted}'",
        "request_id='{wanted}': its arguments are no JSON object",
    ),
    "a request is about another question": (
        "UPDATE capabilityrequest SET interaction_id = '{open}' WHERE request_id = '{granted}'",
        "request_id='{granted}': its question {open} was not asked by the policy",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_it_does_not_hold_that(tamper: Tamper, case: str) -> None:
    sql, words = CASES[case]
    tamper(sql, words)
