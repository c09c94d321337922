"""Conversations: with whom, and where the focus is."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, cast

from sidecar.domain.focus import Stack
from sidecar.store.compiled import conversations as sql
from sidecar.store.transaction import Transaction

if TYPE_CHECKING:
    from sidecar.store.tables import Conversation


def get(tx: Transaction, conversation_id: str) -> Conversation | None:
    """The conversation, if it was ever opened."""
    return cast("Conversation | None", tx.one(sql.GET, id=conversation_id))


def every(tx: Transaction) -> list[Conversation]:
    """All of them, oldest first."""
    return tx.all(sql.ALL)


def count(tx: Transaction) -> int:
    """How many there are."""
    return int(tx.value(sql.COUNT))


def add(tx: Transaction, conversation_id: str, agent_id: str, now: int) -> None:
    """Open a new one, with an empty focus stack."""
    tx.write(
        sql.ADD,
        conversation_id=conversation_id,
        agent_id=agent_id,
        revision=0,
        focus_stack="[]",
        inventory_told="",
        created_at=now,
    )


def bump(tx: Transaction, conversation_id: str) -> None:
    """Count a change of what its workspace shows."""
    tx.write(sql.BUMP, id=conversation_id)


def stack_of(conversation: Conversation) -> Stack:
    """Its focus stack, bottom to top."""
    return tuple(json.loads(conversation.focus_stack))


def set_stack(tx: Transaction, conversation_id: str, stack: Stack) -> None:
    """Write its focus stack."""
    tx.write(sql.FOCUS, id=conversation_id, focus_stack=json.dumps(stack))


def set_told(tx: Transaction, conversation_id: str, inventory_revision: str) -> None:
    """Remember which inventory its Agent was told."""
    tx.write(sql.TOLD, id=conversation_id, inventory_told=inventory_revision)
