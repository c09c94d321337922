"""What a Host shows, kept in step with the Runtime by revision: workspaces and surfaces (PROTOCOL 3 and 5)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from rpc_schema.merge_patch import merge


@dataclass
class Workspace:
    """The live instances of a conversation and their order, bottom to top."""

    conversation_id: str
    agent_id: str
    revision: int = -1
    foreground: str | None = None
    focus_stack: list[str] = field(default_factory=list)
    instances: dict[str, dict[str, Any]] = field(default_factory=dict)

    def take(self, news: dict[str, Any]) -> bool:
        """Take a snapshot or a ``workspace.changed``; False where it is older than what is known."""
        if news["revision"] < self.revision:
            return False
        self.revision = news["revision"]
        self.foreground = news["foreground"]
        self.focus_stack = news["focus_stack"]
        self.instances = {one["instance_id"]: one for one in news["instances"]}
        return True

    def find(self, app_scope: str) -> dict[str, Any] | None:
        """The live instance of an app, or None."""
        return next((one for one in self.instances.values() if one["app_scope"] == app_scope), None)


@dataclass
class ShownSurface:
    """A surface that is attached: its state, and the token that its view's bridge adds to each call."""

    surface_id: str
    instance_id: str
    key: str
    container: str
    title: str
    revision: int
    state: dict[str, Any]
    surface_token: str
    document: dict[str, Any] | None

    def patch(self, revision: int, patch: dict[str, Any]) -> bool:
        """Merge the next patch; a known one changes nothing. False where one before it is missing."""
        if revision > self.revision + 1:
            return False
        if revision == self.revision + 1:
            self.revision = revision
            self.state = merge(self.state, patch)
        return True
