"""Who speaks: the Host's connection, or an instance by its token (RULES 1, step 2)."""

from __future__ import annotations

from dataclasses import dataclass

from rpc_schema.audit import Actor
from rpc_schema.methods import Caller as CallerKind


@dataclass(frozen=True, slots=True)
class Caller:
    """A named caller. For the Host all but ``kind`` is empty; ``surface_id`` is set for a view alone."""

    kind: CallerKind
    instance_id: str = ""
    app_scope: str = ""
    conversation_id: str = ""
    surface_id: str = ""

    @property
    def actor(self) -> Actor:
        """The word that the audit uses."""
        return _ACTORS[self.kind]


_ACTORS: dict[CallerKind, Actor] = {"host": "host", "miniapp": "miniapp", "system": "miniapp", "surface": "surface"}

HOST = Caller("host")
