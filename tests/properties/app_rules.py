"""Rules: what the logic of MiniApps does with its token."""

from __future__ import annotations

from typing import Any

from tests.properties import app, asked
from tests.properties.agent_rules import AgentRules
from tests.properties.endings import close_surface
from tests.properties.machine import Steps, choose
from tests.properties.moves import APP, MOSTLY, PLACE, move
from tests.properties.records import Instance, Message, Question, Request, Surface
from tests.properties.tools import KINDS

BASE = [None, None, 0, 1]
PATCH = asked.PATCHES
CAPABILITY = [*["probe.allowed", "probe.asked"] * 4, "probe.denied", "probe.orphan", "no.such"]
TOPIC = ["tools", "inbox", "ui", "renderer"]


class AppRules(AgentRules):
    """The MiniApps' side of the wire."""

    # -- subscriptions
    def set_out(self, mortal: bool, scope: str, work: bool) -> None:
        """A run begins with a conversation in which something is going on."""
        self.mortal = mortal
        with self.together():
            self.arrive(0, "chat")
            self.listen(0, "chat", "renderer")
            self.arrive(0, scope)
            if work:
                self.arrive(0, "beta")
        if work:
            self.invoke(0, 20, "alpha.launch", 1, True, True, "")
            self.invoke(0, 20, "beta.launch", 1, True, True, "")

    @move(at=PLACE, scope=APP)
    def arrive(self, at: int, scope: str) -> None:
        """An app is opened, mounted and listens."""
        with self.together():
            self.open_workspace(at)
            self.open_app(at, scope)
            self.mount(at, scope)
            for topic in ("tools", "ui", "inbox"):
                self.listen(at, scope, topic)

    @move(when=Steps.mounted, at=PLACE, scope=APP, topic=TOPIC)
    def listen(self, at: int, scope: str, topic: str) -> None:
        def agree(due: list[Any], got: Any) -> None:
            if topic == "tools":
                assert [(one["call_id"], one["status"]) for one in got["calls"]] == [(one.id, "running") for one in due]
            elif topic == "inbox":
                assert [one["payload"] for one in got["messages"]] == [one.payload for one in due]
            else:
                assert [_facts(one) for one in got["records"]] == [
                    (one.id, one.status, one.result, one.reason) for one in due
                ]

        self.sdk(
            self.speaker(at, scope), f"{topic}.subscribe", lambda who: app.subscribe(self.world, who, topic), agree
        )

    @move(2, when=Steps.mounted, at=PLACE, scope=APP, topic=TOPIC)
    def ignore(self, at: int, scope: str, topic: str) -> None:
        self.sdk(self.speaker(at, scope), f"{topic}.unsubscribe", lambda who: app.unsubscribe(who, topic))

    # -- calls
    def call_of(self, who: Instance | None, place: int, own: bool) -> str:
        """One of its own open calls where there is one, else any of the conversation."""
        mine = [one.id for one in self.world.calls_of(who)] if who and own else []
        known = list(who.where.calls) if who else []
        return choose(place, known, mine) or "nowhere"

    @move(
        14,
        when=Steps.working,
        at=PLACE,
        scope=APP,
        place=PLACE,
        own=MOSTLY,
        act=["reportProgress"] * 3 + ["complete", "complete", "unfit", "fail", "cancel"],
        reason=["", "tired"],
    )
    def work(self, at: int, scope: str, place: int, own: bool, act: str, reason: str) -> None:
        who = self.one_of(at, scope, self.working())
        id_ = self.call_of(who, place, own)
        progress = {"percent": place}
        failure = {"code": "broken", "message": "no", "retryable": bool(reason)}
        more: dict[str, Any] = {
            "reportProgress": {"progress": progress},
            "complete": {"result": {"ok": True}},
            "unfit": {"result": {"ok": "yes"}},
            "fail": {"failure": failure},
            "cancel": {"reason": reason},
        }[act]

        def due(one: Instance) -> None:
            if act == "reportProgress":
                app.report(self.world, one, id_, progress)
            elif act in ("complete", "unfit"):
                app.complete(self.world, one, id_, more["result"])
            elif act == "fail":
                app.fail(self.world, one, id_, failure)
            else:
                app.cancel(self.world, one, id_, reason)

        self.sdk(who, f"tools.{'complete' if act == 'unfit' else act}", due, call_id=id_, **more)

    # -- questions
    @move(
        8,
        when=Steps.mounted,
        at=PLACE,
        scope=APP,
        kind=KINDS,
        minutes=[None, 1, 5],
        parent=["", "", "own", "own", "own", "any"],
        place=PLACE,
        how=["default", "inline", "modal"],
        fit=MOSTLY,
    )
    def wonder(
        self, at: int, scope: str, kind: str, minutes: int | None, parent: str, place: int, how: str, fit: bool
    ) -> None:
        who = self.speaker(at, scope)
        parent_id = self.call_of(who, place, parent == "own") if parent else None
        request = {**asked.request(kind, minutes, sound=fit), "kind": kind}
        named = {} if parent_id is None else {"parent_call_id": parent_id}

        def bind(question: Question, got: Any) -> None:
            question.id = got["interaction_id"]
            assert got["status"] == "pending"

        self.sdk(
            who,
            "ui.request",
            lambda one: app.request(self.world, one, request, parent_id, how),
            bind,
            request=request,
            options={**named, "presentation": how},
        )

    @move(when=Steps.has_questions, at=PLACE, scope=APP, place=PLACE, act=["get", "cancel"])
    def look_at_question(self, at: int, scope: str, place: int, act: str) -> None:
        who, question = self.speaker(at, scope), self.question(at, place)
        id_ = question.id if question else "nowhere"

        def due(one: Instance) -> Question | None:
            act_on = app.read_question if act == "get" else app.cancel_question
            return act_on(self.world, one, id_)

        def agree(own: Question | None, got: Any) -> None:
            if act == "get":
                assert (own is None) == (got["record"] is None)
                assert own is None or _facts(got["record"]) == (own.id, own.status, own.result, own.reason)

        self.sdk(who, f"ui.{act}", due, agree, interaction_id=id_)

    # -- Inbox, lifecycle, words
    @move(when=Steps.reading, at=PLACE, scope=APP, place=PLACE, own=MOSTLY)
    def take_message(self, at: int, scope: str, place: int, own: bool) -> None:
        who = self.one_of(at, scope, self.reading())
        everybodys = [message for one in self.where(at).instances for message in one.inbox]
        known = [one for one in (who.inbox if who and own else everybodys) if one.id]
        message = known[place % len(known)] if known else Message("", {}, "nowhere")

        def agree(due: bool, got: Any) -> None:
            assert got["acknowledged"] == due

        self.sdk(who, "inbox.acknowledge", lambda one: app.acknowledge(one, message.id), agree, message_id=message.id)

    @move(5, at=PLACE, scope=APP, wish=["requestForeground", "requestBackground", "requestClose"])
    def wish(self, at: int, scope: str, wish: str) -> None:
        self.sdk(self.speaker(at, scope), f"lifecycle.{wish}", lambda one: app.lifecycle(self.world, one, wish))

    @move(at=PLACE, scope=["chat", "chat", "chat", "alpha"], number=range(4))
    def send_text(self, at: int, scope: str, number: int) -> None:
        id_ = f"text-{number}"
        self.sdk(
            self.speaker(at, scope),
            "conversation.sendText",
            lambda one: app.send_text(self.world, one, "hello", id_),
            text="hello",
            client_message_id=id_,
        )

    # -- surfaces
    @move(
        when=Steps.mounted,
        at=PLACE,
        scope=APP,
        key=["k0", "k0", "k1", "k2", "k3", "k4"],
        container=[None, None, "sandboxed-iframe", "trusted-dom"],
    )
    def open_surface(self, at: int, scope: str, key: str, container: str | None) -> None:
        who = self.speaker(at, scope)
        state = {"n": at}
        named = {} if container is None else {"container": container}

        def bind(found: Surface | None, got: Any) -> None:
            if found is None and who is not None:
                shown = container or ("trusted-dom" if who.app == "chat" else "sandboxed-iframe")
                found = Surface(got["surface_id"], key, "T", shown, state)
                who.surfaces.append(found)
            assert found is not None
            assert (got["surface_id"], got["revision"], got["state"]) == (found.id, found.revision, found.state)

        self.sdk(
            who,
            "surfaces.requestOpen",
            lambda one: app.open_surface(self.world, one, key, container, state),
            bind,
            request={"key": key, "title": "T", "initial_state": state, **named},
        )

    @move(when=Steps.has_surfaces, at=PLACE, scope=APP, place=PLACE, patch=PATCH, base=BASE)
    def patch(self, at: int, scope: str, place: int, patch: Any, base: int | None) -> None:
        who, surface = self.shown(at, scope, place)
        based = None if base is None or surface is None else surface.revision + base
        named = {} if based is None else {"base_revision": based}

        def agree(revision: int, got: Any) -> None:
            assert got["revision"] == revision

        def due(one: Instance) -> int:
            found = app.find_surface(one, surface.id if surface else "nowhere")
            app.update(found, patch, based)
            return found.revision

        id_ = surface.id if surface else "nowhere"
        self.sdk(who, "surfaces.update", due, agree, surface_id=id_, patch=patch, **named)

    @move(when=Steps.has_surfaces, at=PLACE, scope=APP, place=PLACE)
    def put_away(self, at: int, scope: str, place: int) -> None:
        who, surface = self.shown(at, scope, place)
        id_ = surface.id if surface else "nowhere"

        def due(one: Instance) -> None:
            found = app.find_surface(one, id_)
            close_surface(found)

        self.sdk(who, "surfaces.requestClose", due, surface_id=id_)

    # -- capabilities
    @move(7, when=Steps.mounted, at=PLACE, scope=APP, name=CAPABILITY)
    def want(self, at: int, scope: str, name: str) -> None:
        def bind(made: Request, got: Any) -> None:
            made.id = got["request_id"]

        self.sdk(
            self.speaker(at, scope),
            "capabilities.request",
            lambda one: app.capability(self.world, one, name),
            bind,
            capability=name,
            reason="to see",
            arguments={"a": 1},
        )


def _facts(record: dict[str, Any]) -> tuple[Any, ...]:
    return record["interaction_id"], record["status"], record["result"], record["reason"]
