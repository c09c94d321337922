"""Rules: the process is killed, at rest or in the middle of something, and comes back (RULES 6)."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

from tests.properties import agent, app, asked, endings, questions
from tests.properties.app_rules import AppRules
from tests.properties.machine import Steps
from tests.properties.moves import APP, PLACE, move
from tests.properties.records import Conversation
from tests.properties.world import MINUTE

AWAY = [0, 0, 3 * MINUTE // 2, 16 * MINUTE]
BUSY = [0, 200, 400, 600, 800, 1_000, 1_500, 2_000, 3_000, 5_000]
"""Microseconds between a request and the kill: before it is read, while it is carried out, after it was answered."""

Snapshot = dict[str, Any]


class CrashRules(AppRules):
    """The end of the process, and its next life."""

    @move(2, when=Steps.is_mortal, away=AWAY)
    def die(self, away: int) -> None:
        """At rest: everything that was answered is there."""
        before, counted = self.mounted(), self.wire.call("runtime.status")
        self.log.append(f"kill, away for {away} ms")
        self.rise(away)
        recovered = self.begin_session(self.world.renderers)
        endings.expire(self.world, self.wire.now())
        if not away:
            counts = ("instances", "tool_calls_open", "interactions_open", "outbox_pending")
            names = ("instances", "tool_calls", "interactions", "outbox")
            assert [counted[name] for name in counts] == [recovered[name] for name in names]
        self.settle()
        self.remount(before)

    @move(2, when=Steps.is_mortal, at=PLACE, place=PLACE, about=["cancel", "dismiss", "message", "ask"], busy=BUSY)
    def die_as_the_agent_speaks(self, at: int, place: int, about: str, busy: int) -> None:
        """An envelope is on its way, and the Agent sends it again: it counts once."""
        where = self.where(at)
        call = self.old_call(where, place)
        control = {"control_id": f"once-{len(self.envelopes)}", "call_id": call}
        type_, payload = {
            "cancel": ("tool.cancel", control),
            "dismiss": ("interaction.dismiss", control),
            "message": ("message", {"text": "once"}),
            "ask": ("tool.call", {"call_id": call, "kind": "confirm", "request": asked.REQUESTS["confirm"]}),
        }[about]
        envelope = {"type": f"lineup.v1.{type_}", "message_id": f"once-{len(self.envelopes)}", "payload": payload}
        before = self.mounted()
        self.die_at("transport.deliver", {"peer": where.peer(), "envelope": envelope}, busy)
        self.begin_session(self.world.renderers)
        self.world.finish()
        self.send_again(where, envelope)
        self.settle()
        self.remount(before)

    def send_again(self, where: Conversation, envelope: dict[str, Any]) -> None:
        """Whether it had arrived shows in the answer's status alone."""
        got = self.wire.call("transport.deliver", peer=where.peer(), envelope=envelope)
        due = agent.deliver(self.world, where, envelope)
        assert got["status"] in (due["status"], "duplicate")
        assert {**got, "status": due["status"]} == due
        self.envelopes.append((where, envelope))

    @move(3, when=lambda self: self.mortal and self.working(), at=PLACE, scope=APP, place=PLACE, busy=BUSY)
    def die_as_a_call_ends(self, at: int, scope: str, place: int, busy: int) -> None:
        """A completion is on its way: it is whole, with its one result, or the call is open as before."""
        who = self.one_of(at % 7, scope, self.working())
        calls = self.world.calls_of(who) if who else []
        if who is None or who.token is None or not calls or not self.world.enabled[who.app]:
            return
        call = calls[place % len(calls)]
        self.die_in_the_middle(
            who.where,
            "sdk.tools.complete",
            {"context_token": who.token, "call_id": call.id, "result": {"ok": True}},
            busy,
            lambda snapshot: call.id not in [one["call_id"] for one in snapshot["tool_calls"]],
            partial(app.complete, self.world, who, call.id, {"ok": True}),
        )

    @move(3, when=lambda self: self.mortal and self.has_questions(), at=PLACE, place=PLACE, busy=BUSY)
    def die_as_a_question_is_answered(self, at: int, place: int, busy: int) -> None:
        """An answer is on its way: its owner has it, or the question is open as before."""
        question = self.question(at, place)
        if question is None or not question.is_open:
            return
        result = asked.answer(question.request["kind"], sound=True)
        self.die_in_the_middle(
            question.owner.where,
            "renderer.submit",
            {"interaction_id": question.id, "result": result},
            busy,
            lambda snapshot: question.id not in [one["record"]["interaction_id"] for one in snapshot["interactions"]],
            partial(questions.answer, self.world, question, result),
        )

    @move(3, when=Steps.is_mortal, at=PLACE, scope=APP, busy=BUSY)
    def die_as_an_instance_closes(self, at: int, scope: str, busy: int) -> None:
        """Closing is whole, or not at all."""
        who = self.living(at % 7, scope)
        if who is None or not who.live or who.app == "chat":
            return
        self.die_in_the_middle(
            who.where,
            "miniapp.close",
            {"instance_id": who.id, "reason": "enough"},
            busy,
            lambda snapshot: who.id not in snapshot["focus_stack"],
            partial(endings.close, self.world, who, "enough"),
        )

    # -- dying and coming back
    def die_in_the_middle(
        self,
        where: Conversation,
        method: str,
        params: dict[str, Any],
        busy: int,
        has_happened: Callable[[Snapshot], bool],
        happen: Callable[[], Any],
    ) -> None:
        """Kill the process while a request is on its way, find out on which side of it, and hold the rest to that."""
        before = self.mounted()
        self.die_at(method, params, busy)
        self.initialize(self.world.renderers)
        snapshot = self.wire.call("workspace.open", conversation_id=where.id, agent_id=where.agent)
        if has_happened(snapshot):
            self.log[-1] += ", after it"
            happen()
        self.world.begin(loose=True)
        endings.begin_session(self.world, self.world.renderers)
        self.watch.forget_session()
        self.settle()
        self.remount([one for one in before if one.live])

    def die_at(self, method: str, params: dict[str, Any], busy: int) -> None:
        """Ask, be busy for a moment, and kill."""
        self.log.append(f"kill {busy} µs into {method} {params}")
        self.wire.post(method, params)
        end = time.perf_counter_ns() + busy * 1_000
        while time.perf_counter_ns() < end:
            continue
        self.rise(0)

    def rise(self, away_ms: int) -> None:
        """Kill the process and start it again; it tells nothing before the Host has said hello."""
        self.mortal = False
        self.wire.kill()
        self.wire.ahead_ms += away_ms
        self.wire.start()
        self.wire.call("ping")
        assert self.wire.news == []
