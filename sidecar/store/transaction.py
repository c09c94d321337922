"""One transaction for all that arrived together, one savepoint for each request in it (RULES 1).

A status is written by :meth:`Transaction.move` alone: it asks the transition table, writes by compare-and-set, and
writes the audit entry of the same act, whose detail says the new ``status``.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from json.encoder import encode_basestring
from typing import Any, Literal, NamedTuple

from rpc_schema.audit import Actor, Decision
from sidecar.clock import timestamp
from sidecar.domain.transitions import TransitionTable
from sidecar.store.compiled import transaction as sql
from sidecar.store.database import Cursor, Database
from sidecar.store.statement import Statement

GENESIS = "0" * 64
"""What the first audit entry names as its predecessor."""

_JSON = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)


class LostRaceError(Exception):
    """A compare-and-set found another status than the one that was read: a fault of this program."""


class CommitError(Exception):
    """The store cannot be written: its disk is full or gone. What was to be committed was taken back."""


class Act(NamedTuple):
    """Who did what, as the audit says it; ``subject`` is the id of what it was done to."""

    actor: Actor
    action: str
    conversation_id: str | None = None
    app_scope: str | None = None
    instance_id: str | None = None
    subject: str | None = None
    detail: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Machine:
    """A table of the store, by name, whose ``status`` follows a transition table; ``key`` names its key columns."""

    noun: str
    table: TransitionTable
    key: tuple[str, ...]


class Transaction:
    """The store's one writer. Begun by a request's first statement, or the first write, and committed by its owner."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._execute = database.execute
        self._open = False
        self._mark: Literal["none", "wanted", "transaction", "savepoint"] = "none"
        self._head = self._read_head()
        self._head_at_mark = self._head
        self._head_at_commit = self._head

    # -- reading and writing
    def one(self, statement: Statement, **params: Any) -> Any:
        """The first row, or None."""
        values = self._read(statement, params).fetchone()
        return None if values is None else statement.row(values)

    def all(self, statement: Statement, **params: Any) -> list[Any]:
        """Every row."""
        return [statement.row(values) for values in self._read(statement, params).fetchall()]

    def some(
        self, statement: Statement, size: Callable[[Any], int], room: int, *, least: int = 0, **params: Any
    ) -> tuple[list[Any], bool]:
        """The first rows whose ``size`` fits into ``room``, at ``least`` so many; whether there are more.

        However large the rest is, it is not read.
        """
        cursor = self._read(statement, params)
        rows: list[Any] = []
        while (values := cursor.fetchone()) is not None:
            row = statement.row(values)
            room -= size(row)
            if room < 0 and len(rows) >= least:
                return rows, True
            rows.append(row)
        return rows, False

    def values(self, statement: Statement, **params: Any) -> Any:
        """The columns of the one row, as they come."""
        return self._read(statement, params).fetchone()

    def value(self, statement: Statement, **params: Any) -> Any:
        """The first column of the first row, or None."""
        values = self._read(statement, params).fetchone()
        return None if values is None else values[0]

    def write(self, statement: Statement, **params: Any) -> int:
        """Run a write; how many rows it touched."""
        self._begin()
        text, bound = statement.bind(params)
        return self._execute(text, bound).rowcount

    def _read(self, statement: Statement, params: dict[str, Any]) -> Cursor:
        if not self._open and self._mark == "wanted":
            self._begin()
        text, bound = statement.bind(params)
        return self._execute(text, bound)

    # -- statuses and audit
    def move(self, machine: Machine, row: Any, event: str, act: Act, *, now: int, **fields: Any) -> str:
        """Move a row by an event of its table, with other fields and the audit entry; the new status.

        Raises:
            IllegalMove: the table has no such move.
            LostRaceError: the row's status is no longer what ``row`` says.
        """
        target = machine.table.after(row.status, event)
        statement = _move_statement(machine.noun, machine.key, tuple(sorted(fields)))
        keys = {f"key_{name}": getattr(row, name) for name in machine.key}
        moved = self.write(statement, old_status=row.status, status=target, updated_at=now, **keys, **fields)
        if moved != 1:
            raise LostRaceError(f"{machine.table.noun} {keys}: {event} from {row.status}")
        self._append(act, {**(act.detail or {}), "status": target}, now, "accepted", None)
        return target

    def audit(self, act: Act, *, at: int, decision: Decision = "accepted", code: str | None = None) -> None:
        """Append an entry to the hash chain."""
        self._append(act, act.detail, at, decision, code)

    def _append(self, act: Act, detail: dict[str, Any] | None, at: int, decision: Decision, code: str | None) -> None:
        seq, previous = self._head[0] + 1, self._head[1]
        entry = (
            seq,
            timestamp(at),
            act.actor,
            act.action,
            decision,
            code,
            act.conversation_id,
            act.app_scope,
            act.instance_id,
            act.subject,
            None if detail is None else _JSON.encode(detail),
            previous,
        )
        digest = _digest(*entry)
        self._begin()
        self._execute(sql.ADD_ENTRY.text, (*entry, digest))  # in the order of the columns, which a test holds
        self._head = (seq, digest)

    # -- boundaries
    def mark(self) -> None:
        """Begin a request: what it writes can be taken back by :meth:`undo`."""
        self._mark = "wanted"
        self._head_at_mark = self._head

    def undo(self) -> None:
        """Take back what was written since the last mark."""
        if self._mark == "savepoint":
            self._execute("ROLLBACK TO request", ())
            self._execute("RELEASE request", ())
        elif self._mark == "transaction":
            self._execute("ROLLBACK", ())
            self._open = False
        self._mark = "none"
        self._head = self._head_at_mark

    def keep(self) -> None:
        """End a request: what it wrote stays, if the transaction commits."""
        if self._mark == "savepoint":
            self._execute("RELEASE request", ())
        self._mark = "none"

    def commit(self) -> None:
        """Make everything durable.

        Raises:
            CommitError: the store cannot be written; everything was taken back.
        """
        if not self._open:
            return
        try:
            self._database.commit()
        except self._database.failures as error:
            self.roll_back()
            raise CommitError(str(error)) from error
        self._open = False
        self._head_at_commit = self._head

    def roll_back(self) -> None:
        """Take everything back to the last commit."""
        if self._database.in_transaction:
            self._execute("ROLLBACK", ())
        self._open = False
        self._mark = "none"
        self._head = self._head_at_mark = self._head_at_commit

    def _begin(self) -> None:
        """Begin what is written into: the transaction itself for the first request, a savepoint for a later one."""
        if not self._open:
            self._database.begin()
            self._open = True
            self._mark = "transaction"
        elif self._mark == "wanted":
            self._execute("SAVEPOINT request", ())
            self._mark = "savepoint"

    def _read_head(self) -> tuple[int, str]:
        """The last entry, yet counting on from the greatest that ever was: a cut-off end stays visible as a hole."""
        row = self.one(sql.LAST_ENTRY)
        return self._database.greatest_seq("audit"), GENESIS if row is None else row.hash


