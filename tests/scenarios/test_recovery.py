"""After a crash or a reload: nothing answered is lost, nothing final is doubled (RULES 6)."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from host_bridge.agent import Agent
from host_bridge.client import Sidecar
from host_bridge.command import serve_command
from host_bridge.errors import ConnectionLostError, RpcError
from tests import stored
from tests.scenarios.stage import CONFIRM, DAY, HOUR, MINUTE, Stage, begin, refused, restart, start_again

requirement = pytest.mark.requirement


# -- every point of a long conversation


@dataclass
class Moment:
    """The store as a crash would leave it after a step, and what must be found in it."""

    store: Path
    snapshot: dict[str, Any]
    unacked: list[str]
    delivered: list[tuple[dict[str, Any], dict[str, Any]]]
    ended: dict[str, str]


@dataclass
class Chronicle:
    """A conversation that is played step by step, and copied after each."""

    stage: Stage
    database: Path
    folder: Path
    moments: list[Moment] = field(default_factory=list)
    delivered: list[tuple[dict[str, Any], dict[str, Any]]] = field(default_factory=list)

    async def deliver(self, type_: str, payload: dict[str, Any], **more: Any) -> dict[str, Any]:
        """Hand in an envelope and remember what was answered."""
        envelope = {"type": f"lineup.v1.{type_}", "message_id": f"m{len(self.delivered)}", "payload": payload, **more}
        answer = await self.stage.call("transport.deliver", peer=self.stage.agent.peer, envelope=envelope)
        self.delivered.append((envelope, answer))
        return answer

    async def invoke(self, tool_id: str, call_id: str, given: dict[str, Any]) -> None:
        """Invoke a Tool."""
        payload = {"call_id": call_id, "tool_id": tool_id, "input": given}
        await self.deliver("tool.invoke", {**payload, "inventory_revision": await self.stage.revision()})

    async def copy(self) -> None:
        """Copy the store as it is between two requests."""
        snapshot = await self.stage.open()
        store = self.folder / f"{len(self.moments)}" / "lineup.sqlite"
        stored.take(self.database).put(store)
        results = await self.stage.sent("tool.result")
        ended = {one["call_id"]: one["status"] for one in results}
        held = list(self.stage.agent.held)
        self.moments.append(Moment(store, snapshot, held, list(self.delivered), ended))


async def play(chronicle: Chronicle) -> None:
    """A conversation with all that can be open, or end, in it; copied after each step of it."""
    stage = chronicle.stage
    await chronicle.invoke("probe.launch", "first", {"n": 1})
    app = await stage.mount("probe")
    await app.subscribe()
    await chronicle.copy()
    surface_id = await app.open_surface(initial_state={"k": 1})
    await app.sdk("surfaces.update", surface_id=surface_id, patch={"k": 2})
    await app.sdk("tools.reportProgress", call_id="first", progress={"percent": 10})
    await chronicle.copy()
    await chronicle.deliver("message", {"text": "kept"}, app_scope="probe")
    await chronicle.invoke("probe.brief", "second", {"n": 2})
    own = await app.ask(parent_call_id="second")
    await chronicle.copy()
    await chronicle.invoke("interaction.confirm", "asked", CONFIRM)
    await chronicle.invoke("interaction.notice", "told", {"title": "t", "message": "m"})
    await chronicle.invoke("probe.launch", "refused", {"n": -1})
    await chronicle.copy()
    items = {one["record"]["call_id"]: one["record"]["interaction_id"] for one in await stage.items()}
    await stage.call("renderer.presented", interaction_id=items["told"])
    await stage.answer(items["asked"], {"approved": True})
    await app.complete("first")
    await app.want("probe.asked")
    await chronicle.copy()
    await stage.ack()
    await chronicle.deliver("interaction.dismiss", {"control_id": "k", "call_id": "told"})
    await stage.answer(own, {"approved": True})
    await chronicle.copy()
    await chronicle.deliver("tool.cancel", {"control_id": "k2", "call_id": "second"})
    await chronicle.invoke("probe-two.drop", "third", {"n": 3})
    await chronicle.invoke("interaction.input", "form", {"title": "t", "prompt": "p", "fields": FIELDS})
    [form] = [one for one in await stage.items() if one["record"]["call_id"] == "form"]
    draft = {"values": {"a": "half"}}
    await stage.call("renderer.saveDraft", interaction_id=form["record"]["interaction_id"], draft=draft)
    await chronicle.copy()
    await app.close()
    await chronicle.copy()


FIELDS = [{"id": "a", "label": "A", "type": "text"}]
WAITS = {"running": "waiting_for_app"}


def recovered(snapshot: dict[str, Any]) -> dict[str, Any]:
    """What a snapshot is after a crash: nothing is connected, and what ran waits."""
    instances = [
        {**one, "mounted": False, "state": "starting" if one["state"] == "starting" else "suspended"}
        for one in snapshot["instances"]
    ]
    calls = [
        {**one, "status": WAITS.get(one["status"], one["status"]), "updated_at": None} for one in snapshot["tool_calls"]
    ]
    return {**snapshot, "instances": instances, "tool_calls": calls, "revision": None}


@requirement("R6-killed-anywhere", "R6-running-waits", "R6-focus-stays", "R6-outbox-again", "R6-surfaces-stay", "A11")
@requirement("R1-after-the-commit", "R1-one-transaction", "R6-submitted-waits")
async def test_each_point_of_a_conversation_is_found_again(
    alone: Stage, lineup_database: Path, lineup_options: list[str], tmp_path: Path
) -> None:
    chronicle = Chronicle(alone, lineup_database, tmp_path)
    await play(chronicle)
    assert len(chronicle.moments) == 8
    for moment in chronicle.moments:
        command = serve_command(moment.store, "--test-clock", *lineup_options)
        async with Sidecar(command) as sidecar, Agent(sidecar, alone.conversation_id, ack=False) as agent:
            await begin(sidecar)
            await find_again(Stage(sidecar, agent), moment)
            await sidecar.kill()


async def find_again(stage: Stage, moment: Moment) -> None:
    """All that was answered by that moment is there, and what was said then is a duplicate."""
    assert recovered(await stage.open()) == recovered(moment.snapshot)
    await stage.settle()
    assert stage.agent.held == moment.unacked
    for envelope, first in moment.delivered:
        again = await stage.call("transport.deliver", peer=stage.agent.peer, envelope=envelope)
        assert again == {**first, "status": "duplicate"}
    await stage.settle()
    assert stage.agent.held == moment.unacked
    for call_id, status in moment.ended.items():
        told = [one["status"] for one in await stage.sent("tool.result", call_id)]
        assert told in ([], [status])


# -- a request whose answer never came


@requirement("R6-killed-anywhere", "R1-one-transaction", "R1-first-ending-wins", "P1-1")
@pytest.mark.parametrize("ending", ["complete", "close", "cancel"])
async def test_what_was_on_its_way_is_done_wholly_or_not_at_all(alone: Stage, ending: str) -> None:
    app, call_id = await alone.launch()
    asked = await app.ask(parent_call_id=call_id)
    named = {"context_token": app.token, "call_id": call_id}
    control = {"control_id": "k", "call_id": call_id}
    envelope = {"type": "lineup.v1.tool.cancel", "message_id": "m", "payload": control}
    requests: dict[str, tuple[str, dict[str, Any]]] = {
        "complete": ("sdk.tools.complete", {**named, "result": {"ok": True}}),
        "close": ("miniapp.close", {"instance_id": app.instance_id}),
        "cancel": ("transport.deliver", {"peer": alone.agent.peer, "envelope": envelope}),
    }
    method, params = requests[ending]
    lost = await alone.sidecar.post(method, params)
    await restart(alone.sidecar)
    with contextlib.suppress(ConnectionLostError):
        await lost
    instance = await alone.instance("probe")
    if instance is not None:
        await app.mount()
        params = {**params, "context_token": app.token} if "context_token" in params else params
        with contextlib.suppress(RpcError):
            await alone.call(method, **params)
    told = await alone.result(call_id) or {}
    assert told["status"] == ("completed" if ending == "complete" else "cancelled")
    open_ids = [one["record"]["interaction_id"] for one in await alone.items()]
    assert open_ids == ([] if ending == "close" else [asked])
    assert len(await alone.sent("app.session.closed")) == (1 if ending == "close" else 0)


@requirement("R6-killed-anywhere")
@pytest.mark.parametrize("answered", [0, 25])
async def test_killed_in_a_burst_each_call_ends_once(alone: Stage, answered: int) -> None:
    app, _ = await alone.launch()
    calls = await alone.invoke_many("probe.work", [{"n": n} for n in range(40)])
    await app.take_calls()
    posted = [
        await alone.sidecar.post(
            "sdk.tools.complete", {"context_token": app.token, "call_id": one, "result": {"ok": True}}
        )
        for one in calls
    ]
    for pending in posted[:answered]:
        await pending
    await restart(alone.sidecar)
    await app.mount()
    redelivered = {call["call_id"]: call["redelivered"] for call in await app.take_calls()}
    assert set(calls[:answered]) & set(redelivered) == set()
    for call_id in calls:
        if call_id in redelivered:
            assert redelivered[call_id]
            await app.complete(call_id)
        with refused("call_already_final"):
            await app.complete(call_id)
    results = [one["call_id"] for one in await alone.sent("tool.result")]
    assert sorted(results) == sorted(calls)


# -- what is again, and what is not


@requirement("R2-redelivery", "A11")
async def test_a_remount_hands_over_again(stage: Stage) -> None:
    app, call_id = await stage.launch()
    assert (await app.get_call(call_id))["redelivered"] is False
    old = app.token
    await app.mount()
    assert (await app.get_call(call_id))["status"] == "waiting_for_app"
    [call] = await app.take_calls()
    assert (call["call_id"], call["status"], call["redelivered"]) == (call_id, "running", True)
    with refused("context_token_invalid"):
        await stage.call("sdk.context.get", context_token=old)
    fresh = await stage.invoke("probe.work")
    [news] = await app.heard("sdk.tools.call")
    assert (news["call"]["call_id"], news["call"]["redelivered"]) == (fresh, False)


@requirement("R2-redelivery", "R6-running-waits", "R6-submitted-waits", "R6-tokens-void", "A11")
async def test_a_restart_hands_over_again_what_ran_and_nothing_that_was_submitted(alone: Stage) -> None:
    app, running = await alone.launch()
    submitted = await alone.invoke("probe.work")
    await app.complete(submitted)
    await app.sdk("tools.unsubscribe")
    waiting = await alone.invoke("probe.work")
    old = app.token
    session = await restart(alone.sidecar)
    assert session["recovered"] == {
        "conversations": 1,
        "instances": 2,
        "tool_calls": 2,
        "interactions": 0,
        "surfaces": 0,
        "outbox": 3,
    }
    with refused("context_token_invalid"):
        await alone.call("sdk.context.get", context_token=old)
    assert [one["status"] for one in (await alone.open())["tool_calls"]] == ["waiting_for_app"] * 2
    await app.mount()
    calls = await app.take_calls()
    assert [(one["call_id"], one["redelivered"]) for one in calls] == [(running, True), (waiting, False)]
    with refused("call_already_final", status="submitted"):
        await app.complete(submitted)
    await alone.ack()
    assert (await app.get_call(submitted))["status"] == "completed"
    await restart(alone.sidecar)
    assert len(await alone.sent("tool.result")) == 1


@requirement("R6-expire-at-start", "R2-timeout", "R5-expiry")
async def test_what_became_overdue_meanwhile_has_ended(alone: Stage) -> None:
    app, brief = await alone.launch(name="brief")
    lasting = await alone.invoke("probe.work")
    asked, _ = await alone.ask("confirm", {**CONFIRM, "expires_in_ms": MINUTE})
    own = await app.ask()
    await restart(alone.sidecar, ahead_ms=16 * MINUTE)
    assert (await alone.result(brief) or {})["reason"] == "timeout"
    assert (await alone.result(asked) or {})["reason"] == "never_presented"
    assert [one["call_id"] for one in (await alone.open())["tool_calls"]] == [lasting]
    await app.mount()
    [record] = (await app.sdk("ui.subscribe"))["records"]
    assert (record["interaction_id"], record["status"]) == (own, "expired")


@requirement("R2-human-time", "R2-one-day")
async def test_the_clock_of_a_call_stands_still_across_a_restart(alone: Stage) -> None:
    app, call_id = await alone.launch(name="brief")
    asked = await app.ask("confirm", {**CONFIRM, "expires_in_ms": DAY}, parent_call_id=call_id)
    await restart(alone.sidecar, ahead_ms=HOUR)
    assert await alone.result(call_id) is None
    await alone.answer(asked, {"approved": True})
    await alone.advance(MINUTE - 5_000)
    assert await alone.result(call_id) is None
    await alone.advance(5_000)
    assert (await alone.result(call_id) or {})["reason"] == "timeout"


@requirement("R6-quiet-before-initialize", "R3-nothing-in-memory")
async def test_before_initialize_nothing_but_answers_leaves(alone: Stage) -> None:
    sidecar = alone.sidecar
    await alone.launch()
    call_id, _ = await alone.ask("confirm", {**CONFIRM, "expires_in_ms": MINUTE})
    await alone.call("transport.setOnline", online=False)
    await alone.forget()
    await start_again(sidecar, ahead_ms=MINUTE + 1_000)
    for _ in range(3):
        assert await sidecar.call("ping") == {}
    assert (await sidecar.request("rpc.discover", {}))["openrpc"]
    with pytest.raises(RpcError) as caught:
        await sidecar.call("workspace.open", **alone.agent.peer)
    assert caught.value.code == -32002
    with pytest.raises(RpcError) as caught:
        await sidecar.call("transport.setOnline", online=True)
    assert caught.value.code == -32002
    assert alone.news == []
    await begin(sidecar)
    assert (await alone.result(call_id) or {})["reason"] == "never_presented"


@requirement("R6-tokens-void", "R2-redelivery", "R6-outbox-again", "A11")
async def test_a_second_initialize_is_a_new_session(alone: Stage) -> None:
    app, call_id = await alone.launch()
    surface_id = await app.open_surface()
    view = (await alone.call("surface.attach", surface_id=surface_id))["surface_token"]
    before = await alone.open()
    held = list(alone.agent.held)
    first = alone.sidecar.session or {}
    await alone.forget()
    second = await begin(alone.sidecar)
    assert second["session_id"] != first["session_id"]
    for token in (app.token, view):
        with refused("context_token_invalid"):
            await alone.call("sdk.context.get", context_token=token)
    after = await alone.open()
    assert recovered(after) == recovered(before)
    assert [one["mounted"] for one in after["instances"]] == [False, False]
    again = [one["outbox_id"] for one in await alone.heard("transport.send")]
    assert again == held
    await app.mount()
    assert [(one["call_id"], one["redelivered"]) for one in await app.take_calls()] == [(call_id, True)]


async def test_ids_sort_by_their_making_even_where_the_clock_steps_back(alone: Stage) -> None:
    await alone.advance(DAY)
    await alone.reject("nothing")
    await restart(alone.sidecar)
    await alone.reject("nothing")
    app = await alone.start()
    await alone.say("hello")
    await alone.settle()
    held = alone.agent.held
    assert held == sorted(held)
    [message] = await app.messages()
    assert message["message_id"] > held[1]


async def test_the_status_counts_what_is_open(alone: Stage) -> None:
    app, _ = await alone.launch()
    await alone.say("unread")
    await alone.ask("confirm")
    await app.ask()
    status = await alone.call("runtime.status")
    counts = {name: status[name] for name in status if name not in ("uptime_ms", "rss_bytes")}
    assert counts == {
        "live_workers": 0,
        "instances": 2,
        "tool_calls_open": 2,
        "interactions_open": 2,
        "outbox_pending": 2,
        "inbox_pending": 1,
    }
    assert status["rss_bytes"] > 0
