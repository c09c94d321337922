"""What ``verify`` reads the store by: every row of each table beside the rows that it must agree with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, and_, case, exists, literal, select
from sqlmodel import SQLModel

from sidecar.store.core import condition, rows_where, statement, table_of
from sidecar.store.statement import Statement
from sidecar.store.tables import (
    INTERACTION_IS_OPEN,
    AppSession,
    Artifact,
    CapabilityRequest,
    Conversation,
    Delivery,
    InboxMessage,
    Instance,
    Interaction,
    MiniApp,
    OutboxRow,
    Receipt,
    Surface,
    ToolCall,
)


@dataclass(frozen=True, slots=True)
class Reference:
    """A column that, where it is not null, names a row of another table; both rows have the ``alike`` columns alike."""

    child: type[SQLModel]
    column: str
    parent: type[SQLModel]
    parent_column: str
    alike: tuple[str, ...] = ()

    def broken(self) -> Statement:
        """The first row whose column names nothing that fits."""
        child, parent = table_of(self.child), table_of(self.parent)
        pairs = [(self.parent_column, self.column), *((name, name) for name in self.alike)]
        fits = exists(select(literal(1)).where(*(parent.c[to] == child.c[name] for to, name in pairs)).correlate(child))
        return statement(select(child).where(child.c[self.column].is_not(None), ~fits).limit(1))


REFERENCES = [
    Reference(Instance, "conversation_id", Conversation, "conversation_id"),
    Reference(
        Instance, "app_session_id", AppSession, "app_session_id", ("conversation_id", "app_scope", "instance_id")
    ),
    Reference(AppSession, "instance_id", Instance, "instance_id", ("conversation_id", "app_scope", "app_session_id")),
    Reference(ToolCall, "conversation_id", Conversation, "conversation_id"),
    Reference(ToolCall, "instance_id", Instance, "instance_id", ("conversation_id", "app_scope")),
    Reference(ToolCall, "app_session_id", AppSession, "app_session_id", ("conversation_id",)),
    Reference(Interaction, "instance_id", Instance, "instance_id", ("conversation_id", "app_scope")),
    Reference(Interaction, "app_session_id", AppSession, "app_session_id", ("conversation_id",)),
    Reference(Interaction, "call_id", ToolCall, "call_id", ("conversation_id",)),
    Reference(Interaction, "parent_call_id", ToolCall, "call_id", ("conversation_id", "instance_id")),
    Reference(Interaction, "surface_id", Surface, "surface_id", ("instance_id",)),
    Reference(Surface, "instance_id", Instance, "instance_id", ("conversation_id",)),
    Reference(Artifact, "surface_id", Surface, "surface_id", ("conversation_id", "instance_id")),
    Reference(InboxMessage, "instance_id", Instance, "instance_id", ("conversation_id", "app_scope")),
    Reference(OutboxRow, "conversation_id", Conversation, "conversation_id"),
    Reference(OutboxRow, "call_id", ToolCall, "call_id", ("conversation_id",)),
    Reference(Delivery, "conversation_id", Conversation, "conversation_id"),
    Reference(Receipt, "conversation_id", Conversation, "conversation_id"),
    Reference(CapabilityRequest, "instance_id", Instance, "instance_id", ("conversation_id", "app_scope")),
    Reference(CapabilityRequest, "interaction_id", Interaction, "interaction_id", ("conversation_id", "instance_id")),
]
"""Every column that names a row of another table; all are served by a key or a unique index of that table."""

_T = table_of(ToolCall)
_I = table_of(Interaction)
_N = table_of(Instance)
_S = table_of(Surface)
_O = table_of(OutboxRow)
_Q = table_of(CapabilityRequest)
_SESSION = table_of(AppSession)
_R = table_of(Receipt)

_call_of_interaction = and_(_T.c.conversation_id == _I.c.conversation_id, _T.c.call_id == _I.c.call_id)


def _said_as(prefix: str) -> ColumnElement[Any]:
    """The unique key, within its conversation, of what an Agent is told once about a call."""
    return literal(f"{prefix} ") + _T.c.call_id


_told = and_(
    _O.c.conversation_id == _T.c.conversation_id,
    _O.c.unique_key == case((_T.c.status == "rejected", _said_as("tool.rejected")), else_=_said_as("tool.result")),
)
_asking = exists(
    select(literal(1)).where(
        _I.c.conversation_id == _T.c.conversation_id,
        _I.c.parent_call_id == _T.c.call_id,
        _I.c.instance_id == _T.c.instance_id,
        condition(INTERACTION_IS_OPEN),
    )
).correlate(_T)

CONVERSATIONS = rows_where(Conversation)
LIVE_INSTANCES = statement(
    select(_N.c.conversation_id, _N.c.instance_id).where(_N.c.status == "live").order_by(_N.c.conversation_id)
)
INSTANCES = statement(
    select(_N, _SESSION.c.status.label("session_status")).outerjoin(
        _SESSION, _SESSION.c.app_session_id == _N.c.app_session_id
    )
)
APP_SESSIONS = rows_where(AppSession)
MINIAPPS = rows_where(MiniApp)
CALLS = statement(
    select(
        _T,
        _N.c.status.label("instance_status"),
        _O.c.outbox_id,
        _O.c.acked_at,
        case((_asking, 1), else_=0).label("is_asking"),
    )
    .outerjoin(_N, _N.c.instance_id == _T.c.instance_id)
    .outerjoin(_O, _told)
)
INTERACTIONS = statement(
    select(
        _I,
        _T.c.tool_id,
        _T.c.status.label("call_status"),
        _T.c.result.label("call_result"),
        _N.c.status.label("instance_status"),
        _Q.c.status.label("request_status"),
    )
    .outerjoin(_T, _call_of_interaction)
    .outerjoin(_N, _N.c.instance_id == _I.c.instance_id)
    .outerjoin(_Q, _Q.c.interaction_id == _I.c.interaction_id)
)
SURFACES = statement(
    select(_S, _N.c.status.label("instance_status"), _N.c.app_scope).outerjoin(_N, _N.c.instance_id == _S.c.instance_id)
)
ARTIFACTS = rows_where(Artifact)
INBOX = rows_where(InboxMessage)
OUTBOX = statement(
    select(
        _O,
        _T.c.status.label("call_status"),
        _T.c.outcome,
        _T.c.result,
        _T.c.error,
        _T.c.error_code,
        _T.c.reason,
        _T.c.message,
        _T.c.progress_seq,
    ).outerjoin(_T, and_(_T.c.conversation_id == _O.c.conversation_id, _T.c.call_id == _O.c.call_id))
)
DELIVERIES = rows_where(Delivery)
RECEIPTS = statement(
    select(
        _R,
        _T.c.status.label("call_status"),
        _T.c.reason.label("call_reason"),
        _I.c.status.label("question_status"),
        _I.c.reason.label("question_reason"),
    )
    .outerjoin(_T, and_(_T.c.conversation_id == _R.c.conversation_id, _T.c.call_id == _R.c.call_id))
    .outerjoin(_I, and_(_I.c.conversation_id == _R.c.conversation_id, _I.c.call_id == _R.c.call_id))
)
CAPABILITY_REQUESTS = statement(
    select(
        _Q,
        _N.c.status.label("instance_status"),
        _I.c.status.label("question_status"),
        _I.c.source.label("question_source"),
    )
    .outerjoin(_N, _N.c.instance_id == _Q.c.instance_id)
    .outerjoin(_I, _I.c.interaction_id == _Q.c.interaction_id)
)
