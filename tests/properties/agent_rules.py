"""Rules: what the Agent and the Host's transport do."""

from __future__ import annotations

from functools import partial
from typing import Any

from tests.properties import agent, asked
from tests.properties.host_rules import HostRules
from tests.properties.machine import Steps, choose
from tests.properties.moves import MOSTLY, PLACE, move
from tests.properties.records import Conversation
from tests.properties.tools import KINDS, TOOLS

KNOWN = range(21)
CONTROL = [f"ctl-{number}" for number in range(6)]
NAMES = [""] * 16 + ["right", "right", "wrong-scope", "wrong-instance", "wrong-agent", "session"]
OFTEN = ["alpha.launch", "alpha.work", "alpha.direct", "alpha.push", "beta.launch", "beta.direct"]
WANTED = [*TOOLS, *OFTEN, *OFTEN, "alpha.gone"]


class AgentRules(HostRules):
    """The Agent's side of the wire."""

    @move(14, at=PLACE, known=KNOWN, tool=WANTED, n=range(4), fresh=MOSTLY, fit=MOSTLY, names=NAMES)
    def invoke(self, at: int, known: int, tool: str, n: int, fresh: bool, fit: bool, names: str) -> None:
        where = self.where(at)
        payload: dict[str, Any] = {
            "call_id": self.call_id(where, known),
            "tool_id": tool,
            "inventory_revision": self.world.inventory if fresh else "inv_0000000000000000",
            "input": {"n": n} if fit else {"n": "one"},
        }
        scope = TOOLS[tool].app if tool in TOOLS else "alpha"
        if names == "session":
            payload["app_session_context"] = {"app_session_id": "nowhere"}
        self.deliver(where, "tool.invoke", payload, **self.naming(where, scope, names))

    @move(
        8,
        at=PLACE,
        known=KNOWN,
        kind=KINDS,
        older=(False, True),
        fit=MOSTLY,
        minutes=[None, 1, 5],
        about=[None, None, None, None, "alpha", "beta", "nobody", "foreign"],
        names=NAMES,
    )
    def put_question(
        self, at: int, known: int, kind: str, older: bool, fit: bool, minutes: int | None, about: str | None, names: str
    ) -> None:
        where = self.where(at)
        request = asked.request(kind, minutes, sound=fit)
        payload: dict[str, Any] = {"call_id": self.call_id(where, known)}
        if older:
            payload |= {"kind": kind, "request": {**request, "kind": kind}}
        else:
            payload |= {
                "tool_id": f"interaction.{kind}",
                "inventory_revision": self.world.inventory,
                "input": request,
            }
        if about is not None:
            payload["app_session_context"] = {"app_session_id": self.session(where, about)}
        type_ = "tool.call" if older else "tool.invoke"
        self.deliver(where, type_, payload, **self.naming(where, "chat", names))

    @move(at=PLACE, scope=["", "", "alpha", "alpha", "alpha", "beta", "nobody"], names=NAMES)
    def say(self, at: int, scope: str, names: str) -> None:
        where = self.where(at)
        naming = self.naming(where, scope or "chat", names) if names.endswith(("instance", "agent")) else {}
        named = {"app_scope": scope} if scope else {}
        self.deliver(where, "message", {"text": f"t{at}"}, **{**naming, **named})

    @move(at=PLACE, control=CONTROL, place=PLACE, dismiss=(False, True), reason=["", "late"])
    def give_up(self, at: int, control: str, place: int, dismiss: bool, reason: str) -> None:
        where = self.where(at)
        payload = {"control_id": control, "call_id": self.old_call(where, place), "reason": reason}
        self.deliver(where, "interaction.dismiss" if dismiss else "tool.cancel", payload)

    @move(3, when=Steps.has_envelopes, place=range(31))
    def repeat(self, place: int) -> None:
        where, envelope = self.envelopes[-1 - place % len(self.envelopes)]
        self.deliver_again(where, envelope)

    @move(at=PLACE, count=[1, 2, 100], again=(False, True))
    def ack(self, at: int, count: int, again: bool) -> None:
        where = self.where(at)
        rows = [row for row in where.rows if row.id and (again or not row.acked)]
        ids = [row.id for row in rows[:count]] + ["nowhere"]

        def agree(due: int, got: Any) -> None:
            assert got["acked"] == due

        due = partial(agent.acknowledge, self.world, where, ids)
        self.ask(f"{where.id} {len(ids)}", "transport.ack", due, agree, outbox_ids=ids)

    # -- naming
    def call_id(self, where: Conversation, known: int) -> str:
        """A new call, or now and then one that is known."""
        ids = list(where.calls)
        if known < 3 and ids:
            return ids[-1 - known % len(ids)]
        self.calls += 1
        return f"call-{self.calls}"

    def old_call(self, where: Conversation, place: int) -> str:
        """A known call, mostly an open one; the newest first."""
        known = list(reversed(where.calls.values()))
        call = choose(place, known, [one for one in known if one.is_open])
        return call.id if call else "nowhere"

    def naming(self, where: Conversation, scope: str, names: str) -> dict[str, Any]:
        """What else an envelope says of whom it is for."""
        live = where.live(scope)
        if names == "right":
            return {"app_scope": scope, **({"instance_id": live.id} if live else {})}
        if names == "wrong-scope":
            return {"app_scope": "beta" if scope != "beta" else "alpha"}
        if names == "wrong-instance":
            return {"instance_id": "nowhere"}
        if names == "wrong-agent":
            return {"agent_id": "somebody-else"}
        return {}

    def session(self, where: Conversation, about: str) -> str:
        """The newest app session of an app, live or closed; one of the other conversation; or none."""
        whose = self.world.conversations[0] if where is self.world.conversations[1] else self.world.conversations[1]
        scopes = ("alpha", "beta") if about == "foreign" else (about,)
        known = [one.session for one in (whose if about == "foreign" else where).instances if one.app in scopes]
        return known[-1] if known else "nowhere"
