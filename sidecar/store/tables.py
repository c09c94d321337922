"""The tables, as SQLModel classes: the one place where columns, keys and checks are named.

Times are milliseconds, JSON is text, truth is 0 or 1. Rows are read as light named tuples that these classes type
(:mod:`sidecar.store.statement`), so that neither an ORM session nor its cost stands on a hot path.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, CheckConstraint, Column, Index, Integer, LargeBinary, text
from sqlmodel import Field, SQLModel

from sidecar.domain import transitions

_Seq = BigInteger().with_variant(Integer(), "sqlite")


def _ms(*, optional: bool = False) -> Column[int]:
    return Column(BigInteger(), nullable=optional)


def _seq() -> Column[int]:
    return Column(_Seq, primary_key=True, autoincrement=True)


def _among(statuses: tuple[str, ...]) -> str:
    """No ``IN``: for a list SQLite builds a table of its own, at each run of each statement that meets it."""
    return "(" + " OR ".join(f"status = '{status}'" for status in statuses) + ")"


def _status_check(table: transitions.TransitionTable) -> CheckConstraint:
    return CheckConstraint(_among(table.statuses))


CALL_IS_OPEN = _among(transitions.CALL_OPEN)
CALL_IS_UNFINISHED = _among((*transitions.CALL_OPEN, "submitted"))
INTERACTION_IS_OPEN = _among(transitions.INTERACTION_OPEN)
INTERACTION_IS_ENDED = f"NOT {INTERACTION_IS_OPEN}"
INTERACTION_IS_ANSWERED = "status = 'submitted'"
IS_OF_MINIAPP = "source = 'miniapp_tool'"
IS_OF_AGENT = "source = 'agent_tool'"
CAPABILITY_IS_OPEN = _among(transitions.CAPABILITY_OPEN)
IS_LIVE = "status = 'live'"
IS_NOT_CLOSED = "status <> 'closed'"
IS_PENDING = "acked_at IS NULL"
IS_ACKED = "acked_at IS NOT NULL"
"""Conditions as literal SQL: a query that uses the same text is served by the partial index of that text."""


def _partial(name: str, *columns: str, where: str, unique: bool = False) -> Index:
    condition = text(where)
    return Index(name, *columns, unique=unique, sqlite_where=condition, postgresql_where=condition)


class Conversation(SQLModel, table=True):
    """A conversation of one Agent and one person; ``focus_stack`` is a JSON list, bottom to top."""

    conversation_id: str = Field(primary_key=True)
    agent_id: str
    revision: int = 0
    focus_stack: str = "[]"
    inventory_told: str = ""
    created_at: int = Field(sa_column=_ms())


class MiniApp(SQLModel, table=True):
    """Whether the user has switched a MiniApp off."""

    app_scope: str = Field(primary_key=True)
    enabled: int


class Instance(SQLModel, table=True):
    """An instance; ``connected`` says that its logic has connected at least once, in whichever life."""

    __table_args__ = (
        _status_check(transitions.INSTANCE),
        _partial("one_live_instance", "conversation_id", "app_scope", where=IS_LIVE, unique=True),
    )

    instance_id: str = Field(primary_key=True)
    conversation_id: str
    app_scope: str
    app_version: str
    app_session_id: str | None
    status: str
    connected: int
    restore_focus: int
    created_at: int = Field(sa_column=_ms())
    updated_at: int = Field(sa_column=_ms())


class AppSession(SQLModel, table=True):
    """A sub-conversation about an app (RULES 4)."""

    __table_args__ = (_status_check(transitions.APP_SESSION),)

    app_session_id: str = Field(primary_key=True)
    conversation_id: str
    app_scope: str
    instance_id: str
    status: str
    created_at: int = Field(sa_column=_ms())
    updated_at: int = Field(sa_column=_ms())


class ToolCall(SQLModel, table=True):
    """A Tool call (RULES 2). ``outcome`` is fixed with ``submitted``; ``handed`` counts hand-overs to the MiniApp.

    ``deadline_at`` is what the MiniApp is told; ``due_at`` is when the Runtime must look at the call next.
    """

    __table_args__ = (
        _status_check(transitions.TOOL_CALL),
        _partial("open_calls_by_due", "due_at", where=CALL_IS_OPEN),
        _partial("unfinished_calls", "conversation_id", "instance_id", "seq", "status", where=CALL_IS_UNFINISHED),
        Index("one_call_id", "conversation_id", "call_id", unique=True),
    )

    seq: int | None = Field(default=None, sa_column=_seq())
    conversation_id: str
    call_id: str
    tool_id: str
    inventory_revision: str
    app_scope: str | None
    instance_id: str | None
    app_session_id: str | None
    status: str
    outcome: str | None
    input: str
    result: str | None
    error: str | None
    error_code: str | None
    reason: str | None
    message: str | None
    progress_seq: int
    handed: int
    created_at: int = Field(sa_column=_ms())
    updated_at: int = Field(sa_column=_ms())
    deadline_at: int | None = Field(sa_column=_ms(optional=True))
    paused_at: int | None = Field(sa_column=_ms(optional=True))
    due_at: int | None = Field(sa_column=_ms(optional=True))


class Interaction(SQLModel, table=True):
    """A standard interaction (RULES 5). ``presented`` says that a renderer has shown it at least once."""

    __table_args__ = (
        _status_check(transitions.INTERACTION),
        _partial("open_interactions", "conversation_id", "interaction_id", where=INTERACTION_IS_OPEN),
        _partial("open_interactions_by_due", "due_at", where=INTERACTION_IS_OPEN),
        _partial(
            "answered_interactions",
            "instance_id",
            "interaction_id",
            where=f"{IS_OF_MINIAPP} AND {INTERACTION_IS_ANSWERED}",
        ),
        _partial(
            "ended_of_miniapp",
            "instance_id",
            "updated_at",
            "interaction_id",
            where=f"{IS_OF_MINIAPP} AND {INTERACTION_IS_ENDED}",
        ),
        _partial(
            "ended_of_agent",
            "conversation_id",
            "updated_at",
            "interaction_id",
            where=f"{IS_OF_AGENT} AND {INTERACTION_IS_ENDED}",
        ),
        Index("interaction_of_call", "conversation_id", "call_id"),
        Index("interactions_of_parent", "conversation_id", "parent_call_id"),
    )

    interaction_id: str = Field(primary_key=True)
    conversation_id: str
    source: str
    kind: str
    app_scope: str
    instance_id: str
    app_session_id: str | None
    parent_call_id: str | None
    surface_id: str | None
    call_id: str | None
    request: str
    presentation: str
    status: str
    result: str | None
    reason: str | None
    draft: str | None
    presented: int
    created_at: int = Field(sa_column=_ms())
    updated_at: int = Field(sa_column=_ms())
    expires_at: int | None = Field(sa_column=_ms(optional=True))
    due_at: int | None = Field(sa_column=_ms(optional=True))


class Surface(SQLModel, table=True):
    """A surface with its state."""

    __table_args__ = (
        _status_check(transitions.SURFACE),
        _partial("one_surface_a_key", "instance_id", "key", where=IS_NOT_CLOSED, unique=True),
    )

    surface_id: str = Field(primary_key=True)
    instance_id: str
    conversation_id: str
    key: str
    title: str
    container: str
    entry: str
    status: str
    revision: int
    state: str
    created_at: int = Field(sa_column=_ms())
    updated_at: int = Field(sa_column=_ms())


class Artifact(SQLModel, table=True):
    """What a surface handed in."""

    __table_args__ = (Index("artifacts_of_instance", "instance_id"),)

    artifact_id: str = Field(primary_key=True)
    instance_id: str
    surface_id: str
    conversation_id: str
    name: str
    media_type: str
    byte_size: int
    sha256: str
    content: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    created_at: int = Field(sa_column=_ms())


class InboxMessage(SQLModel, table=True):
    """A message to an instance; one that was not acknowledged when its instance ended stays so."""

    __table_args__ = (
        _partial("unacknowledged", "instance_id", "seq", where=IS_PENDING),
        _partial("acknowledged_by_time", "acked_at", where=IS_ACKED),
        {"sqlite_autoincrement": True},
    )

    seq: int | None = Field(default=None, sa_column=_seq())
    message_id: str = Field(unique=True)
    instance_id: str
    conversation_id: str
    app_scope: str
    type: str
    payload: str
    created_at: int = Field(sa_column=_ms())
    acked_at: int | None = Field(sa_column=_ms(optional=True))


class OutboxRow(SQLModel, table=True):
    """An envelope that the Agent must still be told; ``unique_key`` lets a conversation say it once."""

    __table_args__ = (
        Index("said_once", "conversation_id", "unique_key", unique=True),
        _partial("unacked", "conversation_id", "seq", where=IS_PENDING),
        _partial("acked_by_time", "acked_at", where=IS_ACKED),
        {"sqlite_autoincrement": True},
    )

    seq: int | None = Field(default=None, sa_column=_seq())
    outbox_id: str = Field(unique=True)
    conversation_id: str
    type: str
    payload: str
    call_id: str | None
    unique_key: str | None
    created_at: int = Field(sa_column=_ms())
    acked_at: int | None = Field(sa_column=_ms(optional=True))


class Delivery(SQLModel, table=True):
    """A message id that was seen, and what was answered."""

    __table_args__ = (Index("one_message_id", "conversation_id", "message_id", unique=True),)

    seq: int | None = Field(default=None, sa_column=_seq())
    conversation_id: str
    message_id: str
    code: str | None
    message: str | None
    receipt: str | None
    created_at: int = Field(sa_column=_ms())


class Receipt(SQLModel, table=True):
    """What became of an Agent's control request; the same for every replay."""

    __table_args__ = (Index("one_control_id", "conversation_id", "control_id", unique=True),)

    seq: int | None = Field(default=None, sa_column=_seq())
    conversation_id: str
    control_id: str
    call_id: str
    outcome: str
    created_at: int = Field(sa_column=_ms())


