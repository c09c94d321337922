"""The floor: what the disk and SQLite alone take for the two commits of a loop, in this process and without JSON-RPC.

Each loop writes rows of the Runtime's kind and number, under as many keys and indexes: an invoke (the message id, the
call, its hand-over, two audit entries, the workspace's revision), then its completion (the call's outcome, the outbox
row, an audit entry, the revision).
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from time import perf_counter
from typing import Self

from benchmarks.sides import TEXT

_SCHEMA = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
CREATE TABLE conversation (id TEXT PRIMARY KEY, revision INTEGER);
CREATE TABLE delivery (conversation TEXT, message TEXT, at INTEGER, PRIMARY KEY (conversation, message));
CREATE INDEX deliveries_by_time ON delivery (at);
CREATE TABLE call (
    seq INTEGER PRIMARY KEY, conversation TEXT, call TEXT, tool TEXT, revision TEXT, instance TEXT, status TEXT,
    input TEXT, result TEXT, outcome TEXT, at INTEGER, changed INTEGER, due INTEGER
);
CREATE UNIQUE INDEX one_call ON call (conversation, call);
CREATE INDEX open_of_instance ON call (instance, seq) WHERE status IN ('waiting', 'running');
CREATE INDEX open_of_conversation ON call (conversation, seq) WHERE status IN ('waiting', 'running');
CREATE INDEX open_by_due ON call (due) WHERE status IN ('waiting', 'running');
CREATE TABLE outbox (
    seq INTEGER PRIMARY KEY, id TEXT UNIQUE, conversation TEXT, type TEXT, payload TEXT, once TEXT UNIQUE, at INTEGER,
    acked INTEGER
);
CREATE INDEX pending ON outbox (conversation, seq) WHERE acked IS NULL;
CREATE TABLE audit (
    seq INTEGER PRIMARY KEY, at TEXT, actor TEXT, action TEXT, decision TEXT, conversation TEXT, scope TEXT,
    instance TEXT, subject TEXT, detail TEXT, previous TEXT, hash TEXT
);
CREATE INDEX audit_of_conversation ON audit (conversation, seq);
CREATE INDEX audit_of_subject ON audit (subject, seq);
INSERT INTO conversation VALUES ('conversation-1', 0);
"""

_TOUCH = "UPDATE conversation SET revision = revision + 1 WHERE id = 'conversation-1'"
_AUDIT = "INSERT INTO audit VALUES (NULL, ?, ?, ?, 'accepted', 'conversation-1', 'bench', ?, ?, ?, ?, ?)"
_DELIVERY = "INSERT INTO delivery VALUES ('conversation-1', ?, ?)"
_CALL = """INSERT INTO call VALUES
    (NULL, 'conversation-1', ?, 'bench.echo', ?, ?, 'waiting', ?, NULL, NULL, ?, ?, ?)"""
_HAND_OVER = (
    "UPDATE call SET status = 'running', changed = ? WHERE conversation = ? AND call = ? AND status = 'waiting'"
)
_SUBMIT = """UPDATE call SET status = 'submitted', outcome = 'completed', result = ?, changed = ?, due = NULL
    WHERE conversation = 'conversation-1' AND call = ? AND status = 'running'"""
_OUTBOX = "INSERT INTO outbox VALUES (NULL, ?, 'conversation-1', 'lineup.v1.tool.result', ?, ?, ?, NULL)"

_ID = "01k1p3zv8e6w2q9r4t7y"
_HASH = "8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4"
_AT = "2026-01-01T00:00:00.000Z"


class Floor:
    """A store of its own in the same folder, and so on the same disk."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._connection = sqlite3.connect(folder / "floor.sqlite", isolation_level=None)
        self._connection.executescript(_SCHEMA)
        self._count = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def loop(self) -> float:
        """Both commits; the seconds they took."""
        self._count += 1
        call = f"call-{self._count}"
        begun = perf_counter()
        self._invoke(call)
        self._complete(call)
        return perf_counter() - begun

    def _invoke(self, call: str) -> None:
        run = self._connection.execute
        run("BEGIN IMMEDIATE")
        run(_DELIVERY, (f"message-{self._count}", self._count))
        text = f'{{"text":"{TEXT}"}}'
        run(_CALL, (call, "inv_0123456789abcdef", _ID, text, self._count, self._count, self._count))
        self._audit("agent", "lineup.v1.tool.invoke", call)
        run(_HAND_OVER, (self._count, "conversation-1", call))
        self._audit("agent", "lineup.v1.tool.invoke", call)
        run(_TOUCH)
        run("COMMIT")

    def _complete(self, call: str) -> None:
        run = self._connection.execute
        run("BEGIN IMMEDIATE")
        text = f'{{"text":"{TEXT}"}}'
        run(_SUBMIT, (text, self._count, call))
        self._audit("miniapp", "sdk.tools.complete", call)
        payload = f'{{"call_id":"{call}","status":"completed","result":{text}}}'
        run(_OUTBOX, (f"{_ID}{self._count}", payload, f"tool.result conversation-1 {call}", self._count))
        run(_TOUCH)
        run("COMMIT")

    def _audit(self, actor: str, action: str, call: str) -> None:
        detail = '{"tool_id":"bench.echo"}'
        self._connection.execute(_AUDIT, (_AT, actor, action, _ID, call, detail, _HASH, _HASH))
