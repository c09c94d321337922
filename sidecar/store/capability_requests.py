"""Capability requests (RULES 8)."""

from __future__ import annotations

from typing import Any, cast

from sqlalchemy import bindparam, func, select

from sidecar.domain import transitions
from sidecar.store.statement import Statement, condition, count_where, insert_into, rows_where, table_of
from sidecar.store.tables import CAPABILITY_IS_OPEN, CapabilityRequest
from sidecar.store.transaction import Machine, Transaction

CAPABILITY_REQUEST = Machine(CapabilityRequest, transitions.CAPABILITY_REQUEST, ("request_id",))

_C = table_of(CapabilityRequest).c
_OPEN = condition(CAPABILITY_IS_OPEN)
_OF_INSTANCE = _C.instance_id == bindparam("instance_id")
_GET = rows_where(CapabilityRequest, _C.request_id == bindparam("id"))
_OF_INTERACTION = rows_where(CapabilityRequest, _C.interaction_id == bindparam("id"))
_OPEN_OF = rows_where(CapabilityRequest, _OF_INSTANCE, _OPEN, order=[_C.request_id])
_REQUESTED_IN = rows_where(
    CapabilityRequest,
    _C.conversation_id == bindparam("conversation_id"),
    _OPEN,
    _C.status == "requested",
    order=[_C.request_id],
)
_COUNT_OF = count_where(CapabilityRequest, _OF_INSTANCE, _OPEN)
_ADD = insert_into(CapabilityRequest)
_DUE = rows_where(CapabilityRequest, _OPEN, _C.due_at <= bindparam("now"), order=[_C.due_at, _C.request_id])
_NEXT_DUE = Statement(select(func.min(_C.due_at)).where(_OPEN))


def get(tx: Transaction, request_id: str) -> CapabilityRequest | None:
    """The request, in whatever status."""
    return cast("CapabilityRequest | None", tx.one(_GET, id=request_id))


def of_interaction(tx: Transaction, interaction_id: str) -> CapabilityRequest | None:
    """The request that the user is, or was, asked about."""
    return cast("CapabilityRequest | None", tx.one(_OF_INTERACTION, id=interaction_id))


def open_of(tx: Transaction, instance_id: str) -> list[CapabilityRequest]:
    """The open requests of an instance, oldest first."""
    return tx.all(_OPEN_OF, instance_id=instance_id)


def requested_in(tx: Transaction, conversation_id: str) -> list[CapabilityRequest]:
    """The requests of a conversation that wait for the Host's provider, oldest first."""
    return tx.all(_REQUESTED_IN, conversation_id=conversation_id)


def count_of(tx: Transaction, instance_id: str) -> int:
    """How many requests an instance has open."""
    return int(tx.value(_COUNT_OF, instance_id=instance_id))


def add(tx: Transaction, **columns: Any) -> None:
    """Write a new request."""
    tx.write(_ADD, **columns)


def due(tx: Transaction, now: int) -> list[CapabilityRequest]:
    """The open requests that are overdue, longest first."""
    return tx.all(_DUE, now=now)


def next_due(tx: Transaction) -> int | None:
    """When the next open request is due."""
    return cast("int | None", tx.value(_NEXT_DUE))