class CapabilityRequest(SQLModel, table=True):
    """A MiniApp's wish for something that only the Host can do (RULES 8)."""

    __table_args__ = (
        _status_check(transitions.CAPABILITY_REQUEST),
        _partial("open_requests", "conversation_id", "request_id", where=CAPABILITY_IS_OPEN),
        _partial("open_requests_by_due", "due_at", where=CAPABILITY_IS_OPEN),
        Index("request_of_interaction", "interaction_id"),
    )

    request_id: str = Field(primary_key=True)
    conversation_id: str
    instance_id: str
    app_scope: str
    capability: str
    reason: str
    arguments: str
    interaction_id: str | None
    status: str
    created_at: int = Field(sa_column=_ms())
    updated_at: int = Field(sa_column=_ms())
    due_at: int | None = Field(sa_column=_ms(optional=True))


class Audit(SQLModel, table=True):
    """The columns of AuditEntry; ``detail`` is JSON text (PROTOCOL 2).

    ``seq`` is given by the writer, who has hashed it; the database keeps the greatest that it ever had, so that an end
    that was cut off shows.
    """

    __table_args__ = (
        Index("audit_of_conversation", "conversation_id", "seq"),
        CheckConstraint("decision IN ('accepted', 'refused')"),
        {"sqlite_autoincrement": True},
    )

    seq: int = Field(sa_column=Column(_Seq, primary_key=True, autoincrement=False))
    at: str
    actor: str
    action: str
    decision: str
    code: str | None
    conversation_id: str | None
    app_scope: str | None
    instance_id: str | None
    subject: str | None
    detail: str | None
    previous_hash: str
    hash: str


METADATA = SQLModel.metadata
"""Every table above."""
