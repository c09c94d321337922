"""Holding what was heard and what can be read against the model, after every step."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from tests.properties import questions
from tests.properties.records import Conversation, Instance, Question, Row
from tests.properties.shapes import gist_of, instance_of, key_of, ms, question_of
from tests.properties.wire import News, Wire
from tests.properties.world import World

TOLERANCE_MS = 10_000
"""How far a deadline may be from the model's: less than any step of the clock."""


class Watch:
    """The Host's and the Agent's memory of one run: what they were told, as a mirror of what they could read."""

    def __init__(self, wire: Wire, world: World) -> None:
        self._wire = wire
        self._world = world
        self._shown: dict[str, dict[str, Any]] = {}
        self._workspaces: dict[str, dict[str, Any]] = {}
        self._read: dict[str, tuple[int, Any]] = {}
        self._is_new = True
        self.told_of_others: list[str] = []

    def forget_session(self) -> None:
        """A new session: the Host reads its snapshots anew, and may hear of things before it has."""
        self._is_new = True
        self._shown.clear()
        self._workspaces.clear()
        self._read.clear()

    # -- after a step
    def check(self) -> None:
        """Read everything, then compare: snapshots, news, sends."""
        opened = [one for one in self._world.conversations if one.opened]
        asked = [("workspace.open", {"conversation_id": one.id, "agent_id": one.agent}) for one in opened]
        asked += [("renderer.list", {"conversation_id": one.id}) for one in opened]
        asked += [call for one in opened for instance in one.instances for call in _reads_of(instance)]
        answers = dict(zip(map(key_of, asked), self._wire.batch(asked), strict=True)) if asked else {}
        news, self._wire.news = self._wire.news, []
        for where in opened:
            self._bind(where, answers["workspace.open", where.id])
        self._follow(news)
        self._check_sends(news)
        self._check_heard(news)
        self._check_wanted(news)
        for where in opened:
            self._check_workspace(where, answers["workspace.open", where.id])
            self._check_questions(where, answers["renderer.list", where.id]["items"])
            for instance in where.instances:
                self._check_instance(instance, answers)
        self._is_new = False

    def _bind(self, where: Conversation, snapshot: dict[str, Any]) -> None:
        """Learn the ids that the Runtime chose in this step."""
        for found in snapshot["instances"]:
            instance = where.live(found["app_scope"])
            assert instance, f"an instance that should not be: {found}"
            if not instance.id:
                instance.id, instance.session = found["instance_id"], found["app_session_id"] or ""
        for row in where.rows:
            if row.about is not None:
                row.payload["app_session_id"] = row.about.session
        for item in snapshot["interactions"]:
            self._name(where, item["record"])

    def _name(self, where: Conversation, record: dict[str, Any]) -> None:
        if any(one.id == record["interaction_id"] for one in where.questions):
            return
        named = (record["owner"]["source"], record["call_id"])
        fitting = [one for one in where.questions if not one.id and (one.source, one.call and one.call.id) == named]
        assert fitting, f"a question that nobody asked: {record}"
        fitting[0].id = record["interaction_id"]

    # -- the Host's mirror
    def _follow(self, news: list[News]) -> None:
        for method, params in news:
            if method == "renderer.present":
                record = params["item"]["record"]
                where = self._conversation(record["owner"]["conversation_id"])
                if where:
                    self._name(where, record)
                self._shown[record["interaction_id"]] = params["item"]
            elif method == "renderer.retract":
                shown = self._shown.pop(params["interaction_id"], None)
                assert shown or self._is_new, f"retracted, though never shown: {params}"
            elif method == "workspace.changed":
                last = self._workspaces.get(params["conversation_id"])
                assert last is None or params["revision"] >= last["revision"]
                self._workspaces[params["conversation_id"]] = params
            assert method != "runtime.resync", params

    def _conversation(self, id_: str) -> Conversation | None:
        return next((one for one in self._world.conversations if one.id == id_), None)

    # -- the Agent's rows
    def _check_sends(self, news: list[News]) -> None:
        heard: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for method, params in news:
            if method == "transport.send":
                if self._conversation(params["peer"]["conversation_id"]) is None:
                    self.told_of_others.append(params["outbox_id"])
                else:
                    heard[params["peer"]["conversation_id"]].append(params)
        for where in self._world.conversations:
            due = [row for whose, row in self._world.sends if whose is where]
            got = heard[where.id]
            for sent in got:
                assert sent["peer"] == where.peer()
                assert sent["envelope"]["conversation_id"] == where.id
                assert sent["envelope"]["message_id"] == sent["outbox_id"]
            says = [(one["envelope"]["type"].removeprefix("lineup.v1."), one["envelope"]["payload"]) for one in got]
            assert len(says) == len(due), f"sent {says}, due {[(row.type, row.payload) for row in due]}"
            for sent, said in zip(got, says, strict=True):
                self._take(due, sent["outbox_id"], said)

    def _take(self, due: list[Row], outbox_id: str, said: tuple[str, dict[str, Any]]) -> None:
        first = due[0]
        fitting = [row for row in due if row is first or (first.loose and row.batch == first.batch)]
        row = next((one for one in fitting if (one.type, one.payload) == said and one.id in ("", outbox_id)), None)
        assert row, f"sent {said}, due {(first.type, first.payload)}"
        row.id = outbox_id
        due.remove(row)

    # -- the MiniApps' news
    def _check_heard(self, news: list[News]) -> None:
        names = {one.id: one for where in self._world.conversations for one in where.instances}
        heard: dict[tuple[Instance, str], list[Any]] = defaultdict(list)
        for method, params in news:
            if method.startswith("sdk.") and params["instance_id"] in names:
                heard[names[params["instance_id"]], method].append(gist_of(method, params))
        due = {key: list(what) for key, what in self._world.heard.items()}
        for memory in (heard, due):
            for key, what in memory.items():
                if self._world.loose:
                    memory[key] = sorted(what, key=repr)
                if key[1] == "sdk.renderer.record":
                    memory[key] = sorted(dict(_card(one) for one in what).items())
        assert dict(heard) == due, f"heard {dict(heard)}, due {due}"

    def _check_wanted(self, news: list[News]) -> None:
        wanted = [params for method, params in news if method == "capability.requested"]
        due = [(one.id, one.capability) for one in self._world.wanted]
        assert [(one["request_id"], one["capability"]) for one in wanted] == due

    # -- what can be read
    def _check_workspace(self, where: Conversation, snapshot: dict[str, Any]) -> None:
        live = [one for one in where.instances if one.live]
        stack = [one.id for one in where.stack]
        assert sorted(stack) == sorted(one.id for one in live)
        assert (snapshot["focus_stack"], snapshot["foreground"]) == (stack, stack[-1])
        told = self._workspaces.get(where.id)
        if told:
            same = ("focus_stack", "foreground", "instances")
            assert {name: told[name] for name in same} == {name: snapshot[name] for name in same}
        assert {one["instance_id"]: instance_of(one) for one in snapshot["instances"]} == {
            one.id: (one.app, self._world.state_of(one), one.mounted, one.session or None) for one in live
        }
        self._check_lists(where, snapshot)
        content = {name: value for name, value in snapshot.items() if name != "revision"}
        revision, before = self._read.get(where.id, (0, None))
        assert snapshot["revision"] >= revision
        assert snapshot["revision"] > revision or content == before, "changed, and yet the same revision"
        self._read[where.id] = (snapshot["revision"], content)

    def _check_lists(self, where: Conversation, snapshot: dict[str, Any]) -> None:
        surfaces = [(whose, one) for whose in where.instances for one in whose.surfaces if one.status != "closed"]
        named = ("surface_id", "instance_id", "key", "status", "revision")
        assert [tuple(one[name] for name in named) for one in snapshot["surfaces"]] == sorted(
            (one.id, whose.id, one.key, one.status, one.revision) for whose, one in surfaces
        )
        named = ("call_id", "tool_id", "status", "instance_id")
        assert [tuple(one[name] for name in named) for one in snapshot["tool_calls"]] == [
            (one.id, one.tool, one.status, one.owner and one.owner.id) for one in where.calls.values() if one.is_open
        ]
        assert [one["request_id"] for one in snapshot["capability_requests"]] == [
            one.id for one in where.requests if one.status == "requested"
        ]

    def _check_questions(self, where: Conversation, items: list[dict[str, Any]]) -> None:
        due, read = [self._item(one) for one in where.questions if one.is_open], [question_of(item) for item in items]
        assert read == due, f"read {read}, due {due}"
        for item in items:
            shown = self._shown.setdefault(item["record"]["interaction_id"], item)
            assert shown["placement"] == item["placement"], "moved, and the Host was not told"
        mine = {one.id for one in where.questions if one.id}
        assert mine & self._shown.keys() == {item["record"]["interaction_id"] for item in items}

    def _item(self, question: Question) -> dict[str, Any]:
        owner = question.owner
        policys = question.source == "runtime_policy"
        return {
            "id": question.id,
            "kind": question.request["kind"],
            "request": None if policys else question.request,
            "status": question.status,
            "lasts": question.lasts,
            "draft": question.draft,
            "call_id": question.call and question.call.id,
            "owner": {
                "app_scope": owner.app,
                "instance_id": owner.id,
                "conversation_id": owner.where.id,
                "source": question.source,
                "app_session_id": (owner.session or None) if policys else question.session,
                "parent_call_id": question.parent and question.parent.id,
                "surface_id": question.surface,
            },
            "placement": questions.placement(self._world, question),
        }

    def _check_instance(self, instance: Instance, answers: dict[tuple[str, str], Any]) -> None:
        token = instance.token
        if token is None:
            return
        state = answers["sdk.context.get", token]
        assert (state["state"], state["instance_id"]) == (self._world.state_of(instance), instance.id)
        pending = answers["sdk.inbox.list", token]["messages"]
        if self._world.loose:
            _take_order(instance, [(one["type"], one["payload"]) for one in pending])
        due = [one for one in instance.inbox if not one.acked] if self._world.enabled[instance.app] else []
        assert [(one["type"], one["payload"]) for one in pending] == [(one.type, one.payload) for one in due]
        for found, message in zip(pending, due, strict=True):
            assert message.id in ("", found["message_id"])
            message.id = found["message_id"]
        for call in instance.where.calls.values():
            self._check_call(instance, call, answers["sdk.tools.get", token + call.id]["call"])
        for surface in instance.surfaces:
            found = answers["sdk.surfaces.get", token + surface.id]
            if surface.status != "closed":
                assert (found["revision"], found["state"]) == (surface.revision, surface.state)

    def _check_call(self, instance: Instance, call: Any, found: dict[str, Any] | None) -> None:
        if call.owner is not instance:
            assert found is None
            return
        assert found is not None
        assert (found["status"], found["input"], found["redelivered"]) == (call.status, call.input, call.handed > 1)
        assert (found["deadline_at"] is None) == (call.deadline is None)
        if call.deadline is not None:
            assert abs(ms(found["deadline_at"]) - call.deadline) < TOLERANCE_MS, (found, call.deadline)


def _reads_of(instance: Instance) -> list[tuple[str, dict[str, Any]]]:
    if instance.token is None:
        return []
    token = {"context_token": instance.token}
    calls = [("sdk.tools.get", {**token, "call_id": call_id}) for call_id in instance.where.calls]
    surfaces = [("sdk.surfaces.get", {**token, "surface_id": one.id}) for one in instance.surfaces]
    return [("sdk.context.get", token), ("sdk.inbox.list", token), *calls, *surfaces]


def _take_order(instance: Instance, told: list[tuple[str, Any]]) -> None:
    """Let the new messages of a step in which time ended several things come in the order in which they came."""
    new = [one for one in instance.inbox if not one.id]
    if all((one.type, one.payload) in told for one in new):
        new.sort(key=lambda one: told.index((one.type, one.payload)))
        instance.inbox = [*(one for one in instance.inbox if one.id), *new]


def _card(what: tuple[Any, str]) -> tuple[str, str]:
    question, status = what
    return (question.id if isinstance(question, Question) else question), status
