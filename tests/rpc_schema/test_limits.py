"""The limits that the protocol and the rules name."""

from __future__ import annotations

from rpc_schema import limits


def test_a_host_is_told_limits_that_are_whole_and_positive() -> None:
    assert all(type(limit) is int and limit > 0 for limit in limits.WIRE_LIMITS.values())
    assert limits.WIRE_LIMITS["max_message_bytes"] == 8 * 1024 * 1024
    assert limits.WIRE_LIMITS["max_queued_bytes"] == 32 * 1024 * 1024
    assert limits.WIRE_LIMITS["outbox_window"] == 64


def test_the_rules_bounds_are_kept() -> None:
    """RULES 5 and 6."""
    assert (limits.MAX_INBOX_PENDING, limits.MAX_OPEN_CALLS, limits.MAX_OUTBOX_PENDING) == (1_000, 100, 10_000)
    assert (limits.MAX_OPEN_INTERACTIONS, limits.MAX_OPEN_INTERACTIONS_OF_INSTANCE) == (50, 8)
    assert (limits.MAX_SURFACES, limits.MAX_SURFACE_EVENTS_PENDING, limits.MAX_INSTANCES) == (4, 200, 16)
    assert limits.MAX_ARTIFACTS_OF_INSTANCE == 64 * 1024 * 1024
    assert (limits.MIN_EXPIRY_MS, limits.DEFAULT_EXPIRY_MS, limits.MAX_EXPIRY_MS) == (60_000, 900_000, 86_400_000)
    assert (limits.MAX_ENDED_RECORDS, limits.ENDED_RECORDS_MS) == (50, 24 * 3_600_000)
    assert limits.KEEP_MS == 30 * 24 * 3_600_000
