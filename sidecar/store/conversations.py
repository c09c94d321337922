"""Conversations: with whom, and where the focus is."""

from __future__ import annotations

import json
from typing import cast

from sqlalchemy import bindparam

from sidecar.domain.focus import Stack
from sidecar.store.statement import Statement, count_where, insert_into, rows_where, set_where, table_of
from sidecar.store.tables import Conversation
from sidecar.store.transaction import Transaction

_TABLE = table_of(Conversation)
_C = _TABLE.c
_IS = _C.conversation_id == bindparam("id")
_GET = rows_where(Conversation, _IS)
_ALL = rows_where(Conversation, order=[_C.created_at, _C.conversation_id])
_ADD = insert_into(Conversation)
_BUMP = Statement(_TABLE.update().where(_IS).values(revision=_C.revision + 1))
_FOCUS = set_where(Conversation, ["focus_stack"], _IS)
_TOLD = set_where(Conversation, ["inventory_told"], _IS)
_COUNT = count_where(Conversation)


def get(tx: Transaction, conversation_id: str) -> Conversation | None:
    """The conversation, if it was ever opened."""
    return cast("Conversation | None", tx.one(_GET, id=conversation_id))


def every(tx: Transaction) -> list[Conversation]:
    """All of them, oldest first."""
    return tx.all(_ALL)


def count(tx: Transaction) -> int:
    """How many there are."""
    return int(tx.value(_COUNT))


def add(tx: Transaction, conversation_id: str, agent_id: str, now: int) -> None:
    """Open a new one, with an empty focus stack."""
    tx.write(
        _ADD,
        conversation_id=conversation_id,
        agent_id=agent_id,
        revision=0,
        focus_stack="[]",
        inventory_told="",
        created_at=now,
    )


def bump(tx: Transaction, conversation_id: str) -> None:
    """Count a change of what its workspace shows."""
    tx.write(_BUMP, id=conversation_id)


def stack_of(conversation: Conversation) -> Stack:
    """Its focus stack, bottom to top."""
    return tuple(json.loads(conversation.focus_stack))


def set_stack(tx: Transaction, conversation_id: str, stack: Stack) -> None:
    """Write its focus stack."""
    tx.write(_FOCUS, id=conversation_id, focus_stack=json.dumps(stack))


def set_told(tx: Transaction, conversation_id: str, inventory_revision: str) -> None:
    """Remember which inventory its Agent was told."""
    tx.write(_TOLD, id=conversation_id, inventory_told=inventory_revision)
