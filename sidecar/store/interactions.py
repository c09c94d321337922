"""Standard interactions (RULES 5)."""

from __future__ import annotations

from typing import Any, cast

from sqlalchemy import bindparam, func, select

from sidecar.domain import transitions
from sidecar.store.statement import Statement, condition, count_where, insert_into, rows_where, set_where, table_of
from sidecar.store.tables import INTERACTION_IS_OPEN, Interaction
from sidecar.store.transaction import Machine, Transaction

INTERACTION = Machine(Interaction, transitions.INTERACTION, ("interaction_id",))

_C = table_of(Interaction).c
_OPEN = condition(INTERACTION_IS_OPEN)
_IN_CONVERSATION = _C.conversation_id == bindparam("conversation_id")
_OF_INSTANCE = _C.instance_id == bindparam("instance_id")
_OWN = _C.source == "miniapp_tool"
_AGENTS = _C.source == "agent_tool"
_IS = _C.interaction_id == bindparam("id")
_GET = rows_where(Interaction, _IS)
_ADD = insert_into(Interaction)
_OPEN_IN = rows_where(Interaction, _IN_CONVERSATION, _OPEN, order=[_C.interaction_id])
_COUNT_IN = count_where(Interaction, _IN_CONVERSATION, _OPEN)
_COUNT_OF = count_where(Interaction, _OF_INSTANCE, ~_AGENTS, _OPEN)
_COUNT = count_where(Interaction, _OPEN)
_OPEN_OF = rows_where(Interaction, _OF_INSTANCE, ~_AGENTS, _OPEN, order=[_C.interaction_id])
_OWN_OPEN = rows_where(Interaction, _OF_INSTANCE, _OWN, _OPEN, order=[_C.interaction_id])
_OWN_ENDED = Statement(
    select(table_of(Interaction))
    .where(_OF_INSTANCE, _OWN, ~_OPEN, _C.updated_at >= bindparam("since"))
    .order_by(_C.updated_at.desc(), _C.interaction_id.desc())
    .limit(bindparam("limit"))
)
_ANSWERED_OWN = rows_where(Interaction, _OF_INSTANCE, _OWN, _C.status == "submitted", order=[_C.interaction_id])
_AGENTS_OPEN = rows_where(Interaction, _IN_CONVERSATION, _AGENTS, _OPEN, order=[_C.interaction_id])
_AGENTS_ENDED = Statement(
    select(table_of(Interaction))
    .where(_IN_CONVERSATION, _AGENTS, ~_OPEN, _C.updated_at >= bindparam("since"))
    .order_by(_C.updated_at.desc(), _C.interaction_id.desc())
    .limit(bindparam("limit"))
)
_OF_CALL = rows_where(Interaction, _IN_CONVERSATION, _C.call_id == bindparam("call_id"))
_COUNT_OF_PARENT = count_where(
    Interaction, _IN_CONVERSATION, _C.parent_call_id == bindparam("call_id"), _OF_INSTANCE, _OPEN
)
_OPEN_OF_SESSION = rows_where(
    Interaction, _IN_CONVERSATION, _OPEN, _C.app_session_id == bindparam("session"), order=[_C.interaction_id]
)
_DUE = rows_where(Interaction, _OPEN, _C.due_at <= bindparam("now"), order=[_C.due_at, _C.interaction_id])
_NEXT_DUE = Statement(select(func.min(_C.due_at)).where(_OPEN))
_DRAFT = set_where(Interaction, ["draft"], _IS)


def get(tx: Transaction, interaction_id: str) -> Interaction | None:
    """The interaction, in whatever status."""
    return cast("Interaction | None", tx.one(_GET, id=interaction_id))


def add(tx: Transaction, **columns: Any) -> None:
    """Write a new interaction."""
    tx.write(_ADD, status="pending", result=None, reason=None, draft=None, presented=0, **columns)


def of_call(tx: Transaction, conversation_id: str, call_id: str) -> Interaction | None:
    """The interaction that an Agent's call made."""
    return cast("Interaction | None", tx.one(_OF_CALL, conversation_id=conversation_id, call_id=call_id))


def open_in(tx: Transaction, conversation_id: str) -> list[Interaction]:
    """The open ones of a conversation, oldest first."""
    return tx.all(_OPEN_IN, conversation_id=conversation_id)


def agents(tx: Transaction, conversation_id: str, *, since: int, limit: int) -> list[Interaction]:
    """The Agent's: the open ones and the newest that ended since, oldest first."""
    ended = tx.all(_AGENTS_ENDED, conversation_id=conversation_id, since=since, limit=limit)
    asked = tx.all(_AGENTS_OPEN, conversation_id=conversation_id)
    return sorted([*asked, *ended], key=lambda row: str(row.interaction_id))


def open_of(tx: Transaction, instance_id: str) -> list[Interaction]:
    """The open ones that an instance, or the policy on its behalf, asked."""
    return tx.all(_OPEN_OF, instance_id=instance_id)


def open_of_session(tx: Transaction, conversation_id: str, app_session_id: str) -> list[Interaction]:
    """The Agent's open ones that name an app session."""
    return tx.all(_OPEN_OF_SESSION, conversation_id=conversation_id, session=app_session_id)


def count_of_parent(tx: Transaction, conversation_id: str, call_id: str, instance_id: str) -> int:
    """How many open ones name that call as their parent."""
    ids = {"conversation_id": conversation_id, "call_id": call_id, "instance_id": instance_id}
    return int(tx.value(_COUNT_OF_PARENT, **ids))


def own(tx: Transaction, instance_id: str, *, since: int, limit: int) -> list[Interaction]:
    """An instance's own: the open ones and the newest that ended since, oldest first."""
    ended = tx.all(_OWN_ENDED, instance_id=instance_id, since=since, limit=limit)
    return sorted([*tx.all(_OWN_OPEN, instance_id=instance_id), *ended], key=lambda row: str(row.interaction_id))


def answered(tx: Transaction, instance_id: str) -> list[Interaction]:
    """An instance's own that were answered but not handed to it yet."""
    return tx.all(_ANSWERED_OWN, instance_id=instance_id)


def count_in(tx: Transaction, conversation_id: str) -> int:
    """How many are open in a conversation."""
    return int(tx.value(_COUNT_IN, conversation_id=conversation_id))


def count_of(tx: Transaction, instance_id: str) -> int:
    """How many an instance, or the policy on its behalf, has open."""
    return int(tx.value(_COUNT_OF, instance_id=instance_id))


def count(tx: Transaction) -> int:
    """How many are open."""
    return int(tx.value(_COUNT))


def due(tx: Transaction, now: int) -> list[Interaction]:
    """The open ones that are overdue, longest first."""
    return tx.all(_DUE, now=now)


def next_due(tx: Transaction) -> int | None:
    """When the next open one is due."""
    return cast("int | None", tx.value(_NEXT_DUE))


def set_draft(tx: Transaction, interaction_id: str, draft: str) -> None:
    """Keep what the user has typed; it goes with the move that ends the question."""
    tx.write(_DRAFT, id=interaction_id, draft=draft)
