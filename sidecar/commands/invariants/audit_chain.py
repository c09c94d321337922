"""The audit: a hash chain without a hole, from the first entry that is kept to the last that was ever written."""

from __future__ import annotations

import re
from typing import Any, get_args

from rpc_schema.audit import Actor, AuditEntry
from rpc_schema.base import TIMESTAMP
from rpc_schema.errors import REFUSAL_CODES
from sidecar.commands.invariants.fault import Unsound, object_of
from sidecar.commands.invariants.trail import Trail
from sidecar.store.inspection import AUDIT, View
from sidecar.store.transaction import GENESIS, entry_hash

_ACTORS = get_args(Actor)
_TIME = re.compile(TIMESTAMP)
_HASHED = AuditEntry.model_fields.keys() - {"detail", "hash"}
"""What is hashed as the row has it; ``detail`` is text there."""


class Chain:
    """How far the chain was followed, and what it tells."""

    def __init__(self) -> None:
        self.trail = Trail()
        self.first = 0
        self.last = 0
        self.head = ""

    def follow(self, view: View) -> int:
        """Follow every entry that is kept; how many there are.

        Raises:
            Unsound: at the first that is changed, missing or out of place.
        """
        count = 0
        for entry in view.rows(AUDIT):
            count += 1
            self._take(entry)
        self._check_ends(view)
        return count

    def _take(self, entry: Any) -> None:
        if self.last and entry.seq != self.last + 1:
            raise Unsound("audit", f"seq={self.last + 1}", f"the entry is missing: {entry.seq} comes after {self.last}")
        detail = {} if entry.detail is None else object_of(entry.detail)
        wrong = _wrong_in(entry, detail)
        if wrong is None and (self.head or entry.seq == 1) and entry.previous_hash != (self.head or GENESIS):
            wrong = "its previous_hash is not the hash of the entry before it"
        if wrong is not None:
            raise Unsound("audit", f"seq={entry.seq}", wrong)
        self.first = self.first or entry.seq
        self.last, self.head = entry.seq, entry.hash
        try:
            self.trail.take(entry, detail or {})
        except (KeyError, TypeError):
            raise Unsound("audit", f"seq={entry.seq}", "its detail is none that the Runtime writes") from None

    def _check_ends(self, view: View) -> None:
        written = view.greatest_audit_seq()
        if self.last != written:
            missing = f"the last entry is missing: {written} were written, the chain ends with {self.last}"
            raise Unsound("audit", f"seq={written}", missing)
        if self.first and self.first != self.trail.begins_with:
            missing = f"the entry is missing: the chain begins with {self.first}"
            raise Unsound("audit", f"seq={self.trail.begins_with}", missing)


def _wrong_in(entry: Any, detail: dict[str, Any] | None) -> str | None:
    if detail is None:
        return "its detail is no JSON object"
    hashed = {name: getattr(entry, name) for name in _HASHED}
    if entry_hash({**hashed, "detail": None if entry.detail is None else detail}) != entry.hash:
        return "its hash does not fit its content: it was changed after it was written"
    if entry.actor not in _ACTORS or _TIME.fullmatch(entry.at) is None:
        return "its actor or its time is none that the Runtime writes"
    codes = {"accepted": (None,), "refused": REFUSAL_CODES}.get(entry.decision, ())
    return None if entry.code in codes else "its code does not fit its decision"
