"""Everything that a Host shows at a moment, kept in step with what the Runtime says (PROTOCOL 3, 5 and 6)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from host_bridge.mirror import ShownSurface, Workspace


@dataclass
class Screen:
    """Workspaces, mounted instances with their tokens, attached surfaces and open questions, by id."""

    workspaces: dict[str, Workspace] = field(default_factory=dict)
    tokens: dict[str, str | None] = field(default_factory=dict)
    surfaces: dict[str, ShownSurface] = field(default_factory=dict)
    questions: dict[str, dict[str, Any]] = field(default_factory=dict)
    failures: list[dict[str, Any]] = field(default_factory=list)

    def workspace(self, conversation_id: str, agent_id: str) -> Workspace:
        """The mirror of a conversation's workspace, made where there was none."""
        return self.workspaces.setdefault(conversation_id, Workspace(conversation_id, agent_id))

    def find_surface(self, app_scope: str, key: str | None = None) -> ShownSurface | None:
        """The oldest attached surface of an app, or the one of that key."""
        for surface in self.surfaces.values():
            if self._scope_of(surface.instance_id) == app_scope and key in (None, surface.key):
                return surface
        return None

    def replace_questions(self, conversation_id: str, items: list[dict[str, Any]]) -> None:
        """Take the whole list of a conversation's open questions."""
        kept = {i: one for i, one in self.questions.items() if _conversation_of(one) != conversation_id}
        self.questions = kept | {one["record"]["interaction_id"]: one for one in items}

    def drop_the_gone(self) -> None:
        """Forget the tokens and surfaces of instances that live no more."""
        live = {instance_id for one in self.workspaces.values() for instance_id in one.instances}
        self.tokens = {i: token for i, token in self.tokens.items() if i in live}
        self.surfaces = {i: one for i, one in self.surfaces.items() if one.instance_id in live}

    def forget_instance(self, instance_id: str) -> None:
        """An instance is unmounted: neither its token nor those of its surfaces count."""
        self.tokens.pop(instance_id, None)
        self.surfaces = {i: one for i, one in self.surfaces.items() if one.instance_id != instance_id}

    def forget_session(self) -> None:
        """A new session begins: nothing is mounted or attached, no token counts."""
        self.tokens.clear()
        self.surfaces.clear()

    def _scope_of(self, instance_id: str) -> str | None:
        found = (one.instances.get(instance_id) for one in self.workspaces.values())
        return next((one["app_scope"] for one in found if one), None)


def _conversation_of(item: dict[str, Any]) -> str:
    conversation_id: str = item["record"]["owner"]["conversation_id"]
    return conversation_id
