"""Tokens that nobody else sees, ids that tell a stranger nothing (PROTOCOL 1.2 and 4)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from host_bridge.client import Sidecar
from host_bridge.errors import RpcError
from host_bridge.pytest_plugin import StartSidecar
from tests import stored
from tests.scenarios.conftest import OpenStage
from tests.scenarios.stage import ANSWERS, FORM, MINUTE, App, Stage, begin, restart

requirement = pytest.mark.requirement


async def error_of(sidecar: Sidecar, method: str, **params: Any) -> tuple[int, str, str]:
    """The whole of a refusal: code, message and data."""
    with pytest.raises(RpcError) as caught:
        await sidecar.request(method, params)
    return caught.value.code, caught.value.message, str(caught.value.data)


@requirement("A1")
async def test_tokens_are_long_and_each_is_another_one(stage: Stage) -> None:
    app = await stage.start()
    surface_id = await app.open_surface()
    tokens = [app.token]
    for _ in range(5):
        await app.mount()
        view = (await stage.call("surface.attach", surface_id=surface_id))["surface_token"]
        tokens += [app.token, view]
    assert len(set(tokens)) == len(tokens)
    assert min(len(token) for token in tokens) * 6 >= 256


@requirement("A1", "R6-tokens-void")
async def test_no_token_is_written_anywhere(
    lineup_start: StartSidecar, open_stage: OpenStage, lineup_database: Path
) -> None:
    sidecar = await lineup_start("--log-level", "debug")
    await begin(sidecar)
    stage = await open_stage(sidecar)
    app, call_id = await stage.launch()
    interact = await stage.mount("chat")
    surface_id = await app.open_surface()
    view = (await stage.call("surface.attach", surface_id=surface_id))["surface_token"]
    tokens = [app.token, interact.token, view]
    for token in tokens:
        await stage.call("sdk.context.get", context_token=token)
        await error_of(sidecar, "sdk.tools.complete", context_token=token, call_id=token, result={})
        await error_of(sidecar, "sdk.tools.complete", context_token=f"{token}x", call_id="c", result={})
        await error_of(sidecar, "sdk.tools.get", context_token=token, owner=token)
    await app.complete(call_id)
    seen = "".join(str(one.params) for one in sidecar.seen()) + str(await stage.open()) + str(await stage.audit())
    await sidecar.stop()
    written = stored.content(lineup_database)
    assert stage.conversation_id.encode() in written
    for token in tokens:
        assert token.encode() not in written
        assert token not in seen
        assert token not in sidecar.stderr_tail


@requirement("A1", "A7", "R1-speaker-then-right")
@pytest.mark.parametrize("change", ["cut", "longer", "swapped", "empty", "instance", "revoked"])
async def test_a_token_that_is_none_says_no_more_than_that(stage: Stage, change: str) -> None:
    app = await stage.start()
    old = app.token
    await app.mount()
    wrong = {
        "cut": app.token[:-1],
        "longer": app.token + "A",
        "swapped": app.token.swapcase(),
        "empty": "",
        "instance": app.instance_id,
        "revoked": old,
    }[change]
    unknown = await error_of(stage.sidecar, "sdk.context.get", context_token="nothing like it")
    assert await error_of(stage.sidecar, "sdk.context.get", context_token=wrong) == unknown
    assert unknown[2] == "{'code': 'context_token_invalid'}"


@requirement("A5", "A7", "R1-refused-reaches-nobody")
async def test_what_belongs_to_another_answers_as_what_is_not_there(stage: Stage, open_stage: OpenStage) -> None:
    """Of each pair the one exists, in another instance of this or another conversation."""
    elsewhere = await open_stage(stage.sidecar, agent_id="agent-2")
    me = await stage.start("probe-two")
    for there in (stage, elsewhere):
        app, call_id = await there.launch()
        surface_id, asked = await app.open_surface(), await app.ask()
        await there.say("theirs")
        [message] = await app.messages()
        ids = {"call_id": call_id, "surface_id": surface_id, "interaction_id": asked}
        ids["message_id"] = message["message_id"]
        for method, name, more in [
            ("sdk.tools.complete", "call_id", {"result": {"ok": True}}),
            ("sdk.tools.fail", "call_id", {"failure": {"code": "c", "message": "m"}}),
            ("sdk.tools.cancel", "call_id", {}),
            ("sdk.tools.reportProgress", "call_id", {"progress": {}}),
            ("sdk.surfaces.get", "surface_id", {}),
            ("sdk.surfaces.update", "surface_id", {"patch": {}}),
            ("sdk.surfaces.emit", "surface_id", {"event": "e"}),
            ("sdk.surfaces.submit", "surface_id", {"artifact": {}}),
            ("sdk.surfaces.requestClose", "surface_id", {}),
            ("sdk.ui.cancel", "interaction_id", {}),
            ("sdk.inbox.acknowledge", "message_id", {}),
        ]:
            given = {"context_token": me.token, **more}
            foreign = await error_of(stage.sidecar, method, **given, **{name: ids[name]})
            assert foreign == await error_of(stage.sidecar, method, **given, **{name: "nothing"}), method
        for method, name, empty in [("tools.get", "call_id", "call"), ("ui.get", "interaction_id", "record")]:
            assert await me.sdk(method, **{name: ids[name]}) == {empty: None}
        request = {"kind": "confirm", "title": "t", "prompt": "p"}
        asking = {"context_token": me.token, "request": request}
        foreign = await error_of(stage.sidecar, "sdk.ui.request", **asking, options={"parent_call_id": call_id})
        unknown = await error_of(stage.sidecar, "sdk.ui.request", **asking, options={"parent_call_id": "nothing"})
        assert foreign == unknown
        assert (await app.get_call(call_id))["status"] == "running"
        await there.answer(asked, ANSWERS["confirm"])


SENTINEL = "SENTINEL-c41"


@pytest.mark.parametrize("log_format", ["text", "json"])
@requirement("A1", "R6-tokens-void")
async def test_no_token_is_left_behind_on_any_way_that_a_call_or_a_question_may_end(
    lineup_start: StartSidecar, open_stage: OpenStage, lineup_database: Path, log_format: str
) -> None:
    """And nothing but store and wire holds what the Agent and the user wrote."""
    sidecar = await lineup_start("--log-level", "debug", "--log-format", log_format)
    await begin(sidecar)
    stage = await open_stage(sidecar)
    tokens: list[str] = []
    logged = ""
    app, call_id = await stage.launch()
    surface_id = await app.open_surface()
    for way in ["completed", "unfit", "failed", "timeout", "cancelled", "killed", "expired"]:
        if way != "completed":
            call_id = await stage.invoke("probe.blink" if way == "timeout" else "probe.work")
        await app.take_calls()
        view = (await stage.call("surface.attach", surface_id=surface_id))["surface_token"]
        tokens += [app.token, view]
        logged += sidecar.stderr_tail
        await end(way, stage, app, call_id, view)
    seen = "".join(str(one.params) for one in sidecar.seen()) + str(await stage.open()) + str(await stage.audit())
    await sidecar.stop()
    logged += sidecar.stderr_tail
    written = stored.content(lineup_database)
    assert len(set(tokens)) == 9, "a view's for each way, and its app's before and after the kill"
    assert stage.conversation_id.encode() in written
    assert [token for token in tokens if token.encode() in written or token in seen or token in logged] == []
    assert SENTINEL not in logged + str(audit_text(lineup_database))


async def end(way: str, stage: Stage, app: App, call_id: str, view: str) -> None:
    """Let a call, a life or a question end in that way, and say the tokens where none belongs."""
    sidecar = stage.sidecar
    as_token = {"context_token": app.token, "call_id": call_id}
    match way:
        case "completed":
            await app.complete(call_id, ok=True, note=SENTINEL)
        case "unfit":
            for result in ({"ok": app.token}, {app.token: view}, {"ok": SENTINEL}):
                await error_of(sidecar, "sdk.tools.complete", **as_token, result=result)
            await error_of(sidecar, "sdk.tools.complete", **as_token, result={}, **{app.token: view})
            await error_of(sidecar, app.token, context_token=view)
        case "failed":
            await app.sdk("tools.fail", call_id=call_id, failure={"code": "c", "message": SENTINEL})
            await error_of(sidecar, "sdk.tools.fail", **as_token, failure={"code": app.token, "message": ""})
        case "timeout":
            await stage.advance(1_000)
            await error_of(sidecar, "sdk.tools.complete", **as_token, result={"ok": True})
        case "cancelled":
            await stage.agent.cancel(call_id)
            await error_of(sidecar, "sdk.surfaces.update", context_token=app.token, surface_id=view, patch={})
        case "killed":
            await restart(sidecar, ahead_ms=MINUTE)
            await error_of(sidecar, "sdk.context.get", context_token=app.token)
            await error_of(sidecar, "sdk.context.get", context_token=view)
            await app.mount()
        case _:
            asked = await app.ask("input", {**FORM, "expires_in_ms": MINUTE})
            await stage.call("renderer.saveDraft", interaction_id=asked, draft={"values": {"name": SENTINEL}})
            await stage.advance(MINUTE)
            assert (await app.record(asked))["status"] == "expired"


def audit_text(database: Path) -> list[str]:
    """Every word of the audit, as it lies in the store."""
    return [str(row) for row in stored.rows(database, "SELECT * FROM audit")]
