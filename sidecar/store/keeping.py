"""What is dropped after its time (RULES 6), and the greatest id that was ever given."""

from __future__ import annotations

from dataclasses import dataclass

from sidecar.clock import timestamp
from sidecar.store.compiled import keeping as sql
from sidecar.store.transaction import Transaction


@dataclass(frozen=True, slots=True)
class Dropped:
    """How many rows were dropped, and the first audit entry that is kept."""

    rows: int
    audit_from: int


def drop_older_than(tx: Transaction, before: int) -> Dropped:
    """Drop acked rows, dedupe rows and audit rows from before that time, a bounded number at once."""
    rows = sum(tx.write(statement, before=before) for statement in sql.DROPS)
    audit_from = int(tx.value(sql.AUDIT_FROM, before=timestamp(before)))
    return Dropped(rows + tx.write(sql.DROP_AUDIT, seq=audit_from), audit_from)


def greatest_id(tx: Transaction) -> str:
    """The greatest id that the Runtime has made, or the empty string."""
    return max((tx.value(statement) or "" for statement in sql.GREATEST), default="")
