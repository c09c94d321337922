"""Audit entries: hashed over their canonical JSON, written in the order of their columns."""

import hashlib
import inspect

import rfc8785

from sidecar.store.compiled import transaction as sql
from sidecar.store.transaction import GENESIS, _digest, entry_hash

ENTRY = {
    "seq": 7,
    "at": "2026-08-05T10:00:00.000Z",
    "actor": "host",
    "action": 'a "quoted"\\ action\n\x01 of \u20ac and \U0001f600',
    "decision": "accepted",
    "code": None,
    "conversation_id": "conversation-1",
    "app_scope": None,
    "instance_id": None,
    "subject": "call-1",
    "detail": {"z": 1, "a": {"\u20ac": "\x7f", "b": None}},
    "previous_hash": GENESIS,
}


def test_the_hash_is_that_of_the_canonical_json():
    for entry in (ENTRY, {**ENTRY, "detail": None, "subject": None, "code": "lifecycle_denied"}):
        assert entry_hash(entry) == hashlib.sha256(rfc8785.dumps(entry)).hexdigest()


def test_an_entry_is_written_in_the_order_of_its_columns():
    assert sql.ADD_ENTRY.order == (*inspect.signature(_digest).parameters, "hash")
