"""``lineup-sidecar verify``: the audit's chain and what must be true of every row (PROTOCOL 9, RULES 1 to 8)."""

from __future__ import annotations

import sys
from collections.abc import Callable

from sidecar.commands.invariants.audit_chain import Chain
from sidecar.commands.invariants.calls import check_calls
from sidecar.commands.invariants.capabilities import check_capabilities
from sidecar.commands.invariants.conversations import (
    check_conversations,
    check_instances,
    check_miniapps,
    check_sessions,
)
from sidecar.commands.invariants.fault import Unsound
from sidecar.commands.invariants.messages import check_deliveries, check_inbox, check_outbox, check_receipts
from sidecar.commands.invariants.questions import check_questions
from sidecar.commands.invariants.references import check_references
from sidecar.commands.invariants.surfaces import check_artifacts, check_surfaces
from sidecar.commands.invariants.trail import Trail
from sidecar.store.database import StoreError
from sidecar.store.engine import open_to_read
from sidecar.store.inspection import View

_CHECKS: list[tuple[str, Callable[[View, Trail], int]]] = [
    ("conversations", check_conversations),
    ("instances", check_instances),
    ("app sessions", check_sessions),
    ("MiniApp switches", check_miniapps),
    ("Tool calls", check_calls),
    ("questions", check_questions),
    ("capability requests", check_capabilities),
    ("surfaces", check_surfaces),
    ("artifacts", check_artifacts),
    ("Inbox messages", check_inbox),
    ("outbox rows", check_outbox),
    ("deliveries", check_deliveries),
    ("receipts", check_receipts),
]


def verify(address: str) -> int:
    """Check a store, also while its owner runs; 0 if everything holds, 1 at the first row that does not."""
    try:
        database = open_to_read(address)
        try:
            _check(View(database))
        finally:
            database.close()
    except StoreError as error:
        sys.stderr.write(f"lineup-sidecar: {error}\n")
        return 1
    except Unsound as unsound:
        sys.stdout.write(f"does not hold: {unsound}\n")
        return 1
    sys.stdout.write("everything holds\n")
    return 0


def _check(view: View) -> None:
    wrong = view.fault()
    if wrong is not None:
        raise Unsound("file", f"as {view.product} reads it", wrong)
    _say("file", "sound")
    chain = Chain()
    entries = chain.follow(view)
    _say("audit", f"{entries} entries, {chain.first} to {chain.last}, the last hash {chain.head or 'none'}")
    _say("references", f"{check_references(view)} kinds")
    for noun, check in _CHECKS:
        _say(noun, f"{check(view, chain.trail)}")
    missing = next(chain.trail.leftovers(), None)
    if missing is not None:
        raise Unsound("audit", "as it tells the store's history", missing)


def _say(noun: str, found: str) -> None:
    sys.stdout.write(f"{noun:<20} {found}\n")
