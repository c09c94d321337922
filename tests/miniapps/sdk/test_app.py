"""The loop of a MiniApp: order, acknowledgement, doubles, failures."""

from __future__ import annotations

from typing import Any

import pytest

from miniapps.sdk import MiniApp, RpcError, Start, SurfaceEvent, ToolCall


def message(message_id: str, type_: str = "agent.message", **payload: Any) -> dict[str, Any]:
    return {"message_id": message_id, "type": type_, "payload": payload, "created_at": "2026-08-05T10:00:00.000Z"}


def event(message_id: str, name: str, payload: Any = None) -> dict[str, Any]:
    return message(message_id, "surface.event", surface_id="s-1", event=name, payload=payload)


def call(call_id: str, tool_id: str = "probe.work", **more: Any) -> dict[str, Any]:
    base = {"call_id": call_id, "tool_id": tool_id, "input": {"n": 1}, "status": "running", "redelivered": False}
    return {**base, "created_at": "2026-08-05T10:00:00.000Z", "deadline_at": None, **more}


def record(interaction_id: str, status: str = "completed") -> dict[str, Any]:
    return {"interaction_id": interaction_id, "kind": "confirm", "status": status, "result": {"approved": True}}


def noting(app: MiniApp) -> list[str]:
    """Register a handler for everything; what they heard."""
    heard: list[str] = []
    app.on_start(lambda begun: heard.append(f"start {[c.call_id for c in begun.calls]}"))
    app.on_message(lambda m: heard.append(f"message {m['message_id']}"))
    app.on_interaction(lambda r: heard.append(f"interaction {r['interaction_id']}"))
    app.on_tool_closed(lambda closed: heard.append(f"closed {closed['call_id']}"))
    app.on_closing(lambda closing: heard.append(f"closing {closing['reason']}"))

    @app.tool("probe.work")
    def work(call: ToolCall) -> None:
        heard.append(f"call {call.call_id}")
        call.complete({"ok": True})

    return heard


def test_everything_is_subscribed_before_the_backlog_is_handled_and_then_comes_what_is_new(talk: Any) -> None:
    app = MiniApp()
    heard = noting(app)

    def script(peer: Any) -> None:
        peer.hello()
        peer.notify("sdk.inbox.message", instance_id="i-1", message=message("m-2"))
        peer.subscribed(calls=[call("a")], records=[record("q-1"), record("q-2", "pending")], messages=[message("m-1")])
        assert peer.expect("tools.complete") == {"call_id": "a", "result": {"ok": True}}
        assert peer.expect("inbox.acknowledge") == {"message_id": "m-1"}
        assert peer.expect("inbox.acknowledge") == {"message_id": "m-2"}
        peer.notify("sdk.ui.record", instance_id="i-1", record=record("q-2", "cancelled"))
        peer.notify("sdk.tools.closed", instance_id="i-1", call_id="b", status="expired", reason="timeout")

    talk(script, app.serve)
    assert heard == [
        "start ['a']",
        "interaction q-1",
        "call a",
        "message m-1",
        "message m-2",
        "interaction q-2",
        "closed b",
    ]


def test_nothing_is_handed_out_twice_within_a_process(talk: Any) -> None:
    app = MiniApp()
    heard = noting(app)

    def script(peer: Any) -> None:
        peer.hello()
        peer.subscribed(calls=[call("a")], records=[record("q", "submitted")], messages=[message("m")])
        peer.expect("tools.complete")
        peer.expect("inbox.acknowledge")
        peer.notify("runtime.resync", reason="output was dropped")
        peer.expect("context.get", {"state": "background"})
        peer.subscribed(calls=[call("a", redelivered=True)], records=[record("q")], messages=[message("m")])
        peer.expect("inbox.acknowledge", {"acknowledged": False})

    talk(script, app.serve)
    assert heard == ["start ['a']", "interaction q", "call a", "message m"]
    assert app.sdk.context["state"] == "background"


