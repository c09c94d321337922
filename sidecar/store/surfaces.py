"""Surfaces and artifacts (PROTOCOL 5)."""

from __future__ import annotations

from typing import Any, cast

from sqlalchemy import bindparam, func, select

from sidecar.domain import transitions
from sidecar.store.statement import Statement, condition, count_where, insert_into, rows_where, set_where, table_of
from sidecar.store.tables import IS_NOT_CLOSED, Artifact, Surface
from sidecar.store.transaction import Machine, Transaction

SURFACE = Machine(Surface, transitions.SURFACE, ("surface_id",))

_C = table_of(Surface).c
_A = table_of(Artifact).c
_NOT_CLOSED = condition(IS_NOT_CLOSED)
_OF_INSTANCE = _C.instance_id == bindparam("instance_id")
_IS = _C.surface_id == bindparam("id")
_GET = rows_where(Surface, _IS)
_OF_KEY = rows_where(Surface, _OF_INSTANCE, _C.key == bindparam("key"), _NOT_CLOSED)
_OPEN_OF = rows_where(Surface, _OF_INSTANCE, _NOT_CLOSED, order=[_C.surface_id])
_OPEN_IN = rows_where(Surface, _C.conversation_id == bindparam("conversation_id"), _NOT_CLOSED, order=[_C.surface_id])
_COUNT_OF = count_where(Surface, _OF_INSTANCE, _NOT_CLOSED)
_COUNT = count_where(Surface, _NOT_CLOSED)
_ADD = insert_into(Surface)
_STATE = set_where(Surface, ["state", "revision", "updated_at"], _IS)
_GET_ARTIFACT = rows_where(Artifact, _A.artifact_id == bindparam("id"))
_ADD_ARTIFACT = insert_into(Artifact)
_BYTES = Statement(select(func.coalesce(func.sum(_A.byte_size), 0)).where(_A.instance_id == bindparam("instance_id")))


def get(tx: Transaction, surface_id: str) -> Surface | None:
    """The surface, in whatever status."""
    return cast("Surface | None", tx.one(_GET, id=surface_id))


def of_key(tx: Transaction, instance_id: str, key: str) -> Surface | None:
    """The surface that an instance has under that key."""
    return cast("Surface | None", tx.one(_OF_KEY, instance_id=instance_id, key=key))


def open_of(tx: Transaction, instance_id: str) -> list[Surface]:
    """The surfaces of an instance that are not closed, oldest first."""
    return tx.all(_OPEN_OF, instance_id=instance_id)


def open_in(tx: Transaction, conversation_id: str) -> list[Surface]:
    """The surfaces of a conversation that are not closed, oldest first."""
    return tx.all(_OPEN_IN, conversation_id=conversation_id)


def count_of(tx: Transaction, instance_id: str) -> int:
    """How many surfaces an instance has."""
    return int(tx.value(_COUNT_OF, instance_id=instance_id))


def count(tx: Transaction) -> int:
    """How many surfaces are not closed."""
    return int(tx.value(_COUNT))


def add(tx: Transaction, **columns: Any) -> None:
    """Write a new surface."""
    tx.write(_ADD, status="open", revision=1, **columns)


def set_state(tx: Transaction, surface_id: str, state: str, revision: int, now: int) -> None:
    """Write the state and its revision."""
    tx.write(_STATE, id=surface_id, state=state, revision=revision, updated_at=now)


def add_artifact(tx: Transaction, **columns: Any) -> None:
    """Keep an artifact."""
    tx.write(_ADD_ARTIFACT, **columns)


def artifact(tx: Transaction, artifact_id: str) -> Artifact | None:
    """The artifact, with its content."""
    return cast("Artifact | None", tx.one(_GET_ARTIFACT, id=artifact_id))


def artifact_bytes(tx: Transaction, instance_id: str) -> int:
    """How many bytes of artifacts an instance has handed in."""
    return int(tx.value(_BYTES, instance_id=instance_id))
