"""Surfaces and artifacts (PROTOCOL 5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from sidecar.domain import transitions
from sidecar.store.compiled import surfaces as sql
from sidecar.store.transaction import Machine, Transaction

if TYPE_CHECKING:
    from sidecar.store.tables import Artifact, Surface

SURFACE = Machine("surface", transitions.SURFACE, ("surface_id",))


def get(tx: Transaction, surface_id: str) -> Surface | None:
    """The surface, in whatever status."""
    return cast("Surface | None", tx.one(sql.GET, id=surface_id))


def of_key(tx: Transaction, instance_id: str, key: str) -> Surface | None:
    """The surface that an instance has under that key."""
    return cast("Surface | None", tx.one(sql.OF_KEY, instance_id=instance_id, key=key))


def open_of(tx: Transaction, instance_id: str) -> list[Surface]:
    """The surfaces of an instance that are not closed, oldest first."""
    return tx.all(sql.OPEN_OF, instance_id=instance_id)


def open_in(tx: Transaction, conversation_id: str) -> list[Surface]:
    """The surfaces of a conversation that are not closed, oldest first."""
    return tx.all(sql.OPEN_IN, conversation_id=conversation_id)


def count_of(tx: Transaction, instance_id: str) -> int:
    """How many surfaces an instance has."""
    return int(tx.value(sql.COUNT_OF, instance_id=instance_id))


def count(tx: Transaction) -> int:
    """How many surfaces are not closed."""
    return int(tx.value(sql.COUNT))


def add(tx: Transaction, **columns: Any) -> None:
    """Write a new surface."""
    tx.write(sql.ADD, status="open", revision=1, **columns)


def set_state(tx: Transaction, surface_id: str, state: str, revision: int, now: int) -> None:
    """Write the state and its revision."""
    tx.write(sql.STATE, id=surface_id, state=state, revision=revision, updated_at=now)


def add_artifact(tx: Transaction, **columns: Any) -> None:
    """Keep an artifact."""
    tx.write(sql.ADD_ARTIFACT, **columns)


def artifact(tx: Transaction, artifact_id: str) -> Artifact | None:
    """The artifact, with its content."""
    return cast("Artifact | None", tx.one(sql.GET_ARTIFACT, id=artifact_id))


def artifact_bytes(tx: Transaction, instance_id: str) -> int:
    """How many bytes of artifacts an instance has handed in."""
    return int(tx.value(sql.BYTES, instance_id=instance_id))