def test_a_message_is_acknowledged_only_after_its_handler_has_returned(talk: Any) -> None:
    app = MiniApp()

    @app.on_surface_event("save")
    def save(event: SurfaceEvent) -> None:
        app.sdk.lifecycle.request_background()
        assert event.payload == {"n": 1}

    def script(peer: Any) -> None:
        peer.hello()
        peer.subscribed(messages=[event("m-1", "save", {"n": 1})])
        peer.expect("lifecycle.requestBackground")
        assert peer.expect("inbox.acknowledge") == {"message_id": "m-1"}

    talk(script, app.serve)


def test_what_nobody_handles_is_acknowledged_and_a_tool_without_a_handler_fails(talk: Any) -> None:
    def script(peer: Any) -> None:
        peer.hello()
        peer.subscribed(calls=[call("a", "probe.other")], messages=[event("m-1", "wave"), message("m-2", "new.type")])
        assert peer.expect("tools.fail")["failure"]["code"] == "not_implemented"
        peer.expect("inbox.acknowledge")
        peer.expect("inbox.acknowledge")
        peer.notify("sdk.something.new")

    talk(script, MiniApp().serve)


def test_an_exception_in_a_tool_fails_that_call_and_the_app_goes_on(
    talk: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    app = MiniApp()

    @app.tool("probe.work")
    def work(call: ToolCall) -> None:
        if call.call_id == "bad":
            raise ValueError("a secret detail")
        call.progress(percent=5, message="on it", state="running")
        call.complete({"ok": True})

    def script(peer: Any) -> None:
        peer.hello()
        peer.subscribed(calls=[call("bad"), call("good")])
        told = peer.expect("tools.fail")
        assert told["call_id"] == "bad"
        assert told["failure"]["code"] == "app_error"
        assert "secret" not in told["failure"]["message"]
        assert peer.expect("tools.reportProgress")["progress"] == {"percent": 5, "message": "on it", "state": "running"}
        assert peer.expect("tools.complete")["call_id"] == "good"

    talk(script, app.serve)
    assert "a secret detail" in capsys.readouterr().err


def test_a_failed_call_that_had_ended_already_is_no_fault(talk: Any, capsys: pytest.CaptureFixture[str]) -> None:
    app = MiniApp()
    app.tool("probe.work")(lambda call: call.complete({}))

    def script(peer: Any) -> None:
        peer.hello()
        peer.subscribed(calls=[call("a")])
        peer.refuse("tools.complete", "call_already_final")
        peer.refuse("tools.fail", "call_already_final")

    talk(script, app.serve)
    assert "call_already_final" in capsys.readouterr().err


def test_a_message_that_cannot_be_handled_does_not_come_back_for_ever(
    talk: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    app = MiniApp()

    @app.on_surface_event("bad")
    def bad(event: SurfaceEvent) -> None:
        raise KeyError(event.event)

    def script(peer: Any) -> None:
        peer.hello()
        peer.subscribed(messages=[event("m-1", "bad")])
        assert peer.expect("inbox.acknowledge") == {"message_id": "m-1"}

    talk(script, app.serve)
    assert "event bad" in capsys.readouterr().err


def test_an_internal_error_of_the_runtime_ends_the_process_without_an_acknowledgement(talk: Any) -> None:
    app = MiniApp()
    app.on_message(lambda _: app.sdk.lifecycle.request_background() and None)

    def script(peer: Any) -> None:
        peer.hello()
        peer.subscribed(messages=[message("m-1")])
        request = peer.request("sdk.lifecycle.requestBackground")
        peer.send({"id": request["id"], "error": {"code": -32603, "message": "internal", "data": {"error_id": "e"}}})
        assert peer.ended()

    def client(channel: Any) -> None:
        with pytest.raises(RpcError):
            app.serve(channel)

    talk(script, client)


def test_an_exception_at_the_start_ends_the_process(talk: Any) -> None:
    app = MiniApp()

    @app.on_start
    def start(begun: Start) -> None:
        raise LookupError("nothing to begin with")

    def client(channel: Any) -> None:
        with pytest.raises(LookupError):
            app.serve(channel)

    def script(peer: Any) -> None:
        peer.hello()
        peer.subscribed(messages=[message("m-1")])
        assert peer.ended()

    talk(script, client)


def test_closing_ends_the_loop_after_its_handler(talk: Any) -> None:
    app = MiniApp()
    heard = noting(app)

    def script(peer: Any) -> None:
        peer.hello()
        peer.subscribed()
        peer.notify("sdk.lifecycle.closing", instance_id="i-1", reason="user", deadline_ms=2000)
        peer.notify("sdk.inbox.message", instance_id="i-1", message=message("late"))
        assert peer.ended()

    talk(script, app.serve)
    assert heard == ["start []", "closing user"]


def test_a_token_that_died_while_a_handler_worked_means_closing_and_nothing_else(talk: Any) -> None:
    app = MiniApp()
    heard = noting(app)

    def script(peer: Any) -> None:
        peer.hello()
        peer.subscribed(calls=[call("a")])
        peer.notify("sdk.tools.closed", instance_id="i-1", call_id="a", status="cancelled", reason="app_closed")
        peer.notify("sdk.lifecycle.closing", instance_id="i-1", reason="user", deadline_ms=2000)
        peer.refuse("tools.complete", "context_token_invalid")
        assert peer.ended()

    talk(script, app.serve)
    assert heard == ["start ['a']", "call a", "closing user"]


def test_being_switched_off_while_a_handler_worked_ends_the_process_so_that_the_call_comes_again(talk: Any) -> None:
    app = MiniApp()
    noting(app)

    def script(peer: Any) -> None:
        peer.hello()
        peer.subscribed(calls=[call("a")])
        peer.refuse("tools.complete", "app_disabled")

    talk(script, app.serve)


def test_the_agents_questions_are_subscribed_by_who_handles_them(talk: Any) -> None:
    app = MiniApp()
    heard: list[str] = []
    app.on_renderer_record(lambda r: heard.append(f"{r['interaction_id']} {r['status']}"))

    def script(peer: Any) -> None:
        peer.hello()
        peer.expect("ui.subscribe", {"records": []})
        peer.expect("renderer.subscribe", {"records": [record("q", "pending")]})
        peer.expect("tools.subscribe", {"calls": []})
        peer.expect("inbox.subscribe", {"messages": []})
        peer.notify("sdk.renderer.record", instance_id="i-1", record=record("q", "submitted"))
        peer.notify("sdk.renderer.record", instance_id="i-1", record=record("q", "completed"))

    talk(script, app.serve)
    assert heard == ["q pending", "q submitted", "q completed"]


def test_the_context_is_what_the_runtime_said_last(talk: Any) -> None:
    app = MiniApp()
    seen: list[str] = []
    app.on_context_changed(lambda context: seen.append(app.sdk.context["state"]))
    with pytest.raises(RuntimeError, match=r"MiniApp\.serve"):
        app.sdk.context  # noqa: B018 - reading it is the point

    def script(peer: Any) -> None:
        peer.hello()
        peer.subscribed()
        peer.notify("sdk.context.changed", instance_id="i-1", context={"state": "background"})

    talk(script, app.serve)
    assert seen == ["background"]


def test_two_handlers_for_one_thing_are_an_error_of_the_author() -> None:
    app = MiniApp()
    app.tool("probe.work")(lambda call: None)
    with pytest.raises(ValueError, match=r"probe\.work"):
        app.tool("probe.work")(lambda call: None)


def test_a_connection_that_ends_before_the_hello_is_no_fault_and_another_beginning_is(talk: Any) -> None:
    talk(lambda peer: None, MiniApp().serve)

    def client(channel: Any) -> None:
        with pytest.raises(RuntimeError, match=r"sdk\.hello"):
            MiniApp().serve(channel)

    talk(lambda peer: peer.notify("sdk.inbox.message"), client)
