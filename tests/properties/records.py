"""What the model keeps of a conversation: plain records, without a rule in them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

CALL_IS_OPEN = ("waiting_for_app", "running")
QUESTION_IS_OPEN = ("pending", "presented")


class Whatever:
    """Equal to everything: a value that only the Runtime can choose."""

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0

    def __repr__(self) -> str:
        return "…"


@dataclass(eq=False)
class Row:
    """An envelope for the Agent. Rows of one ``batch`` that is ``loose`` may come in any order among themselves.

    ``about`` is the instance whose app session it tells of, which has no id yet when the row is written.
    """

    type: str
    payload: dict[str, Any]
    batch: int = 0
    loose: bool = False
    about: Instance | None = None
    id: str = ""
    sent: bool = False
    acked: bool = False


@dataclass(eq=False)
class Surface:
    """A surface of an instance."""

    id: str
    key: str
    title: str
    container: str
    state: dict[str, Any]
    revision: int = 1
    status: str = "open"
    token: str | None = None
    revoked: str | None = None

    def revoke(self) -> None:
        """Its view's token is void; it is kept, to be tried."""
        self.token, self.revoked = None, self.token or self.revoked


@dataclass(eq=False)
class Message:
    """A message in an Inbox."""

    type: str
    payload: dict[str, Any]
    id: str = ""
    acked: bool = False


@dataclass(eq=False)
class Instance:
    """An instance; ``session`` is its app session's id, ``told`` the state that its logic was told last."""

    app: str
    where: Conversation
    id: str = ""
    session: str = ""
    live: bool = True
    mounted: bool = False
    token: str | None = None
    revoked: str | None = None
    connected_once: bool = False
    restore: bool = True
    told: str = ""
    topics: set[str] = field(default_factory=set)
    inbox: list[Message] = field(default_factory=list)
    surfaces: list[Surface] = field(default_factory=list)

    def __repr__(self) -> str:
        return f"<{self.app}>"


@dataclass(eq=False)
class Call:
    """A Tool call; ``owner`` is empty for an interactive or rejected one."""

    id: str
    tool: str
    input: dict[str, Any]
    session: str | None
    born: int
    owner: Instance | None = None
    status: str = "waiting_for_app"
    outcome: str = ""
    handed: int = 0
    progress: int = 0
    deadline: int | None = None
    paused: int | None = None

    @property
    def is_open(self) -> bool:
        """Whether it can still be decided."""
        return self.status in CALL_IS_OPEN


@dataclass(eq=False)
class Question:
    """A standard interaction, of whatever source."""

    source: str
    request: dict[str, Any]
    owner: Instance
    due: int | None
    lasts: int | None = None
    call: Call | None = None
    parent: Call | None = None
    session: str | None = None
    surface: str | None = None
    presentation: str = "default"
    status: str = "pending"
    result: dict[str, Any] | None = None
    reason: str | None = None
    draft: dict[str, Any] | None = None
    ended: int = 0
    id: str = ""

    @property
    def is_open(self) -> bool:
        """Whether it can still be answered."""
        return self.status in QUESTION_IS_OPEN

    def complete(self, now: int) -> None:
        """Its owner has the answer; that is its end."""
        self.status, self.ended = "completed", now


@dataclass(eq=False)
class Request:
    """A capability request."""

    owner: Instance
    capability: str
    status: str
    due: int | None = None
    question: Question | None = None
    id: str = ""


@dataclass(eq=False)
class Delivery:
    """What was first answered to a message id."""

    code: str | None
    receipt: dict[str, Any] | None


@dataclass(eq=False)
class Conversation:
    """A conversation with one Agent; ``stack`` runs from the bottom to the top."""

    id: str
    agent: str
    opened: bool = False
    inventory: str = ""
    stack: list[Instance] = field(default_factory=list)
    instances: list[Instance] = field(default_factory=list)
    calls: dict[str, Call] = field(default_factory=dict)
    questions: list[Question] = field(default_factory=list)
    requests: list[Request] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    deliveries: dict[str, Delivery] = field(default_factory=dict)
    receipts: dict[str, dict[str, Any]] = field(default_factory=dict)

    def live(self, app: str) -> Instance | None:
        """The one live instance of an app."""
        return next((one for one in self.instances if one.app == app and one.live), None)

    def peer(self) -> dict[str, str]:
        """Whom the transport authenticated."""
        return {"agent_id": self.agent, "conversation_id": self.id}
