"""An audit that was changed, cut or put in another order (PROTOCOL 2)."""

from __future__ import annotations

import pytest

from tests.sidecar.commands.conftest import Tamper

CASES = {
    "an entry's action is another": (
        "UPDATE audit SET action = 'ping' WHERE seq = 9",
        "audit seq=9: its hash",
    ),
    "an entry's actor is another": (
        "UPDATE audit SET actor = 'host' WHERE seq = 20",
        "audit seq=20: its hash",
    ),
    "an entry's time is another": (
        "UPDATE audit SET at = '2026-01-01T00:00:00.000Z' WHERE seq = 9",
        "audit seq=9: its hash",
    ),
    "an entry's subject is another": (
        "UPDATE audit SET subject = 'x' WHERE seq = 9",
        "audit seq=9: its hash",
    ),
    "an entry's detail is gone": (
        "UPDATE audit SET detail = NULL WHERE seq = 9",
        "audit seq=9: its hash",
    ),
    "an entry's detail is none": (
        "UPDATE audit SET detail = 'none' WHERE seq = 9",
        "audit seq=9: its detail is no JSON",
    ),
    "a refusal becomes a yes": (
        "UPDATE audit SET decision = 'accepted', code = NULL WHERE code = 'capability_denied'",
        "its hash",
    ),
    "an entry's hash is another": (
        "UPDATE audit SET hash = CASE WHEN hash LIKE 'f%' THEN '0' ELSE 'f' END || substr(hash, 2) WHERE seq = 9",
        "audit seq=9: its hash",
    ),
    "an entry is deleted": (
        "DELETE FROM audit WHERE seq = 9",
        "audit seq=9: the entry is missing: 10 comes after 8",
    ),
    "the first entry is deleted": (
        "DELETE FROM audit WHERE seq = 1",
        "audit seq=1: the entry is missing: the chain begins with 2",
    ),
    "the first entries are deleted": (
        "DELETE FROM audit WHERE seq < 50",
        "audit seq=1: the entry is missing: the chain begins with 50",
    ),
    "the last entry is deleted": (
        "DELETE FROM audit WHERE seq = (SELECT max(seq) FROM audit)",
        "the last entry is missing",
    ),
    "the last entries are deleted": (
        "DELETE FROM audit WHERE seq > (SELECT max(seq) FROM audit) - 9",
        "the last entry is missing",
    ),
    "all entries are deleted": (
        "DELETE FROM audit",
        "the last entry is missing",
    ),
    "two entries are swapped": (
        "UPDATE audit SET seq = 0 WHERE seq = 9; UPDATE audit SET seq = 9 WHERE seq = 10; UPDATE "
        "audit SET seq = 10 WHERE seq = 0",
        "audit seq=9: its hash",
    ),
    "an entry is moved to the end": (
        "UPDATE audit SET seq = (SELECT max(seq) FROM audit) + 1 WHERE seq = 9",
        "audit seq=9: the entry is missing",
    ),
    "an entry is written twice": (
        "INSERT INTO audit SELECT seq + 1000, at, actor, action, decision, code, conversation_id, "
        "app_scope, instance_id, subject, detail, previous_hash, hash FROM audit WHERE seq = 9",
        "the entry is missing",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_it_does_not_hold_that(tamper: Tamper, case: str) -> None:
    sql, words = CASES[case]
    tamper(sql, words)
