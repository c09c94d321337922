"""Standard interactions."""

from __future__ import annotations

from sqlalchemy import and_, bindparam, func, select

from sidecar.store.core import condition, count_where, insert_into, rows_where, set_where, statement, table_of
from sidecar.store.definitions.instances import HOME
from sidecar.store.tables import (
    INTERACTION_IS_ANSWERED,
    INTERACTION_IS_ENDED,
    INTERACTION_IS_OPEN,
    IS_OF_AGENT,
    IS_OF_MINIAPP,
    Interaction,
)

_C = table_of(Interaction).c
_OPEN = condition(INTERACTION_IS_OPEN)
_IN_CONVERSATION = _C.conversation_id == bindparam("conversation_id")
_OF_INSTANCE = _C.instance_id == bindparam("instance_id")
_OPEN_THERE = and_(_C.conversation_id == HOME, _OF_INSTANCE, _OPEN)
_ENDED = condition(INTERACTION_IS_ENDED)
_OWN = condition(IS_OF_MINIAPP)
_AGENTS = condition(IS_OF_AGENT)
_IS = _C.interaction_id == bindparam("id")
GET = rows_where(Interaction, _IS)
ADD = insert_into(Interaction)
OPEN_IN = rows_where(Interaction, _IN_CONVERSATION, _OPEN, order=[_C.interaction_id])
OPEN_SIZE = statement(
    select(
        func.count(),
        func.coalesce(func.sum(func.length(_C.request) + func.coalesce(func.length(_C.draft), 0)), 0),
    ).where(_IN_CONVERSATION, _OPEN)
)
COUNT_OF = count_where(Interaction, _OPEN_THERE, _C.source != "agent_tool")
COUNT = count_where(Interaction, _OPEN)
OPEN_OF = rows_where(Interaction, _OPEN_THERE, _C.source != "agent_tool", order=[_C.interaction_id])
OWN_OPEN = rows_where(Interaction, _OPEN_THERE, _OWN, order=[_C.interaction_id])
OWN_ENDED = statement(
    select(table_of(Interaction))
    .where(_OF_INSTANCE, _OWN, _ENDED, _C.updated_at >= bindparam("since"))
    .order_by(_C.updated_at.desc(), _C.interaction_id.desc())
    .limit(bindparam("limit"))
)
_ANSWERED = and_(_OF_INSTANCE, _OWN, condition(INTERACTION_IS_ANSWERED))
ANSWERED_OWN = rows_where(Interaction, _ANSWERED, order=[_C.interaction_id])
HAS_ANSWERED = statement(select(_C.interaction_id).where(_ANSWERED).limit(1))
AGENTS_OPEN = rows_where(Interaction, _IN_CONVERSATION, _AGENTS, _OPEN, order=[_C.interaction_id])
AGENTS_ENDED = statement(
    select(table_of(Interaction))
    .where(_IN_CONVERSATION, _AGENTS, _ENDED, _C.updated_at >= bindparam("since"))
    .order_by(_C.updated_at.desc(), _C.interaction_id.desc())
    .limit(bindparam("limit"))
)
OF_CALL = rows_where(Interaction, _IN_CONVERSATION, _C.call_id == bindparam("call_id"))
COUNT_OF_PARENT = count_where(
    Interaction, _IN_CONVERSATION, _C.parent_call_id == bindparam("call_id"), _OF_INSTANCE, _OPEN
)
OPEN_OF_SESSION = rows_where(
    Interaction, _IN_CONVERSATION, _OPEN, _C.app_session_id == bindparam("session"), order=[_C.interaction_id]
)
DUE = rows_where(Interaction, _OPEN, _C.due_at <= bindparam("now"), order=[_C.due_at, _C.interaction_id])
NEXT_DUE = statement(select(func.min(_C.due_at)).where(_OPEN))
DRAFT = set_where(Interaction, ["draft"], _IS)
