"""Faults that the program does not have, planted from outside: the matrix must turn red where one of them is."""

from __future__ import annotations

import asyncio
import ctypes
import os
import select
import signal
from collections.abc import Callable
from typing import Any, NamedTuple

from tests.reliability.doomed import find, wrap
from tests.reliability.points import HOST, MIGRATION, NEWER, PLACE, SIDECAR, STEP, TREE, WORKER

Inner = Callable[..., Any]
_PR_SET_PDEATHSIG = 1


class Noticed(NamedTuple):
    """A cell that turns red: who dies, what is under way and when, and the columns that do not hold."""

    victim: str
    part: str
    row: str
    moment: str
    columns: tuple[str, ...]


class Planted(NamedTuple):
    """A fault; what is noticed by no cell is for other tests."""

    plant: Callable[[], None]
    noticed: tuple[Noticed, ...] = ()


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
                rows, _ = outbox.next_after(unit.tx, conversation.conversation_id, 0, 64)
                for row in rows:
                    if row.type == "lineup.v1.tool.result":
                        again = {name: getattr(row, name) for name in ("conversation_id", "type", "payload", "call_id")}
                        times = {"outbox_id": unit.new_id(), "created_at": unit.now}
                        outbox.add(unit.tx, **again, **times, unique_key=None)

        return recover

    wrap("sidecar.services.recovery:recover", make)


def _die_with_the_host() -> None:
    """The kernel kills the sidecar together with its Host."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _outlive_the_host() -> None:
    """Who has lost its Host goes on for ever."""
    host = os.pidfd_open(os.getppid())

    def is_dying() -> bool:
        """Whether it is gone or about to be: its pipes close a moment before it is."""
        return bool(select.select([host], [], [], 1.0)[0])

    def make(inner: Inner) -> Inner:
        return lambda *given: None if is_dying() else inner(*given)

    wrap("sidecar.rpc.serve:Server.exit", make)
    wrap("sidecar.rpc.watch:end_soon", make)


def _give_up_a_worker() -> None:
    """The first death of a worker counts as its last."""
    wrap("sidecar.app:WorkerLinks.worker_lost", lambda inner: lambda links, name, final: inner(links, name, True))


def _migrate_piecemeal() -> None:
    """Each statement of a migration is a transaction of its own."""

    def make(inner: Inner) -> Inner:
        def steps(*given: Any) -> list[str]:
            return [one for step in inner(*given) for one in (step, "COMMIT", "BEGIN IMMEDIATE")]

        return steps

    wrap("sidecar.store.sqlite:SqliteDatabase.steps", make)


def _write_the_version_first() -> None:
    """The version is written before what it stands for, and in another transaction."""

    def make(inner: Inner) -> Inner:
        def steps(database: Any, version: int) -> list[str]:
            from sidecar.store import engine

            return [
                f"PRAGMA user_version = {engine.SCHEMA_VERSION}",
                "COMMIT",
                "BEGIN IMMEDIATE",
                *inner(database, version),
            ]

        return steps

    wrap("sidecar.store.sqlite:SqliteDatabase.steps", make)


def _do_not_sync() -> None:
    """The store is written, and nobody waits until the disk has it."""
    sqlite, _ = find("sidecar.store.sqlite:_PRAGMAS")
    sqlite._PRAGMAS = tuple(one.replace("synchronous=FULL", "synchronous=OFF") for one in sqlite._PRAGMAS)


def _be_newer() -> None:
    """A program of a later version."""
    from tests.reliability import newer

    newer.plant()


_SENT, _COMMITTED, _UNCOMMITTED = "after it is sent", "after the commit", "before the commit"
_CLOSING = "after a worker is told lifecycle.closing"
_DRAFT, _ANSWER, _CLOSE = "a draft is saved", "the person answers the Agent", "the person closes the MiniApp"

FAULTS: dict[str, Planted] = {
    "the answer leaves before the commit": Planted(
        _commit_late,
        (
            Noticed(SIDECAR, STEP, _ANSWER, _SENT, ("state", "questions")),
            Noticed(TREE, STEP, _ANSWER, _SENT, ("state", "questions")),
        ),
    ),
    "a row counts as acked once it is sent": Planted(
        _ack_when_sent,
        tuple(Noticed(victim, STEP, _DRAFT, _COMMITTED, ("outbox",)) for victim in (SIDECAR, HOST, TREE)),
    ),
    "closing is two transactions": Planted(
        _close_in_two,
        (
            Noticed(SIDECAR, STEP, _CLOSE, _UNCOMMITTED, ("focus",)),
            Noticed(TREE, STEP, _CLOSE, _UNCOMMITTED, ("focus",)),
        ),
    ),
    "the audit follows in a transaction of its own": Planted(
        _audit_later,
        (
            Noticed(SIDECAR, STEP, "the Agent cancels it", _UNCOMMITTED, ("audit",)),
            Noticed(TREE, STEP, "the Agent cancels it", _UNCOMMITTED, ("audit",)),
        ),
    ),
    "what ran is not taken back": Planted(
        _take_nothing_back,
        tuple(Noticed(victim, STEP, _DRAFT, _COMMITTED, ("state",)) for victim in (SIDECAR, HOST, TREE)),
    ),
    "a result is told again in a row of its own": Planted(
        _tell_again_anew,
        (
            Noticed(SIDECAR, STEP, "the MiniApp completes the first call", _COMMITTED, ("outbox",)),
            *(Noticed(victim, PLACE, _CLOSING, "", ("results",)) for victim in (SIDECAR, HOST, TREE)),
        ),
    ),
    "the kernel kills the sidecar with its Host": Planted(
        _die_with_the_host,
        (
            Noticed(HOST, STEP, _CLOSE, _UNCOMMITTED, ("state", "focus", "end")),
            Noticed(HOST, MIGRATION, "rows are changed", "before", ("state", "end")),
        ),
    ),
    "the sidecar outlives its Host": Planted(
        _outlive_the_host, (Noticed(HOST, STEP, _ANSWER, "half of it sent", ("end",)),)
    ),
    "a worker that died is given up": Planted(
        _give_up_a_worker,
        (
            Noticed(WORKER, PLACE, "before a worker asks tools.complete", "", ("state",)),
            Noticed(WORKER, PLACE, "before it asks sdk.tools.complete", "", ("outbox",)),
        ),
    ),
    "each statement of a migration is a transaction": Planted(
        _migrate_piecemeal,
        tuple(Noticed(victim, MIGRATION, "rows are changed", "before", ("state",)) for victim in (SIDECAR, TREE)),
    ),
    "the version of a store is written first": Planted(
        _write_the_version_first,
        (Noticed(TREE, MIGRATION, "a table is made", "before", ("state",)),),
    ),
    "nobody waits for the disk": Planted(_do_not_sync),
    NEWER: Planted(_be_newer),
}
