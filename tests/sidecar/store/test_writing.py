"""What is written comes back equal and in order, what is taken back leaves nothing, whichever database it is."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from rpc_schema.audit import AuditEntry
from sidecar.store import audit, conversations, miniapps, outbox, surfaces
from sidecar.store.compiled import conversations as sql
from sidecar.store.database import SCHEMA_VERSION, Database, StoreError
from sidecar.store.engine import open_database, open_to_read
from sidecar.store.inspection import View
from sidecar.store.transaction import Act, Transaction

TEXTS = [
    "",
    "\0",
    "\0\1",
    "\1",
    "\1\2",
    "\1\3",
    "\2",
    " ",
    "A",
    "Z",
    "a",
    "a\0",
    "a\0b",
    "a\1",
    "ab",
    "~",
    "\x7f",
    "é",
    "\uffff",
    "😀",
]


@pytest.fixture
def tx(store: Database) -> Iterator[Transaction]:
    """A writer; what a test has not committed is gone."""
    tx = Transaction(store)
    yield tx
    tx.roll_back()


def named(tx: Transaction) -> set[str]:
    """The conversations that are there."""
    return {one.conversation_id for one in conversations.every(tx)}


def entries(tx: Transaction) -> list[AuditEntry]:
    """The whole audit."""
    return audit.entries(tx, after=0, limit=500, conversation_id=None)


def test_every_text_comes_back_equal_and_sorts_by_its_bytes(tx: Transaction) -> None:
    for text in TEXTS:
        outbox.add(
            tx,
            outbox_id=f"id {text}",
            conversation_id=text,
            type=text,
            payload=text,
            call_id=None,
            unique_key=text,
            created_at=1,
        )
    waiting = outbox.waiting(tx)
    assert waiting == sorted(TEXTS, key=str.encode)
    for text in TEXTS:
        [row], more = outbox.next_after(tx, text, 0, 10)
        assert not more
        assert (row.outbox_id, row.type, row.payload, row.unique_key) == (f"id {text}", text, text, text)
        assert outbox.of_key(tx, text, text) == row


def test_whole_numbers_of_64_bits_and_bytes_come_back_equal(tx: Transaction) -> None:
    most = 2**63 - 1
    content = bytes(range(256)) * 64
    kept = {"name": "n", "media_type": "m", "sha256": "s"}
    ids = {"instance_id": "i", "surface_id": "s", "conversation_id": "c"}
    surfaces.add_artifact(tx, artifact_id="a", byte_size=len(content), content=content, created_at=most, **kept, **ids)
    row = surfaces.artifact(tx, "a")
    assert row is not None
    assert (row.content, row.byte_size, row.created_at) == (content, len(content), most)
    assert (surfaces.artifact_bytes(tx, "i"), surfaces.artifact_bytes(tx, "nobody")) == (len(content), 0)


def test_a_request_that_is_taken_back_leaves_the_others(tx: Transaction) -> None:
    for name, keeps in (("first", False), ("second", True), ("third", False), ("fourth", True)):
        tx.mark()
        conversations.add(tx, name, "agent", 1)
        tx.audit(Act("host", name), at=1)
        (tx.keep if keeps else tx.undo)()
    tx.commit()
    assert named(tx) == {"second", "fourth"}
    assert [one.action for one in entries(tx)] == ["second", "fourth"]
    assert [one.seq for one in entries(tx)] == [1, 2]


def test_a_statement_that_the_database_refuses_takes_back_its_own_request_alone(
    tx: Transaction, store: Database
) -> None:
    tx.mark()
    conversations.add(tx, "before", "agent", 1)
    tx.keep()
    tx.mark()
    with pytest.raises(store.failures):
        conversations.add(tx, "before", "agent", 1)
    tx.undo()
    tx.mark()
    conversations.add(tx, "after", "agent", 1)
    tx.keep()
    tx.commit()
    assert named(tx) >= {"before", "after"}


def test_what_is_rolled_back_is_gone(tx: Transaction) -> None:
    before = len(entries(tx))
    tx.mark()
    miniapps.set_enabled(tx, "gone", False)
    tx.audit(Act("host", "gone"), at=1)
    tx.keep()
    tx.roll_back()
    assert "gone" not in miniapps.disabled(tx)
    assert len(entries(tx)) == before


def test_the_greatest_number_of_the_audit_outlives_its_entry(tx: Transaction, store: Database) -> None:
    tx.audit(Act("host", "last"), at=1)
    tx.commit()
    greatest = store.greatest_seq("audit")
    assert greatest == entries(tx)[-1].seq
    tx.audit(Act("host", "taken back"), at=1)
    tx.roll_back()
    assert store.greatest_seq("audit") == greatest
    store.execute("DELETE FROM audit", ())
    assert (entries(tx), store.greatest_seq("audit")) == ([], greatest)
    again = Transaction(store)
    again.audit(Act("host", "next"), at=1)
    again.commit()
    assert [one.seq for one in entries(again)] == [greatest + 1]


def test_a_view_sees_one_moment_and_nothing_that_is_not_committed(tx: Transaction, address: str) -> None:
    looker = open_to_read(address)
    view = View(looker)
    first = view.greatest_audit_seq()
    tx.audit(Act("host", "meanwhile"), at=1)
    assert view.greatest_audit_seq() == first
    tx.commit()
    assert view.greatest_audit_seq() == first
    assert view.fault() is None
    looker.close()


def test_a_reader_cannot_write(address: str, store: Database) -> None:
    looker = open_to_read(address)
    View(looker)
    with pytest.raises(looker.failures):
        looker.execute("DELETE FROM conversation", ())
    looker.close()


def test_a_store_that_cannot_be_finished_is_not_begun(
    address: str, store: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = type(store).steps
    monkeypatch.setattr(type(store), "steps", lambda self, version: [*steps(self, version), "CREATE NONSENSE"])
    with pytest.raises(StoreError, match="cannot use the store at"):
        open_database(f"{address}_other")
    monkeypatch.undo()
    database = open_database(f"{address}_other")
    assert (database.version(), Transaction(database).value(sql.COUNT)) == (SCHEMA_VERSION, 0)
    database.close()
