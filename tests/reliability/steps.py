"""The story of the matrix: one conversation in which everything is begun, told, answered and ended, step by step.

A step is one request, and so one transaction. It is made again after a death that left it without an answer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from tests.reliability.play import PEER, Play
from tests.scenarios.stage import CHOICE, CONFIRM, FORM, NOTICE

Request = tuple[str, dict[str, Any]]
FIRST, SHORT, GIVEN_UP, LATE = "first", "short", "given-up", "late"
OWN, SURE, SLOW, NEVER, TOLD = "Own form", "Sure?", "In time?", "Never mind?", "Heads up"
SHORT_MS = 60_000


class Step(NamedTuple):
    """``repeated``: how it is refused where it had happened, empty where it is answered as before, None where nobody
    would make it again. ``lasting``: what it does outlives the process; ``certain``: it happens whoever dies, since
    time passes; ``audited``: it is an entry of the audit; ``after`` is what the Host remembers then.
    """

    name: str
    request: Callable[[Play], Request]
    repeated: str | None = ""
    lasting: bool = True
    certain: bool = False
    audited: bool = True
    after: Callable[[Play, Any], None] = lambda play, given: None


def _invoke(call_id: str, tool: str) -> Callable[[Play], Request]:
    def request(play: Play) -> Request:
        [*_, told] = [row for row in play.rows.values() if row["type"] == "client.inventory"]
        payload = {"call_id": call_id, "tool_id": f"probe.{tool}", "input": {"n": 1}}
        revision = {"inventory_revision": told["payload"]["revision"]}
        return play.deliver("tool.invoke", {**payload, **revision}, f"invoke {call_id}")

    return request


def _ask(call_id: str, kind: str, question: dict[str, Any]) -> Callable[[Play], Request]:
    payload = {"call_id": call_id, "kind": kind, "request": question}
    return lambda play: play.deliver("tool.call", payload, f"ask {call_id}")


def _control(type_: str, call_id: str) -> Callable[[Play], Request]:
    payload = {"control_id": f"control {call_id}", "call_id": call_id, "reason": "changed my mind"}
    return lambda play: play.deliver(type_, payload, f"control {call_id}")


def _sdk(method: str, **params: Any) -> Callable[[Play], Request]:
    return lambda play: (f"sdk.{method}", {"context_token": play.token, **params})


def _answer(title: str, result: dict[str, Any]) -> Callable[[Play], Request]:
    return lambda play: ("renderer.submit", {"interaction_id": play.question(title), "result": result})


def _ack(play: Play) -> Request:
    return "transport.ack", {"outbox_ids": list(play.held)}


def _acked(play: Play, _given: Any) -> None:
    play.acked += play.held
    play.held.clear()


def _mounted(play: Play, given: Any) -> None:
    play.mounted.append("probe")
    play.token = given["context_token"]


def _unmounted(play: Play, _given: Any) -> None:
    play.mounted.clear()
    play.topics.clear()
    play.token = ""


def _subscribed(topic: str) -> Callable[[Play, Any], None]:
    def remember(play: Play, given: Any) -> None:
        play.topics.append(topic)
        play.handed += [call["call_id"] for call in given.get("calls", [])]

    return remember


def _subscribe(topic: str, name: str, *, audited: bool = False) -> Step:
    return Step(name, _sdk(f"{topic}.subscribe"), lasting=False, audited=audited, after=_subscribed(topic))


def _surface(method: str, **params: Any) -> Callable[[Play], Request]:
    return lambda play: _sdk(method, surface_id=play.surface(), **params)(play)


def _instance(method: str, scope: str) -> Callable[[Play], Request]:
    def request(play: Play) -> Request:
        play.ids.setdefault(scope, "")
        scopes = {one["app_scope"]: one["instance_id"] for one in play.snapshot()["instances"]}
        play.ids[scope] = scopes.get(scope, play.ids[scope])
        return method, {"instance_id": play.ids[scope]}

    return request


def _first_message(play: Play) -> Request:
    messages = play.call("sdk.inbox.list", context_token=play.token)["messages"]
    play.ids.setdefault("message", messages[0]["message_id"] if messages else "")
    return _sdk("inbox.acknowledge", message_id=play.ids["message"])(play)


def _resolve(play: Play) -> Request:
    for one in play.snapshot()["capability_requests"]:
        play.ids["request"] = one["request_id"]
    return "capability.resolve", {"request_id": play.ids["request"], "outcome": "granted", "result": {"ok": True}}


def _advance(play: Play) -> Request:
    play.wire.ahead_ms += SHORT_MS + 1_000
    return "test.advanceClock", {"ms": SHORT_MS + 1_000}


def _draft(play: Play) -> Request:
    draft = {"values": {"name": "half a name"}}
    return "renderer.saveDraft", {"interaction_id": play.question(OWN), "draft": draft}


def _presented(title: str) -> Callable[[Play], Request]:
    return lambda play: ("renderer.presented", {"interaction_id": play.question(title)})


_OWN_QUESTION = {"request": {"kind": "input", **FORM, "title": OWN}, "options": {"parent_call_id": FIRST}}
_SURFACE = {"key": "main", "title": "Probe", "initial_state": {"strokes": 0}}
_WISH = {"capability": "probe.asked", "reason": "please", "arguments": {}}

STEPS: tuple[Step, ...] = (
    Step("the Host opens the workspace", lambda play: ("workspace.open", PEER)),
    Step("the Agent invokes a Tool", _invoke(FIRST, "launch")),
    Step("the Host mounts the MiniApp", _instance("miniapp.mount", "probe"), lasting=False, after=_mounted),
    _subscribe("tools", "the call is handed over", audited=True),
    _subscribe("inbox", "the MiniApp hears messages"),
    _subscribe("ui", "the MiniApp hears answers"),
    Step("the Agent sends a message", lambda play: play.deliver("message", {"text": "hi"}, "hi", app_scope="probe")),
    Step("the MiniApp reports progress", _sdk("tools.reportProgress", call_id=FIRST, progress={"percent": 1}), None),
    Step("the MiniApp opens a surface", _sdk("surfaces.requestOpen", request=_SURFACE)),
    Step(
        "the MiniApp patches its surface",
        _surface("surfaces.update", patch={"strokes": 1}, base_revision=1),
        "surface_revision_conflict",
    ),
    Step(
        "the Host attaches the surface", lambda play: ("surface.attach", {"surface_id": play.surface()}), lasting=False
    ),
    Step("the MiniApp asks the person", _sdk("ui.request", **_OWN_QUESTION), None),
    Step("a draft is saved", _draft),
    Step("the Agent asks the person", _ask("sure", "confirm", CONFIRM)),
    Step("the question is shown", _presented(SURE)),
    Step("the person answers the Agent", _answer(SURE, {"approved": True}), "interaction_already_final"),
    Step("the Agent's side acks", _ack, after=_acked),
    Step("the person answers the MiniApp", _answer(OWN, {"values": {"name": "Ada"}}), "interaction_already_final"),
    Step("the MiniApp acknowledges a message", _first_message),
    Step("the Host unmounts the MiniApp", _instance("miniapp.unmount", "probe"), lasting=False, after=_unmounted),
    Step("the Host mounts it again", _instance("miniapp.mount", "probe"), lasting=False, after=_mounted),
    _subscribe("tools", "the call is handed over again", audited=True),
    _subscribe("ui", "the MiniApp hears answers again"),
    Step("the MiniApp wants a capability", _sdk("capabilities.request", **_WISH), None),
    Step("the person agrees", _answer("runtime_policy", {"approved": True}), "interaction_already_final"),
    Step("the Host grants the capability", _resolve, "capability_request_not_found"),
    Step("a call with a deadline comes", _invoke(SHORT, "brief")),
    Step("time ends it", _advance, None, certain=True),
    Step("the Agent asks another question", _ask("which", "choice", CHOICE)),
    Step("the Agent dismisses it", _control("interaction.dismiss", "which")),
    Step(
        "the Agent asks with a deadline", _ask("slow", "confirm", {**CONFIRM, "title": SLOW, "expires_in_ms": SHORT_MS})
    ),
    Step("time ends the question", _advance, None, certain=True),
    Step("the Agent asks once more", _ask("never", "confirm", {**CONFIRM, "title": NEVER})),
    Step(
        "the person dismisses it",
        lambda play: ("renderer.cancel", {"interaction_id": play.question(NEVER)}),
        "interaction_already_final",
    ),
    Step("another call comes", _invoke(GIVEN_UP, "work")),
    Step("the Agent cancels it", _control("tool.cancel", GIVEN_UP)),
    Step("the Agent tells something", _ask("told", "notice", NOTICE)),
    Step("the notice is shown", _presented(TOLD)),
    Step(
        "the MiniApp completes the first call",
        _sdk("tools.complete", call_id=FIRST, result={"ok": True}),
        "call_already_final",
    ),
    Step("the Agent's side acks the result", _ack, after=_acked),
    Step("a last call comes", _invoke(LATE, "launch")),
    Step("the person brings Interact forward", _instance("miniapp.foreground", "chat")),
    Step("the person closes the MiniApp", _instance("miniapp.close", "probe"), "app_instance_not_found"),
    Step(
        "the person switches the MiniApp off",
        lambda play: ("miniapp.setEnabled", {"app_scope": "probe", "enabled": False}),
    ),
    Step("the Agent's side acks the rest", _ack, after=_acked),
)
