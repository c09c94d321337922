"""The state machine: a Host, an Agent and MiniApps do random things, and the model says what must come of each.

Both conversations share one Runtime. Every MiniApp is run by the Host, so that nothing happens by itself.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, NamedTuple, TypeVar

from hypothesis import currently_in_test_context, note
from hypothesis.stateful import RuleBasedStateMachine

from tests.properties import agent, endings
from tests.properties.moves import moves_of
from tests.properties.records import Conversation, Instance, Question, Surface
from tests.properties.stage import HOST_RUN, Stage
from tests.properties.tools import PROVIDED
from tests.properties.watch import Watch
from tests.properties.wire import Refused
from tests.properties.world import DAY, RENDERERS, Refuse, World

_count = itertools.count(1)
T = TypeVar("T")


class Held(NamedTuple):
    """A request that waits for others, to be sent with them."""

    what: str
    method: str
    params: dict[str, Any]
    predict: Callable[[], Any]
    bind: Callable[[Any, Any], None]


class Steps(RuleBasedStateMachine):
    """What all rules share: one step at a time, predicted, taken, compared. Its log is what a failure shows."""

    def __init__(self, stage: Stage) -> None:
        super().__init__()
        self.stage = stage
        self.wire = stage.ready()
        self.world = World(self.wire.now)
        self.watch = Watch(self.wire, self.world)
        self.log: list[str] = []
        self.many = False
        self.held: list[Held] | None = None
        self.moves = moves_of(type(self))
        self.envelopes: list[tuple[Conversation, dict[str, Any]]] = []
        self.mortal = False
        self.calls = 0
        self.began_ms = self.wire.ahead_ms
        number = next(_count)
        self.world.conversations += [Conversation(f"conv-{number}{one}", f"agent-{one}") for one in "ab"]
        self.begin_session(RENDERERS)
        self.settle()

    # -- one step
    def step(
        self,
        what: str,
        predict: Callable[[], Any],
        act: Callable[[], Any],
        bind: Callable[[Any, Any], None] = lambda due, got: None,
    ) -> Any:
        """Predict, act and compare; ``bind`` takes over what the Runtime chose. What was predicted, None if refused."""
        if not self.many:
            self.world.begin()
        try:
            due, refusal = predict(), None
        except Refuse as refused:
            due, refusal = None, refused.code
        try:
            got, code = act(), None
        except Refused as refused:
            got, code = None, refused.code
        self.log.append(f"{what} → {code or 'ok'}")
        assert code == refusal, f"{what}: answered {code or got}, due {refusal or due}"
        if code is None:
            bind(due, got)
        self.settle()
        return due

    def settle(self) -> None:
        """The step is over: everything that can be read is as the model has it."""
        self.world.finish()
        if not self.many:
            self.watch.check()

    @contextmanager
    def together(self) -> Iterator[None]:
        """Several requests are one step: they are compared each, what can be read is compared once."""
        if self.many:
            yield
            return
        self.world.begin()
        self.many = True
        yield
        self.many = False
        self.watch.check()

    def ask_at_once(self) -> None:
        """Send what was held back as one batch: one transaction, in which each request counts by itself."""
        assert self.held is not None
        held, self.held = self.held, None
        if not held:
            return
        self.world.begin()
        expected = [self._expect(one) for one in held]
        for one, (due, refusal), got in zip(
            held, expected, self.wire.batch([(one.method, one.params) for one in held]), strict=True
        ):
            code = got.code if isinstance(got, Refused) else None
            self.log.append(f"at once: {one.what} → {code or 'ok'}")
            assert code == refusal, f"{one.what}: answered {code or got}, due {refusal or due}"
            if code is None:
                one.bind(due, got)
        self.settle()

    def _expect(self, one: Held) -> tuple[Any, str | None]:
        try:
            return one.predict(), None
        except Refuse as refused:
            return None, refused.code
        finally:
            self.world.tell_states()

    def ask(self, what: str, method: str, predict: Callable[[], Any], bind: Any = None, **params: Any) -> Any:
        """A step that is one request of the Host."""
        if self.held is not None:
            self.held.append(Held(f"{what} {method}", method, params, predict, bind or (lambda due, got: None)))
            return None
        act = partial(self.wire.call, method, **params)
        return self.step(f"{what} {method}", predict, act, bind or (lambda due, got: None))

    def sdk(
        self, who: Instance | None, method: str, predict: Callable[[Instance], Any], bind: Any = None, **params: Any
    ) -> Any:
        """A step that is one request of a MiniApp's logic, with the token that it has, if it has one."""

        def due() -> Any:
            if who is None or who.token is None:
                raise Refuse("context_token_invalid")
            return predict(who)

        token = (who and (who.token or who.revoked)) or "nothing"
        told = " ".join(f"{name}={value}" for name, value in params.items())
        return self.ask(f"{who} {told}", f"sdk.{method}", due, bind, context_token=token, **params)

    def deliver(self, where: Conversation, type_: str, payload: dict[str, Any], **envelope: Any) -> None:
        """A step that is one envelope of the Agent."""
        envelope = {"type": f"lineup.v1.{type_}", "message_id": f"m-{next(_count)}", "payload": payload, **envelope}
        self.envelopes.append((where, envelope))
        self.deliver_again(where, envelope)

    def deliver_again(self, where: Conversation, envelope: dict[str, Any]) -> None:
        """Deliver an envelope as it is."""

        def agree(due: Any, got: Any) -> None:
            self.log[-1] += f" {got['status']} {got['code'] or ''}"
            assert got == due

        self.ask(
            f"{where.id} {envelope}",
            "transport.deliver",
            lambda: agent.deliver(self.world, where, envelope),
            agree,
            peer=where.peer(),
            envelope=envelope,
        )

    # -- the session
    def begin_session(self, renderers: tuple[str, ...]) -> dict[str, Any]:
        """Initialize; everything that was handed out before is void."""
        answer = self.initialize(renderers)
        self.world.begin(loose=True)
        endings.begin_session(self.world, renderers)
        self.watch.forget_session()
        self.world.inventory = self.stage.revision(self.world.enabled, answer["inventory_revision"])
        return dict(answer["recovered"])

    def initialize(self, renderers: tuple[str, ...]) -> dict[str, Any]:
        """Say hello."""
        answer: dict[str, Any] = self.wire.call(
            "initialize",
            protocol_version="1.0",
            host={"name": "properties", "version": "1.0.0"},
            host_run=HOST_RUN,
            renderers=list(renderers),
            capability_providers=PROVIDED,
        )
        return answer

    # -- choosing
    def where(self, which: int) -> Conversation:
        """One of the conversations, mostly the first."""
        return self.world.conversations[which == 3]

    def who(self, which: int, app: str) -> Instance | None:
        """The live instance of an app, else the one that was closed last."""
        where = self.where(which)
        return where.live(app) or next((one for one in reversed(where.instances) if one.app == app), None)

    def speaker(self, which: int, app: str) -> Instance | None:
        """That instance if it has a token, else mostly another one that has."""
        return self.one_of(which, app, self.mounted())

    def living(self, which: int, app: str) -> Instance | None:
        """The instance of an app if it lives, else mostly another bundled one of the conversation."""
        return self.one_of(which, app, [one for one in self.where(which).instances if one.live and one.app != "chat"])

    def one_of(self, which: int, app: str, able: list[Instance]) -> Instance | None:
        """That instance if it is able, else mostly another one that is."""
        who = self.who(which, app)
        return who if not able or who in able or which == 7 else able[which % len(able)]

    # -- what there is
    def mounted(self) -> list[Instance]:
        """Every instance that has a token."""
        return [one for where in self.world.conversations for one in where.instances if one.token]

    def working(self) -> list[Instance]:
        """Every instance that has a token and an open call."""
        return [one for one in self.mounted() if self.world.calls_of(one)]

    def reading(self) -> list[Instance]:
        """Every instance that has a token and ever had a message."""
        return [one for one in self.mounted() if one.inbox]

    def has_surfaces(self) -> bool:
        """Whether there ever was one."""
        return any(instance.surfaces for where in self.world.conversations for instance in where.instances)

    def has_questions(self) -> bool:
        """Whether anything was ever asked."""
        return any(where.questions for where in self.world.conversations)

    def has_requests(self) -> bool:
        """Whether a capability was ever asked for."""
        return any(where.requests for where in self.world.conversations)

    def has_envelopes(self) -> bool:
        """Whether the Agent has sent anything."""
        return bool(self.envelopes)

    def has_time(self) -> bool:
        """Whether time has something to end, and none that is kept grows too old."""
        everything = [(*one.calls.values(), *one.questions) for one in self.world.conversations]
        young = self.wire.ahead_ms - self.began_ms < 20 * DAY
        return young and any(one.is_open for several in everything for one in several)

    def is_mortal(self) -> bool:
        """Whether the process may be killed yet."""
        return self.mortal

    def question(self, which: int, place: int) -> Question | None:
        """One of the questions of a conversation, mostly an open one; the newest first."""
        known = [one for one in reversed(self.where(which).questions) if one.id]
        return choose(place, known, [one for one in known if one.is_open])

    def surface(self, who: Instance | None, place: int) -> Surface | None:
        """One of an app's surfaces, mostly one that is not closed; the newest first."""
        known = list(reversed(who.surfaces)) if who else []
        return choose(place, known, [one for one in known if one.status != "closed"])

    def teardown(self) -> None:
        """Leave nothing open, or show what led to the failure and leave the store behind."""
        error = sys.exc_info()[1]
        if isinstance(error, Exception):
            if currently_in_test_context():
                note("\n".join(self.log))
            self.stage.discard()
        else:
            self.stage.tidy(self.world, self.watch.told_of_others)


def choose(place: int, known: list[T], better: list[T]) -> T | None:
    """One of the better ones, sometimes any, None where there is none."""
    among = better if better and place < 7 else known
    return among[place % len(among)] if among else None
