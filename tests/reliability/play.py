"""A Host and an Agent that remember what they were told, go on after any death, and see what there is.

What is seen is told by names, never by ids or times, so that one run can be held against another.
"""

from __future__ import annotations

import json
import re
from typing import Any, Protocol

from tests.scenarios.stage import HOST_RUN, PROVIDERS

PEER = {"agent_id": "agent-1", "conversation_id": "conv-1"}
TOPICS = ("tools", "inbox", "ui")
PASSING = re.compile(r"\b[0-9a-hjkmnp-tv-z]{26}\b|\d{4}-\d\d-\d\dT[\d:.]+Z")
_STATES = {"starting": "away", "suspended": "away"}

View = dict[str, Any]


class Wire(Protocol):
    """A sidecar that can be asked; ``news`` is what it has told meanwhile."""

    ahead_ms: int
    news: list[tuple[str, dict[str, Any]]]

    def call(self, method: str, /, **params: Any) -> Any:
        """Ask and wait."""


class Play:
    """What Host, Agent and the MiniApp that the Host runs know of one conversation, whichever process answers."""

    def __init__(self, wire: Wire, host_run: list[str] | None = None) -> None:
        self.wire = wire
        self.host_run = HOST_RUN if host_run is None else host_run
        self.rows: dict[str, dict[str, Any]] = {}
        self.held: list[str] = []
        self.acked: list[str] = []
        self.mounted: list[str] = []
        self.topics: list[str] = []
        self.handed: list[str] = []
        self.ids: dict[str, str] = {}
        self.lost: list[str] = []
        self.running: list[str] = []
        self.asked: list[str] = []
        self.token = ""
        self.faults: list[str] = []

    # -- for who comes after
    def memory(self) -> dict[str, Any]:
        """All that is known, as text could hold it."""
        return {**{name: known for name, known in vars(self).items() if name != "wire"}, "ahead_ms": self.wire.ahead_ms}

    def remember(self, memory: dict[str, Any]) -> None:
        """Know what another knew."""
        known = dict(memory)
        self.wire.ahead_ms = known.pop("ahead_ms", self.wire.ahead_ms)
        vars(self).update(known)

    # -- asking
    def call(self, method: str, /, **params: Any) -> Any:
        """Ask, and take what was told meanwhile."""
        given = self.wire.call(method, **params)
        self.hear()
        return given

    def deliver(self, type_: str, payload: dict[str, Any], message_id: str, **more: Any) -> tuple[str, dict[str, Any]]:
        """The request that carries an envelope of the Agent."""
        envelope = {"type": f"lineup.v1.{type_}", "message_id": message_id, "payload": payload, **more}
        return "transport.deliver", {"peer": PEER, "envelope": envelope}

    def hear(self) -> None:
        """Take the news: what the Agent is sent, and what the MiniApp is handed."""
        for method, params in self.wire.news:
            if method == "transport.send":
                self._take_row(params)
            elif method == "sdk.tools.call":
                self.handed.append(params["call"]["call_id"])
            elif method == "renderer.present":
                self._take_question(params["item"])
        self.wire.news.clear()

    def _take_question(self, item: dict[str, Any]) -> None:
        """Count a question once, whether it was told or found."""
        if item["record"]["interaction_id"] not in self.asked:
            self.asked.append(item["record"]["interaction_id"])

    def _take_row(self, params: dict[str, Any]) -> None:
        row_id, envelope = params["outbox_id"], params["envelope"]
        row = {"type": envelope["type"].removeprefix("lineup.v1."), "payload": envelope["payload"]}
        if self.rows.setdefault(row_id, row) != row:
            self.faults.append(f"row {row_id} was sent again as something else")
        if row_id in self.acked:
            self.faults.append(f"row {row_id} was sent again after its ack was answered")
        if row_id not in self.held:
            self.held.append(row_id)

    # -- the Host
    def begin(self) -> None:
        """Begin a session."""
        hello = {"protocol_version": "1.0", "host": {"name": "reliability", "version": "1.0.0"}}
        self.call("initialize", **hello, host_run=self.host_run, capability_providers=PROVIDERS)

    def come_back(self) -> None:
        """What a Host does after a death: begin, hear again what was not acked, open, mount, subscribe."""
        known, self.held = self.held, []
        self.begin()
        self.call("ping")
        self.token = ""
        self.running = [one["call_id"] for one in self.snapshot()["tool_calls"] if one["status"] == "running"]
        self.lost = [one for one in known if one not in self.held]
        if self.mounted and any(one["app_scope"] == "probe" for one in self.snapshot()["instances"]):
            self.mount()
        for topic in self.topics if self.token else ():
            self.subscribe(topic)

    def mount(self) -> None:
        """Mount the probe, whose logic this is."""
        self.token = self.call("miniapp.mount", instance_id=self.instance("probe"))["context_token"]

    def subscribe(self, topic: str) -> None:
        """Subscribe, and hold what is handed over against what was handed over before."""
        given = self.call(f"sdk.{topic}.subscribe", context_token=self.token)
        for call in given.get("calls", []):
            if call["call_id"] in self.handed and not call["redelivered"]:
                self.faults.append(f"call {call['call_id']} was handed over again as if for the first time")
            self.handed.append(call["call_id"])

    # -- looking
    def snapshot(self) -> dict[str, Any]:
        """The workspace."""
        snapshot: dict[str, Any] = self.call("workspace.open", **PEER)
        for item in snapshot["interactions"]:
            self._take_question(item)
        return snapshot

    def instance(self, scope: str) -> str:
        """The id of an app's live instance."""
        found: list[str] = [one["instance_id"] for one in self.snapshot()["instances"] if one["app_scope"] == scope]
        return found[0]

    def question(self, title: str) -> str:
        """The id of an open question by its title, or of one that ended."""
        for item in self.snapshot()["interactions"]:
            if item["record"]["request"]["title"] == title or item["record"]["owner"]["source"] == title:
                self.ids[title] = item["record"]["interaction_id"]
        return self.ids[title]

    def surface(self) -> str:
        """The id of the probe's surface."""
        surface_id: str = self.snapshot()["surfaces"][0]["surface_id"]
        return surface_id

    def see(self) -> View:
        """All that can be seen, by kind."""
        snapshot = self.snapshot()
        scopes = {one["instance_id"]: one["app_scope"] for one in snapshot["instances"]}
        items = snapshot["interactions"]
        self.call("ping")
        here = bool(self.token) and "probe" in scopes.values()
        view = {
            "state": {
                "instances": {one["app_scope"]: _state(one) for one in snapshot["instances"]},
                "surfaces": [self._surface(one, here) for one in snapshot["surfaces"]],
                "calls": {one["call_id"]: one["status"] for one in snapshot["tool_calls"]},
                "ended": self._ended_calls(here),
                "requests": [one["capability"] for one in snapshot["capability_requests"]],
            },
            "inbox": self._inbox() if here else [],
            "questions": [_question(one) for one in items],
            "drafts": [one["draft"] for one in items if one["draft"]],
            "focus": [scopes.get(one, "nobody") for one in snapshot["focus_stack"]],
            "outbox": [self.rows[one] for one in self.held],
        }
        return dict(json.loads(PASSING.sub("<>", json.dumps(view))))

    def results(self) -> dict[str, list[Any]]:
        """Every result that the Agent ever heard, by call, each row once."""
        ended = [row["payload"] for row in self.rows.values() if row["type"] == "tool.result"]
        return {one["call_id"]: [each for each in ended if each["call_id"] == one["call_id"]] for one in ended}

    def _surface(self, surface: dict[str, Any], here: bool) -> Any:
        shown = [surface["key"], surface["status"], surface["revision"]]
        if not here:
            return shown
        named = {"context_token": self.token, "surface_id": surface["surface_id"]}
        return [*shown, self.call("sdk.surfaces.get", **named)["state"]]

    def _inbox(self) -> list[Any]:
        messages = self.call("sdk.inbox.list", context_token=self.token)["messages"]
        return [[one["type"], one["payload"]] for one in messages]

    def _ended_calls(self, here: bool) -> dict[str, str]:
        if not here:
            return {}
        known = sorted({row["payload"]["call_id"] for row in self.rows.values() if row["type"] == "tool.result"})
        found = {one: self.call("sdk.tools.get", context_token=self.token, call_id=one)["call"] for one in known}
        return {name: call["status"] for name, call in found.items() if call}


def _state(instance: dict[str, Any]) -> list[Any]:
    return [_STATES.get(instance["state"], instance["state"]), instance["mounted"]]


def _question(item: dict[str, Any]) -> list[Any]:
    record = item["record"]
    return [record["request"], record["status"], record["owner"], record["call_id"], item["placement"]]
