"""The model: what RULES.md says of calls, questions, focus, closing and the outbox, on plain records.

It is written from the rules and knows nothing of the Runtime's code. What the Runtime chooses (ids, tokens) is filled
in by whoever reads it off the wire.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any

from tests.properties.records import Call, Conversation, Instance, Message, Request, Row, Whatever

MINUTE = 60_000
DAY = 24 * 60 * MINUTE
WINDOW = 64
RENDERERS = ("im-card", "modal", "sheet", "card")
FALL_BACK = {"default": ("modal", "sheet", "card"), "modal": ("modal", "sheet", "card")}
FALL_BACK["inline"] = ("card", "sheet", "modal")


class Refuse(Exception):  # noqa: N818 - a prediction
    """The Runtime is to refuse, with this code."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class World:
    """One Runtime as the rules see it. ``heard`` is what MiniApps are told by the step, ``sends`` what Agents are."""

    def __init__(self, now: Callable[[], int]) -> None:
        self.now = now
        self.enabled = {"chat": True, "alpha": True, "beta": True}
        self.online = True
        self.renderers: tuple[str, ...] = RENDERERS
        self.inventory = ""
        self.conversations: list[Conversation] = []
        self.heard: dict[tuple[Instance, str], list[Any]] = defaultdict(list)
        self.wanted: list[Request] = []
        self.sends: list[tuple[Conversation, Row]] = []
        self._batch = 0
        self.loose = False

    def begin(self, *, loose: bool = False) -> None:
        """A step begins; ``loose``: the order among its own outbox rows is left open."""
        self.heard.clear()
        self.wanted.clear()
        self.sends.clear()
        self._batch += 1
        self.loose = loose

    def finish(self) -> None:
        """A step is done: who changed its place is told, and the post goes out."""
        self.tell_states()
        for conversation in self.conversations:
            self._pump(conversation)

    def tell_states(self) -> None:
        """Who changed its place is told."""
        for conversation in self.conversations:
            for instance in conversation.instances:
                self._tell_state(instance)

    # -- outbox
    def say(self, where: Conversation, type_: str, **payload: Any) -> Row:
        """Write an envelope for the Agent."""
        row = Row(type_, payload, self._batch, self.loose)
        where.rows.append(row)
        return row

    def say_result(self, where: Conversation, call: Call, **payload: Any) -> None:
        """The one ending of a call; its progress that was not sent is taken out."""
        self.drop_progress(where, call)
        self.say(where, "tool.result", call_id=call.id, **{k: v for k, v in payload.items() if v})

    def drop_progress(self, where: Conversation, call: Call) -> None:
        """Take out progress that no transport was given."""
        where.rows[:] = [
            row
            for row in where.rows
            if row.type != "tool.progress" or row.payload["call_id"] != call.id or row.sent or row.acked
        ]

    def say_inventory(self, where: Conversation) -> None:
        """Tell the inventory where another one was told last."""
        if where.inventory != self.inventory:
            where.inventory = self.inventory
            everything = Whatever()
            self.say(
                where,
                "client.inventory",
                revision=self.inventory,
                tools=everything,
                apps=everything,
                capabilities=everything,
            )

    def resend(self) -> None:
        """Nothing counts as sent any more."""
        for conversation in self.conversations:
            for row in conversation.rows:
                row.sent = row.acked

    def _pump(self, where: Conversation) -> None:
        if not self.online:
            return
        out = sum(row.sent and not row.acked for row in where.rows)
        for row in where.rows:
            if not row.sent and out < WINDOW:
                row.sent = True
                out += 1
                self.sends.append((where, row))

    # -- who hears what
    def tell(self, instance: Instance, method: str, *what: Any) -> None:
        """Tell the logic of an instance, if it is there."""
        if instance.token is not None:
            self.heard[instance, method].append(what)

    def state_of(self, instance: Instance) -> str:
        """The derived state of an instance."""
        if instance.token is None:
            return "suspended" if instance.connected_once else "starting"
        return "foreground" if instance.where.stack[-1] is instance else "background"

    def _tell_state(self, instance: Instance) -> None:
        if instance.token is not None:
            state = self.state_of(instance)
            if instance.told and instance.told != state:
                self.tell(instance, "sdk.context.changed", state)
            instance.told = state

    # -- conversations, instances, focus
    def open(self, where: Conversation) -> None:
        """Open a conversation, if it is new: Interact is in it, and the Agent is told the inventory."""
        if not where.opened:
            where.opened = True
            self.make(where, "chat", in_front=True)
            self.say_inventory(where)

    def make(self, where: Conversation, app: str, *, in_front: bool, call_id: str | None = None) -> Instance:
        """A new instance, with an app session that the Agent is told of."""
        instance = Instance(app, where)
        where.instances.append(instance)
        where.stack.insert(len(where.stack) if in_front else 0, instance)
        if app != "chat":
            named = {} if call_id is None else {"call_id": call_id}
            row = self.say(where, "app.session.opened", app_session_id="", app_scope=app, **named)
            row.about = instance
        return instance

    def bring_forward(self, instance: Instance, *, restore: bool | None) -> None:
        """To the top; ``restore`` is what closing it will mean for the focus."""
        stack = instance.where.stack
        stack.remove(instance)
        stack.append(instance)
        if restore is not None:
            instance.restore = restore

    def send_back(self, instance: Instance) -> None:
        """One place down."""
        stack = instance.where.stack
        place = stack.index(instance)
        if place == 0:
            raise Refuse("lifecycle_denied")
        stack[place - 1], stack[place] = stack[place], stack[place - 1]

    def disconnect(self, instance: Instance) -> None:
        """The logic is gone, and the container with it: what it was handed waits."""
        instance.token, instance.revoked, instance.mounted = None, instance.token or instance.revoked, False
        instance.topics.clear()
        for surface in instance.surfaces:
            surface.revoke()
        self.take_back(instance)

    # -- calls
    def calls_of(self, instance: Instance) -> list[Call]:
        """Its open calls, oldest first."""
        return [call for call in instance.where.calls.values() if call.owner is instance and call.is_open]

    def hand_over(self, instance: Instance) -> None:
        """Hand what waits to a live subscription; nothing to an app that is off."""
        if self.enabled[instance.app] and "tools" in instance.topics:
            for call in self.calls_of(instance):
                if call.status == "waiting_for_app":
                    self.start(call)
                    self.tell(instance, "sdk.tools.call", call.id, call.handed > 1)

    def start(self, call: Call) -> None:
        """It runs."""
        call.status = "running"
        call.handed += 1

    def take_back(self, instance: Instance) -> None:
        """What ran waits again."""
        for call in self.calls_of(instance):
            call.status = "waiting_for_app"

    def submit(self, where: Conversation, call: Call, outcome: str, **payload: Any) -> None:
        """Fix the outcome; it is final with the ack."""
        call.status, call.outcome = "submitted", outcome
        self.say_result(where, call, status=outcome, **payload)

    def end_call(self, where: Conversation, call: Call, status: str, reason: str, message: str = "") -> None:
        """End it from outside its MiniApp, which hears of it."""
        call.status = call.outcome = status
        self.say_result(where, call, status=status, reason=reason, message=message)
        if call.owner is not None:
            self.tell(call.owner, "sdk.tools.closed", call.id, status, reason)

    def due(self, call: Call) -> int:
        """When it expires: at its deadline, unless its clock stands still; after a day whatever happens."""
        last = call.born + DAY
        return last if call.deadline is None or call.paused is not None else min(call.deadline, last)

    # -- Inboxes
    def put(self, instance: Instance, type_: str, **payload: Any) -> None:
        """A message for a live instance."""
        if instance.live:
            instance.inbox.append(Message(type_, payload))
            if self.enabled[instance.app] and "inbox" in instance.topics:
                self.tell(instance, "sdk.inbox.message", type_, payload)
