"""Capability requests (RULES 8)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from sidecar.domain import transitions
from sidecar.store.compiled import capability_requests as sql
from sidecar.store.transaction import Machine, Transaction

if TYPE_CHECKING:
    from sidecar.store.tables import CapabilityRequest

CAPABILITY_REQUEST = Machine("capabilityrequest", transitions.CAPABILITY_REQUEST, ("request_id",))


def get(tx: Transaction, request_id: str) -> CapabilityRequest | None:
    """The request, in whatever status."""
    return cast("CapabilityRequest | None", tx.one(sql.GET, id=request_id))


def of_interaction(tx: Transaction, interaction_id: str) -> CapabilityRequest | None:
    """The request that the user is, or was, asked about."""
    return cast("CapabilityRequest | None", tx.one(sql.OF_INTERACTION, id=interaction_id))


def open_of(tx: Transaction, instance_id: str) -> list[CapabilityRequest]:
    """The open requests of an instance, oldest first."""
    return tx.all(sql.OPEN_OF, instance_id=instance_id)


def requested_in(tx: Transaction, conversation_id: str) -> list[CapabilityRequest]:
    """The requests of a conversation that wait for the Host's provider, oldest first."""
    return tx.all(sql.REQUESTED_IN, conversation_id=conversation_id)


def count_of(tx: Transaction, instance_id: str) -> int:
    """How many requests an instance has open."""
    return int(tx.value(sql.COUNT_OF, instance_id=instance_id))


def add(tx: Transaction, **columns: Any) -> None:
    """Write a new request."""
    tx.write(sql.ADD, **columns)


def due(tx: Transaction, now: int) -> list[CapabilityRequest]:
    """The open requests that are overdue, longest first."""
    return tx.all(sql.DUE, now=now)


def next_due(tx: Transaction) -> int | None:
    """When the next open request is due."""
    return cast("int | None", tx.value(sql.NEXT_DUE))
