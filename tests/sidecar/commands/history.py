"""A store with a history: one sidecar's life in which nearly everything happens once, some of it still open."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from host_bridge.agent import Agent
from host_bridge.client import Sidecar
from host_bridge.command import serve_command
from tests.scenarios.bundles import write_probes
from tests.scenarios.stage import CHOICE, CONFIRM, FORM, App, Stage, begin, refused, restart

MAIN, OTHER = "conv-main", "conv-other"
ARTIFACT = b"<svg/>"


@dataclass
class History:
    """The store and the ids of what happened in it."""

    database: Path
    ids: dict[str, str] = field(default_factory=dict)

    def __getattr__(self, name: str) -> str:
        try:
            return self.ids[name]
        except KeyError:
            raise AttributeError(name) from None


async def live_through(folder: Path) -> History:
    """Let a sidecar live, and end it as a Host does."""
    history = History(folder / "lineup.sqlite")
    options = [*write_probes(folder), "--test-clock"]
    async with Sidecar(serve_command(history.database, *options)) as sidecar:
        await begin(sidecar)
        async with Agent(sidecar, MAIN, "agent-1", ack=False) as agent:
            stage = Stage(sidecar, agent)
            await stage.open()
            await _ended(stage, history.ids)
            await _rejected(stage)
            await _closed(stage, history.ids)
            await _asked_by_the_agent(stage, history.ids)
            await stage.ack()
            await _open(stage, history.ids)
            await restart(sidecar, ahead_ms=70_000)
            await stage.open()
            await _open_after_the_restart(stage, history.ids)
        async with Agent(sidecar, OTHER, "agent-2", ack=False) as agent:
            stage = Stage(sidecar, agent)
            await stage.open()
            await stage.reject("nobody.knows", {}, call_id="call-done")
        await sidecar.call("miniapp.setEnabled", app_scope="probe-three", enabled=False)
    return history


async def _ended(stage: Stage, ids: dict[str, str]) -> None:
    """Calls that ended in each way, and what their MiniApp did meanwhile."""
    await stage.invoke("probe.launch", call_id="call-done")
    app = await stage.mount("probe")
    ids["instance"] = app.instance_id
    await app.subscribe()
    for percent in (10, 20):
        await app.sdk("tools.reportProgress", call_id="call-done", progress={"percent": percent, "message": "drawing"})
        await stage.settle()
    with refused("tool_output_invalid"):
        await app.complete("call-done", wrong=True)
    await app.complete("call-done")
    await stage.invoke("probe.launch", call_id="call-failed")
    await app.take_calls()
    failure = {"code": "no_ink", "message": "The pen is dry"}
    await app.sdk("tools.fail", call_id="call-failed", failure=failure)
    await stage.invoke("probe.blink", call_id="call-timeout")
    await stage.advance(1_000)
    await stage.invoke("probe.launch", call_id="call-given-up")
    given_up = {"control_id": "control-1", "call_id": "call-given-up", "reason": "no longer needed"}
    await stage.deliver("tool.cancel", given_up, message_id="message-cancel")
    await _asked_by_an_app(app, ids)
    await _shown(app, ids)
    await _wanted(stage, app, ids)
    await stage.say("Good morning", message_id="message-1")
    [message] = await app.messages("agent.message")
    await app.sdk("inbox.acknowledge", message_id=message["message_id"])
    ids["inbox"] = message["message_id"]


async def _asked_by_an_app(app: App, ids: dict[str, str]) -> None:
    ids["answered"] = await app.ask("choice", {**CHOICE, "title": "Colour?"})
    await app.stage.answer(ids["answered"], {"action_ids": ["b", "a"]})
    await app.sdk("ui.unsubscribe")
    ids["untaken"] = await app.ask("confirm", {**CONFIRM, "title": "Taken later?", "approve_label": "Go on"})
    await app.stage.answer(ids["untaken"], {"approved": True})
    ids["taken_back"] = await app.ask("confirm", {**CONFIRM, "title": "Never mind?"})
    await app.sdk("ui.cancel", interaction_id=ids["taken_back"], reason="found it")
    form = {**FORM, "fields": [*FORM["fields"], {"id": "age", "label": "Age", "type": "number"}]}
    ids["filled"] = await app.ask("input", form)
    await app.stage.answer(ids["filled"], {"values": {"name": "Ada", "age": 36}})


async def _shown(app: App, ids: dict[str, str]) -> None:
    ids["surface"] = await app.open_surface(title="Board", initial_state={"strokes": {}})
    token = (await app.stage.call("surface.attach", surface_id=ids["surface"]))["surface_token"]
    for number in range(3):
        await app.sdk("surfaces.update", surface_id=ids["surface"], patch={"strokes": {str(number): [number]}})
    view: dict[str, Any] = {"context_token": token, "surface_id": ids["surface"]}
    await app.stage.call("sdk.surfaces.emit", event="pressed", payload={"x": 1}, **view)
    artifact = {
        "name": "board.svg",
        "media_type": "image/svg+xml",
        "byte_size": len(ARTIFACT),
        "sha256": hashlib.sha256(ARTIFACT).hexdigest(),
        "content_base64": base64.b64encode(ARTIFACT).decode(),
    }
    submitted = await app.stage.call("sdk.surfaces.submit", artifact=artifact, **view)
    ids["artifact"] = submitted["artifact_id"]
    await app.stage.call("surface.fail", surface_id=ids["surface"], message="no canvas here")
    await app.stage.call("surface.attach", surface_id=ids["surface"])


async def _wanted(stage: Stage, app: App, ids: dict[str, str]) -> None:
    ids["granted"] = await app.want("probe.allowed")
    await stage.call("capability.resolve", request_id=ids["granted"], outcome="granted", result={"file": "a.txt"})
    ids["denied"] = await app.want("probe.asked", reason="to listen")
    [item] = [one for one in await stage.items() if one["record"]["owner"]["source"] == "runtime_policy"]
    await stage.answer(item["record"]["interaction_id"], {"approved": False})
    with refused("capability_denied", reason="policy"):
        await app.want("probe.denied")


async def _rejected(stage: Stage) -> None:
    await stage.reject("probe.launch", {"n": "seven"}, call_id="call-unfit")
    await stage.reject("probe.forbidden", call_id="call-forbidden")
    await stage.reject("probe.launch", call_id="call-stale", revision="inv_0000000000000000")


async def _closed(stage: Stage, ids: dict[str, str]) -> None:
    """An instance that is closed while it has everything open, and one call decided."""
    await stage.invoke("probe-two.launch", call_id="call-two")
    app = await stage.mount("probe-two")
    instance = await stage.instance("probe-two")
    assert instance
    ids["closed"], ids["session"] = app.instance_id, instance["app_session_id"]
    for call_id in ("call-decided", "call-cut-off"):
        await stage.invoke("probe-two.brief", call_id=call_id)
        await app.take_calls()
    await app.complete("call-decided")
    ids["cut_off_question"] = await app.ask("input", {**FORM, "title": "Cut off?"}, parent_call_id="call-cut-off")
    ids["cut_off_surface"] = await app.open_surface(title="Panel")
    await app.want("probe.asked")
    await stage.ask(
        "confirm", {**CONFIRM, "title": "Still there?"}, call_id="call-stays", app_session_id=ids["session"]
    )
    await app.close(reason="tidy up")


async def _asked_by_the_agent(stage: Stage, ids: dict[str, str]) -> None:
    _, ids["question"] = await stage.ask("confirm", call_id="call-asked")
    await stage.call("renderer.presented", interaction_id=ids["question"])
    with refused("interaction_result_invalid"):
        await stage.answer(ids["question"], {"approved": "yes"})
    await stage.answer(ids["question"], {"approved": True})
    _, ids["dismissed"] = await stage.ask("choice", call_id="call-dismissed")
    await stage.agent.dismiss("call-dismissed", control_id="control-2", reason="changed my mind")
    _, ids["notice"] = await stage.ask("notice", call_id="call-notice")
    await stage.call("renderer.presented", interaction_id=ids["notice"])
    _, ids["sent_away"] = await stage.ask("input", call_id="call-sent-away")
    await stage.call("renderer.cancel", interaction_id=ids["sent_away"], reason="not now")
    _, ids["expired"] = await stage.ask("confirm", {**CONFIRM, "expires_in_ms": 60_000}, call_id="call-expired")
    await stage.advance(60_000)


async def _open(stage: Stage, ids: dict[str, str]) -> None:
    """What is left open when the process is killed."""
    app = await stage.mount("probe")
    await app.subscribe()
    await stage.invoke("probe.launch", call_id="call-running")
    await stage.invoke("probe.patient", call_id="call-paused")
    await app.take_calls()


async def _open_after_the_restart(stage: Stage, ids: dict[str, str]) -> None:
    app = await stage.mount("probe")
    await app.take_calls()
    ids["open"] = await app.ask("input", {**FORM, "title": "Your name?"}, parent_call_id="call-paused")
    for name in ("A", "Ad"):
        draft = {"values": {"name": name}}
        await stage.call("renderer.saveDraft", interaction_id=ids["open"], draft=draft)
    ids["wanted"] = await app.want("probe.allowed")
    ids["asking"] = await app.want("probe.asked")
    await stage.say("Are you there?", message_id="message-2")
    await stage.invoke("probe-three.launch", call_id="call-waiting")
    await stage.invoke("probe.launch", call_id="call-undelivered")
    await app.take_calls()
    await app.complete("call-undelivered")
    with refused("call_already_final"):
        await app.sdk("tools.cancel", call_id="call-undelivered")
    await stage.settle()
    sent = [one.params for one in stage.sidecar.seen("transport.send")]
    for name, call_id in (("sent", "call-undelivered"), ("acked", "call-failed")):
        ids[name] = next(one["outbox_id"] for one in sent if one["envelope"]["payload"].get("call_id") == call_id)
    [waiting] = await app.messages("agent.message")
    ids["waiting"] = waiting["message_id"]
    with refused("lifecycle_denied"):
        await stage.call("miniapp.close", instance_id=(await stage.instance("chat") or {})["instance_id"])
