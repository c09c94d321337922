"""Tool calls: their records, progress and failures (PROTOCOL 4, RULES 2)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints, WithJsonSchema

from rpc_schema import limits
from rpc_schema.base import Id, JsonObject, Maybe, Number, Text, Timestamp, Wire

ToolCallStatus = Literal[
    "received",
    "routing",
    "waiting_for_app",
    "running",
    "submitted",
    "completed",
    "failed",
    "cancelled",
    "expired",
    "rejected",
]

ToolCallOutcome = Literal["completed", "failed", "cancelled", "expired"]
"""How a call that an Agent was promised an answer for has ended."""


Percent = Annotated[Number, Field(ge=0, le=100), WithJsonSchema({"type": "number", "minimum": 0, "maximum": 100})]


class ToolProgress(Wire):
    """How far a call is; absent fields are unchanged knowledge, not zero."""

    percent: Maybe[Percent] = None
    message: Maybe[Annotated[str, StringConstraints(max_length=limits.MAX_TEXT)]] = None
    state: Maybe[Annotated[str, StringConstraints(max_length=limits.MAX_NAME)]] = None


class ToolFailure(Wire):
    """Why a call failed, in the MiniApp's words."""

    code: Annotated[str, StringConstraints(min_length=1, max_length=limits.MAX_ID)]
    message: Text
    retryable: Maybe[bool] = None
    details: Maybe[JsonObject] = None


class MiniAppToolCall(Wire):
    """A call as the MiniApp that must do it sees it. It says nothing of who asked."""

    call_id: Id
    tool_id: str
    input: JsonObject
    status: ToolCallStatus
    created_at: Timestamp
    deadline_at: Timestamp | None
    redelivered: bool


class ToolCallSummary(Wire):
    """An open call in a workspace snapshot."""

    call_id: Id
    tool_id: str
    status: ToolCallStatus
    instance_id: str | None
    updated_at: Timestamp


class ToolError(Wire):
    """The failure that an Agent is told of."""

    code: str
    message: str
    retryable: Maybe[bool] = None
    details: Maybe[dict[str, Any]] = None
