"""Rules: what the Host does: workspaces, mounts, focus, answers, views, providers, time, ends."""

from __future__ import annotations

from typing import Any

from tests.properties import app, asked, endings, questions
from tests.properties.machine import Steps, choose
from tests.properties.moves import APP, MOSTLY, PLACE, move
from tests.properties.records import Instance, Surface
from tests.properties.world import MINUTE, RENDERERS, Refuse

JUMPS = [MINUTE // 2, MINUTE // 2, 3 * MINUTE // 2, 6 * MINUTE, 16 * MINUTE, 25 * 60 * MINUTE]
SHOWS = ["attach", "attach", "attach", "detach", "fail"]
TOUCHES = ["update", "update", "emit", "emit", "requestClose", "other", "beyond"]
SHOWING = [RENDERERS, ("im-card", "sheet"), ("modal",)]


class HostRules(Steps):
    """The Host's side of the wire."""

    # -- workspaces, instances
    @move(1, at=PLACE)
    def open_workspace(self, at: int) -> None:
        where = self.where(at)
        self.ask(
            where.id,
            "workspace.open",
            lambda: self.world.open(where),
            conversation_id=where.id,
            agent_id=where.agent,
        )

    @move(3, at=PLACE, scope=APP)
    def open_app(self, at: int, scope: str) -> None:
        where = self.where(at)

        def due() -> Instance:
            if not where.opened:
                raise Refuse("app_instance_not_found")
            if not self.world.enabled[scope]:
                raise Refuse("app_disabled")
            live = where.live(scope)
            if live is None:
                return self.world.make(where, scope, in_front=True)
            self.world.bring_forward(live, restore=True)
            return live

        def bind(one: Instance, got: Any) -> None:
            assert one.id in ("", got["instance_id"])
            one.id, one.session = got["instance_id"], got["app_session_id"] or ""

        self.ask(f"{where.id} {scope}", "miniapp.open", due, bind, conversation_id=where.id, app_scope=scope)

    @move(2, at=PLACE, scope=APP)
    def mount(self, at: int, scope: str) -> None:
        who = self.who(at, scope)

        def due() -> Instance:
            one = self.live(who)
            one.token, one.revoked = "?", one.token or one.revoked
            self.world.take_back(one)
            one.topics.clear()
            one.mounted = one.connected_once = True
            one.told = self.world.state_of(one)
            return one

        def bind(one: Instance, got: Any) -> None:
            one.token = got["context_token"]
            assert got["context"]["state"] == one.told
            assert [surface["surface_id"] for surface in got["surfaces"]] == [
                surface.id for surface in one.surfaces if surface.status != "closed"
            ]

        self.ask(f"{who}", "miniapp.mount", due, bind, instance_id=self.id_of(who))

    @move(4, at=PLACE, scope=APP)
    def unmount(self, at: int, scope: str) -> None:
        who = self.living(at, scope)
        self.ask(
            f"{who}", "miniapp.unmount", lambda: self.world.disconnect(self.live(who)), instance_id=self.id_of(who)
        )

    @move(at=PLACE, scope=APP, forward=(False, True))
    def focus(self, at: int, scope: str, forward: bool) -> None:
        who = self.living(at, scope)

        def due() -> None:
            if forward:
                self.world.bring_forward(self.live(who), restore=True)
            else:
                self.world.send_back(self.live(who))

        method = "miniapp.foreground" if forward else "miniapp.background"
        self.ask(f"{who}", method, due, instance_id=self.id_of(who))

    @move(2, at=PLACE, scope=APP)
    def close(self, at: int, scope: str) -> None:
        who = self.living(at, scope)
        self.ask(
            f"{who}",
            "miniapp.close",
            lambda: endings.close(self.world, self.live(who), "enough"),
            instance_id=self.id_of(who),
            reason="enough",
        )

    @move(3, scope=APP, on=(False, True))
    def switch(self, scope: str, on: bool) -> None:
        def due() -> None:
            if scope == "chat":
                raise Refuse("lifecycle_denied")

        def bind(_: None, got: Any) -> None:
            wanted = {**self.world.enabled, scope: on}
            revision = self.stage.revision(wanted, got["inventory_revision"])
            endings.set_enabled(self.world, scope, on, revision)

        self.ask(f"{scope} {on}", "miniapp.setEnabled", due, bind, app_scope=scope, enabled=on)

    # -- answers
    @move(
        12,
        when=Steps.has_questions,
        at=PLACE,
        place=PLACE,
        act=["presented", "submit", "submit", "unfit", "cancel", "saveDraft"],
        approve=(False, True),
    )
    def answer(self, at: int, place: int, act: str, approve: bool) -> None:
        question = self.question(at, place)
        kind = "confirm" if question is None else question.request["kind"]
        result = {"approved": approve} if kind == "confirm" else asked.answer(kind, sound=True)
        more: dict[str, Any] = {
            "presented": {},
            "submit": {"result": result},
            "unfit": {"result": asked.answer(kind, sound=False)},
            "cancel": {"reason": "no"},
            "saveDraft": {"draft": {"values": {"f": "half"}}},
        }[act]

        def due() -> None:
            if question is None:
                raise Refuse("interaction_not_found")
            if not question.is_open:
                raise Refuse("interaction_already_final")
            if act == "unfit" or (act == "saveDraft" and kind != "input"):
                raise Refuse("interaction_result_invalid")
            if act == "presented":
                questions.present(self.world, question)
            elif act == "submit":
                questions.answer(self.world, question, result)
            elif act == "cancel":
                questions.end_question(self.world, question, "cancelled", "user_cancelled", message="no")
            else:
                question.draft = {"f": "half"}

        id_ = question.id if question else "nowhere"
        method = "renderer.submit" if act == "unfit" else f"renderer.{act}"
        self.ask(f"{kind} {id_} {more}", method, due, interaction_id=id_, **more)

    # -- views
    @move(7, when=Steps.has_surfaces, at=PLACE, scope=APP, place=PLACE, act=SHOWS)
    def show(self, at: int, scope: str, place: int, act: str) -> None:
        who, surface = self.shown(at, scope, place)

        def due() -> Surface:
            if surface is None or who is None or surface.status == "closed":
                raise Refuse("surface_not_found")
            surface.revoke()
            if act == "attach":
                surface.status = "open"
            elif act == "fail":
                surface.status = "failed"
                self.world.put(who, "surface.failed", surface_id=surface.id, message="dark")
            return surface

        def bind(one: Surface, got: Any) -> None:
            if act == "attach":
                one.token = got["surface_token"]
                assert (got["state"], got["revision"]) == (one.state, one.revision)
                assert (got["document"] is None) == (one.container == "trusted-dom")

        more = {"message": "dark"} if act == "fail" else {}
        self.ask(f"{who}", f"surface.{act}", due, bind, surface_id=surface.id if surface else "nowhere", **more)

    @move(8, when=Steps.has_surfaces, at=PLACE, scope=APP, place=PLACE, act=TOUCHES)
    def touch(self, at: int, scope: str, place: int, act: str) -> None:
        """A view speaks with its own token, of its own surface or of another, or asks for more than a view may."""
        who, surface = self.shown(at, scope, place)

        def due() -> None:
            if who is None or surface is None or surface.token is None:
                raise Refuse("context_token_invalid")
            if act == "beyond":
                raise Refuse("permission_denied")
            app.find_surface(who, "nowhere" if act == "other" else surface.id, only=surface)
            if act == "update":
                app.update(surface, {"v": 1}, None)
                self.world.tell(who, "sdk.surfaces.patched", surface.id, surface.revision, {"v": 1})
            elif act == "emit":
                self.world.put(who, "surface.event", surface_id=surface.id, event="tap", payload={"x": 1})
            else:
                endings.close_surface(surface)

        token = {"context_token": (surface and (surface.token or surface.revoked)) or "nothing"}
        if act == "beyond":
            self.ask(f"view of {who}", "sdk.tools.subscribe", due, **token)
            return
        method = "sdk.surfaces.get" if act == "other" else f"sdk.surfaces.{act}"
        said: dict[str, Any] = {"update": {"patch": {"v": 1}}, "emit": {"event": "tap", "payload": {"x": 1}}}
        id_ = surface.id if surface and act != "other" else "nowhere"
        self.ask(f"view of {who}", method, due, surface_id=id_, **token, **said.get(act, {}))

    # -- providers, transport
    @move(when=Steps.has_requests, at=PLACE, place=PLACE, outcome=["granted", "denied", "failed"])
    def resolve(self, at: int, place: int, outcome: str) -> None:
        known = [one for one in reversed(self.where(at).requests) if one.id]
        request = choose(place, known, [one for one in known if one.status == "requested"])

        def due() -> None:
            if request is None or request.status != "requested":
                raise Refuse("capability_request_not_found")
            reason = None if outcome == "granted" else f"host_{outcome}"
            questions.resolve(self.world, request, outcome, reason=reason, result={"r": 1})

        id_ = request.id if request else "nowhere"
        self.ask(outcome, "capability.resolve", due, request_id=id_, outcome=outcome, result={"r": 1})

    @move(3, other=MOSTLY)
    def go_online(self, other: bool) -> None:
        on = self.world.online != other

        def due() -> int:
            self.world.online = on
            self.world.resend()
            return 0

        self.ask(f"{on}", "transport.setOnline", due, online=on)

    # -- time and ends
    @move(8, when=Steps.has_time, ms=JUMPS)
    def advance(self, ms: int) -> None:
        self.world.begin(loose=True)
        self.log.append(f"{ms} ms pass")
        self.wire.ahead_ms += ms
        self.wire.call("test.advanceClock", ms=ms)
        endings.expire(self.world, self.wire.now())
        self.settle()

    @move(1, showing=SHOWING, again=MOSTLY)
    def reload(self, showing: tuple[str, ...], again: bool) -> None:
        before = self.mounted()
        self.log.append(f"initialize again, with {showing}")
        self.begin_session(showing)
        self.settle()
        if again:
            self.remount(before)

    def remount(self, before: list[Instance]) -> None:
        """Mount again what was mounted, and let it listen to its calls."""
        with self.together():
            for one in before:
                self.mount(3 * self.world.conversations.index(one.where), one.app)
                self.sdk(one, "tools.subscribe", lambda who: app.subscribe(self.world, who, "tools"))

    # -- inside
    def live(self, who: Instance | None) -> Instance:
        """It lives, or the Host is told that there is none."""
        if who is None or not who.live:
            raise Refuse("app_instance_not_found")
        return who

    def shown(self, at: int, scope: str, place: int) -> tuple[Instance | None, Surface | None]:
        """An instance that has surfaces, and one of them."""
        who = self.who(at, scope)
        if who is None or not who.surfaces:
            who = next((one for one in reversed(self.where(at).instances) if one.surfaces), who)
        return who, self.surface(who, place)

    def id_of(self, who: Instance | None) -> str:
        """Its id, or one that nobody has."""
        return who.id if who else "nowhere"
