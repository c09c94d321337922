"""Faults that the program does not have, planted from outside: the matrix must turn red where one of them is."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, NamedTuple

from tests.reliability.doomed import find, wrap

Inner = Callable[..., Any]


class Planted(NamedTuple):
    """``row`` and ``moment`` name a cell that notices it, ``columns`` where; what names no cell is for other tests."""

    plant: Callable[[], None]
    row: str = ""
    moment: str = ""
    columns: tuple[str, ...] = ()


def _commit_late() -> None:
    """The answer leaves first, the commit follows."""

    def make(inner: Inner) -> Inner:
        return lambda tx: asyncio.get_running_loop().call_soon(inner, tx) and None

    wrap("sidecar.store.transaction:Transaction.commit", make)


def _ack_when_sent() -> None:
    """A row counts as heard once it is on its way."""
    from sidecar.store import outbox

    def make(inner: Inner) -> Inner:
        def send(post: Any, row: Any) -> Any:
            outbox.acknowledge(post._tx, row.outbox_id, row.created_at)
            return inner(post, row)

        return send

    wrap("sidecar.rpc.post:Post._send", make)


def _close_in_two() -> None:
    """An instance is closed in one transaction, and leaves the focus in the next."""
    commit = getattr(*find("sidecar.store.transaction:Transaction.commit"))

    def make(inner: Inner) -> Inner:
        def leave(unit: Any, row: Any) -> None:
            commit(unit.tx)
            inner(unit, row)

        return leave

    wrap("sidecar.services.closing:_leave_stack", make)


def _audit_later() -> None:
    """What was done is committed before its audit entry is written."""
    commit = getattr(*find("sidecar.store.transaction:Transaction.commit"))

    def make(inner: Inner) -> Inner:
        def append(tx: Any, *entry: Any) -> None:
            commit(tx)
            inner(tx, *entry)

        return append

    wrap("sidecar.store.transaction:Transaction._append", make)


def _take_nothing_back() -> None:
    """After a death, what ran is taken as if it still ran."""
    from sidecar.services import expiry

    wrap("sidecar.services.recovery:recover", lambda inner: expiry.run)


def _tell_again_anew() -> None:
    """After a death, results that were not acked are written once more instead of sent once more."""
    from sidecar.store import conversations, outbox

    def make(inner: Inner) -> Inner:
        def recover(unit: Any) -> None:
            inner(unit)
            for conversation in conversations.every(unit.tx):
                for row in outbox.next_after(unit.tx, conversation.conversation_id, 0, 64):
                    if row.type == "lineup.v1.tool.result":
                        again = {name: getattr(row, name) for name in ("conversation_id", "type", "payload", "call_id")}
                        times = {"outbox_id": unit.new_id(), "created_at": unit.now}
                        outbox.add(unit.tx, **again, **times, unique_key=None)

        return recover

    wrap("sidecar.services.recovery:recover", make)


def _do_not_sync() -> None:
    """The store is written, and nobody waits until the disk has it."""
    sqlite, _ = find("sidecar.store.sqlite:_PRAGMAS")
    sqlite._PRAGMAS = tuple(one.replace("synchronous=FULL", "synchronous=OFF") for one in sqlite._PRAGMAS)


def _be_newer() -> None:
    """A program of a later version."""
    from tests.reliability import newer

    newer.plant()


FAULTS: dict[str, Planted] = {
    "the answer leaves before the commit": Planted(
        _commit_late, "the person answers the Agent", "after it is sent", ("state", "questions")
    ),
    "a row counts as acked once it is sent": Planted(
        _ack_when_sent, "a draft is saved", "after the commit", ("outbox",)
    ),
    "closing is two transactions": Planted(
        _close_in_two, "the person closes the MiniApp", "before the commit", ("focus",)
    ),
    "the audit follows in a transaction of its own": Planted(
        _audit_later, "the Agent cancels it", "before the commit", ("audit",)
    ),
    "what ran is not taken back": Planted(_take_nothing_back, "a draft is saved", "after the commit", ("state",)),
    "a result is told again in a row of its own": Planted(
        _tell_again_anew, "the MiniApp completes the first call", "after the commit", ("outbox",)
    ),
    "nobody waits for the disk": Planted(_do_not_sync),
    "a newer program": Planted(_be_newer),
}