def entry_hash(entry: dict[str, Any]) -> str:
    """SHA-256, in hex, over the canonical JSON of an audit entry without its own hash.

    The entry holds text, whole numbers and null alone, so that sorted compact JSON is its canonical form (RFC 8785).
    """
    detail = entry["detail"]
    return _digest(**{**entry, "detail": None if detail is None else _JSON.encode(detail)})


def _digest(
    seq: int,
    at: str,
    actor: str,
    action: str,
    decision: str,
    code: str | None,
    conversation_id: str | None,
    app_scope: str | None,
    instance_id: str | None,
    subject: str | None,
    detail: str | None,
    previous_hash: str,
) -> str:
    """The hash of an entry whose ``detail`` is canonical JSON. Written by hand, since a request makes several."""
    text = (
        f'{{"action":{_text(action)},"actor":{_text(actor)},"app_scope":{_text(app_scope)},"at":{_text(at)},'
        f'"code":{_text(code)},"conversation_id":{_text(conversation_id)},"decision":{_text(decision)},'
        f'"detail":{"null" if detail is None else detail},"instance_id":{_text(instance_id)},'
        f'"previous_hash":{_text(previous_hash)},"seq":{seq},"subject":{_text(subject)}}}'
    )
    return hashlib.sha256(text.encode()).hexdigest()


def _text(value: str | None) -> str:
    return "null" if value is None else encode_basestring(value)


@cache
def _move_statement(table: str, key: tuple[str, ...], fields: tuple[str, ...]) -> Statement:
    """A compare-and-set, put together here since which fields move along is the caller's business."""
    written = ("status", "updated_at", *fields)
    found = " AND ".join(f"{name} = ?" for name in (*key, "status"))
    text = f"UPDATE {table} SET {', '.join(f'{name} = ?' for name in written)} WHERE {found}"  # noqa: S608 - our names
    return Statement(text, (*written, *(f"key_{name}" for name in key), "old_status"))
