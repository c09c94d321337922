"""The unit of work: one request, one savepoint, and the news that may leave once it is committed (RULES 1).

Services are plain functions ``(unit, params) -> result``. They read and write through ``unit.tx``, say what is to be
told through ``unit.tell…`` and never act before the commit: whatever starts or ends a process goes to ``unit.later``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from rpc_schema.audit import Actor
from rpc_schema.base import Wire
from sidecar.clock import Clock, Ids
from sidecar.domain.caller import HOST, Caller
from sidecar.domain.policy import Policy
from sidecar.services.apps import Apps
from sidecar.services.live import Hearer, Live
from sidecar.store import conversations
from sidecar.store.transaction import Act, Transaction


class Workers(Protocol):
    """The processes that run MiniApp logic, as the services see them."""

    def want(self, instance_id: str, folder: Path, *, anew: bool = False) -> None:
        """Make sure that a process runs the instance; ``anew`` forgets that it failed for good."""

    def end(self, instance_id: str, grace_ms: int) -> None:
        """Let the process finish for that long, then end it."""

    def count(self) -> int:
        """How many processes live."""

    def occupied(self) -> list[str]:
        """The instances whose process lives, starts or is about to."""


@dataclass(slots=True)
class Runtime:
    """What lives as long as the process: everything that a unit of work can reach besides the store."""

    clock: Clock
    ids: Ids
    live: Live
    apps: Apps
    policy: Policy
    workers: Workers
    started_at: int
    test_clock: bool = False
    next_due: int = 0


class Unit:
    """One request at work."""

    def __init__(self, runtime: Runtime, tx: Transaction, caller: Caller = HOST, action: str = "") -> None:
        self.runtime = runtime
        self.tx = tx
        self.caller = caller
        self.actor: Actor = caller.actor
        self.action = action
        self.now = runtime.clock.now()
        self.live = runtime.live
        self.apps = runtime.apps
        self.news: list[tuple[Hearer, str, Wire]] = []
        self.later: list[Callable[[], None]] = []
        self.lanes: set[str] = set()
        self.touched: set[str] = set()
        self.rearranged: set[str] = set()
        self.fronts: dict[str, str | None] = {}
        """The foreground that each rearranged conversation had before this unit."""

    def new_id(self) -> str:
        """A fresh id."""
        return self.runtime.ids.new()

    def by(self, actor: Actor, action: str) -> None:
        """Say who acts, where it is not the caller of the method."""
        self.actor, self.action = actor, action

    # -- audit
    def act(self, subject: str | None = None, *, of: Any = None, **detail: Any) -> Act:
        """The audit's description of what is done now; ``of`` is a row that names conversation, app and instance."""
        caller = self.caller
        return Act(
            self.actor,
            self.action,
            getattr(of, "conversation_id", None) or caller.conversation_id or None,
            getattr(of, "app_scope", None) or caller.app_scope or None,
            getattr(of, "instance_id", None) or caller.instance_id or None,
            subject,
            {key: value for key, value in detail.items() if value is not None} or None,
        )

    def note(self, subject: str | None = None, *, of: Any = None, **detail: Any) -> None:
        """Audit an accepted act that moves no status."""
        self.tx.audit(self.act(subject, of=of, **detail), at=self.now)

    # -- news
    def tell_host(self, method: str, params: Wire) -> None:
        """Tell the Host, once this is committed and if a session has begun."""
        if self.live.host is not None:
            self.news.append((self.live.host, method, params))

    def tell(self, instance_id: str, method: str, params: Wire) -> None:
        """Tell the logic of an instance, if it is linked."""
        link = self.live.links.get(instance_id)
        if link is not None:
            self.news.append((link.hearer, method, params))

    # -- what changed
    def touch(self, conversation_id: str) -> None:
        """Count a change of what the workspace shows, once a unit."""
        if conversation_id not in self.touched:
            self.touched.add(conversation_id)
            conversations.bump(self.tx, conversation_id)

    def rearrange(self, conversation_id: str) -> None:
        """The instances or the focus of a workspace changed: those who see it are told at the end of the unit."""
        self.touch(conversation_id)
        self.rearranged.add(conversation_id)

    def due(self, at: int | None) -> None:
        """Something must be looked at then."""
        if at is not None:
            self.runtime.next_due = min(self.runtime.next_due, at)
