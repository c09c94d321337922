"""What is true in this session only: tokens, connections, subscriptions, what is mounted.

Nothing here must survive a restart, and nothing here is trusted to: a Host or worker that comes back reads snapshots
and subscribes again (PROTOCOL 1). What changes here belongs to a transaction like all else: :meth:`Live.changing` is
said before each change, and a commit that fails takes it back.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol, Self

from rpc_schema import limits
from rpc_schema.base import Wire
from rpc_schema.renderer import RendererMode
from sidecar.domain.caller import Caller

Topic = Literal["inbox", "tools", "ui", "renderer"]


class Hearer(Protocol):
    """A connection that can be told something."""

    def tell(self, method: str, params: Wire) -> None:
        """Queue a notification."""


@dataclass(slots=True)
class Link:
    """The logic of an instance, as far as it is connected."""

    hearer: Hearer
    token: str
    connected: bool = False
    topics: set[Topic] = field(default_factory=set)
    told_state: str = ""


@dataclass(frozen=True, slots=True)
class Grant:
    """Whom a token makes of its bearer, on the one connection that it was handed to."""

    caller: Caller
    hearer: Hearer


@dataclass(slots=True)
class Lane:
    """How far a conversation's outbox was sent in this session: to which row, and which of them are not acked."""

    sent_to: int = 0
    unacked: set[str] = field(default_factory=set)


class Live:
    """The session's memory."""

    def __init__(self) -> None:
        self.session_id = ""
        self.host: Hearer | None = None
        self.host_version = ""
        self.host_run: frozenset[str] = frozenset()
        self.renderers: tuple[RendererMode, ...] = ()
        self.providers: frozenset[str] = frozenset()
        self.opened: set[str] = set()
        self.mounted: set[str] = set()
        self.links: dict[str, Link] = {}
        self.lanes: dict[str, Lane] = {}
        self.online = True
        self.shutting_down = False
        self.left_front: dict[str, int] = {}
        self.used: dict[str, int] = {}
        self._count = 0
        self._grants: dict[str, Grant] = {}
        self._surface_tokens: dict[str, str] = {}
        self._before: dict[str, Any] | None = None

    # -- transactions
    def changing(self) -> Self:
        """Remember how things are, unless that is remembered already: what follows may be taken back."""
        if self._before is None:
            links = {name: replace(link, topics=set(link.topics)) for name, link in self.links.items()}
            self._before = {name: _copied(value) for name, value in vars(self).items()} | {"links": links}
        return self

    def keep(self) -> None:
        """What changed stays."""
        self._before = None

    def take_back(self) -> None:
        """Make everything as it was before it changed."""
        if self._before is not None:
            vars(self).update(self._before)
            self._before = None

    # -- sessions
    def begin(self, session_id: str, host: Hearer) -> None:
        """Begin a session: whatever the Host was handed before is void; workers go on."""
        self.changing()
        for token, grant in list(self._grants.items()):
            if grant.caller.surface_id or self.host is None or grant.hearer is self.host:
                del self._grants[token]
        self._surface_tokens.clear()
        self.links = {key: link for key, link in self.links.items() if link.hearer is not self.host}
        self.session_id, self.host = session_id, host
        self.opened.clear()
        self.mounted.clear()
        self.lanes.clear()
        self.online = True

    # -- tokens
    def grant_context(self, caller: Caller, hearer: Hearer) -> str:
        """A new context token for the logic of an instance; its earlier one is revoked."""
        self.unlink(caller.instance_id)
        token = self._grant(Grant(caller, hearer))
        self.changing().links[caller.instance_id] = Link(hearer, token)
        return token

    def grant_surface(self, caller: Caller, hearer: Hearer) -> str:
        """A new token for a view; the surface's earlier one is revoked."""
        self.revoke_surface(caller.surface_id)
        token = self._grant(Grant(caller, hearer))
        self._surface_tokens[caller.surface_id] = token
        return token

    def grant_of(self, token: str) -> Grant | None:
        """What a token is good for, if anything."""
        return self._grants.get(token)

    def unlink(self, instance_id: str) -> None:
        """Revoke the context token of an instance: its logic is no longer connected."""
        link = self.changing().links.pop(instance_id, None)
        if link is not None:
            self._grants.pop(link.token, None)

    def revoke_surface(self, surface_id: str) -> None:
        """Revoke a view's token."""
        token = self.changing()._surface_tokens.pop(surface_id, None)
        if token is not None:
            del self._grants[token]

    # -- what is used
    def leave_front(self, instance_id: str) -> None:
        """The instance went into the background."""
        self._count += 1
        self.left_front[instance_id] = self._count

    def use(self, instance_id: str) -> None:
        """The logic of the instance spoke."""
        self._count += 1
        self.used[instance_id] = self._count

    def forget(self, instance_id: str) -> None:
        """The instance is closed."""
        self.changing().unlink(instance_id)
        self.mounted.discard(instance_id)
        self.left_front.pop(instance_id, None)
        self.used.pop(instance_id, None)

    # -- what is connected
    def connected(self, instance_id: str) -> bool:
        """Whether the logic of an instance is connected."""
        link = self.links.get(instance_id)
        return link is not None and link.connected

    def hears(self, instance_id: str, topic: Topic) -> bool:
        """Whether the logic of an instance has subscribed a topic."""
        link = self.links.get(instance_id)
        return link is not None and topic in link.topics

    def lane(self, conversation_id: str) -> Lane:
        """How far that conversation's outbox was sent."""
        return self.lanes.setdefault(conversation_id, Lane())

    def _grant(self, grant: Grant) -> str:
        token = secrets.token_urlsafe(limits.TOKEN_BYTES)
        self.changing()._grants[token] = grant
        return token


def _copied(value: Any) -> Any:
    return value.copy() if isinstance(value, dict | set) else value
