"""Standard interactions (RULES 5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from rpc_schema import limits
from sidecar.domain import transitions
from sidecar.store.compiled import interactions as sql
from sidecar.store.transaction import Machine, Transaction

if TYPE_CHECKING:
    from sidecar.store.tables import Interaction

INTERACTION = Machine("interaction", transitions.INTERACTION, ("interaction_id",))


def get(tx: Transaction, interaction_id: str) -> Interaction | None:
    """The interaction, in whatever status."""
    return cast("Interaction | None", tx.one(sql.GET, id=interaction_id))


def add(tx: Transaction, **columns: Any) -> None:
    """Write a new interaction."""
    tx.write(sql.ADD, status="pending", result=None, reason=None, draft=None, presented=0, **columns)


def of_call(tx: Transaction, conversation_id: str, call_id: str) -> Interaction | None:
    """The interaction that an Agent's call made."""
    return cast("Interaction | None", tx.one(sql.OF_CALL, conversation_id=conversation_id, call_id=call_id))


def open_in(tx: Transaction, conversation_id: str) -> list[Interaction]:
    """The open ones of a conversation, oldest first."""
    return tx.all(sql.OPEN_IN, conversation_id=conversation_id)


def agents(tx: Transaction, conversation_id: str, *, since: int, limit: int) -> list[Interaction]:
    """The Agent's: the open ones and the newest that ended since, oldest first."""
    asked = tx.all(sql.AGENTS_OPEN, conversation_id=conversation_id)
    room = _room_beside(asked)
    ended, _ = tx.some(sql.AGENTS_ENDED, _size, room, conversation_id=conversation_id, since=since, limit=limit)
    return sorted([*asked, *ended], key=lambda row: str(row.interaction_id))


def open_of(tx: Transaction, instance_id: str) -> list[Interaction]:
    """The open ones that an instance, or the policy on its behalf, asked."""
    return tx.all(sql.OPEN_OF, instance_id=instance_id)


def open_of_session(tx: Transaction, conversation_id: str, app_session_id: str) -> list[Interaction]:
    """The Agent's open ones that name an app session."""
    return tx.all(sql.OPEN_OF_SESSION, conversation_id=conversation_id, session=app_session_id)


def count_of_parent(tx: Transaction, conversation_id: str, call_id: str, instance_id: str) -> int:
    """How many open ones name that call as their parent."""
    ids = {"conversation_id": conversation_id, "call_id": call_id, "instance_id": instance_id}
    return int(tx.value(sql.COUNT_OF_PARENT, **ids))


def own(tx: Transaction, instance_id: str, *, since: int, limit: int) -> list[Interaction]:
    """An instance's own: the open ones and the newest that ended since, oldest first."""
    asked = tx.all(sql.OWN_OPEN, instance_id=instance_id)
    room = _room_beside(asked)
    ended, _ = tx.some(sql.OWN_ENDED, _size, room, instance_id=instance_id, since=since, limit=limit)
    return sorted([*asked, *ended], key=lambda row: str(row.interaction_id))


def answered(tx: Transaction, instance_id: str) -> list[Interaction]:
    """An instance's own that were answered but not handed to it yet, as many as :func:`own` has room for."""
    room = _room_beside(tx.all(sql.OWN_OPEN, instance_id=instance_id))
    waiting, _ = tx.some(sql.ANSWERED_OWN, _size, room, least=1, instance_id=instance_id)
    return waiting


def has_answered(tx: Transaction, instance_id: str) -> bool:
    """Whether an instance's own was answered but not handed to it yet."""
    return tx.value(sql.HAS_ANSWERED, instance_id=instance_id) is not None


def size_in(tx: Transaction, conversation_id: str) -> tuple[int, int]:
    """How many are open in a conversation, and the bytes of their requests and drafts."""
    count, size = tx.values(sql.OPEN_SIZE, conversation_id=conversation_id)
    return int(count), int(size)


def count_of(tx: Transaction, instance_id: str) -> int:
    """How many an instance, or the policy on its behalf, has open."""
    return int(tx.value(sql.COUNT_OF, instance_id=instance_id))


def count(tx: Transaction) -> int:
    """How many are open."""
    return int(tx.value(sql.COUNT))


def due(tx: Transaction, now: int) -> list[Interaction]:
    """The open ones that are overdue, longest first."""
    return tx.all(sql.DUE, now=now)


def next_due(tx: Transaction) -> int | None:
    """When the next open one is due."""
    return cast("int | None", tx.value(sql.NEXT_DUE))


def set_draft(tx: Transaction, interaction_id: str, draft: str) -> None:
    """Keep what the user has typed; it goes with the move that ends the question."""
    tx.write(sql.DRAFT, id=interaction_id, draft=draft)


def _size(row: Interaction) -> int:
    return len(row.request) + len(row.result or "")


def _room_beside(asked: list[Interaction]) -> int:
    """What is left for endings in a list that has all of the open ones."""
    return limits.MAX_RECORDS_BYTES - sum(map(_size, asked))
