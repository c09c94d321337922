"""The fixtures on the real sidecar: a Host, an Agent and a MiniApp meet in one conversation."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import anyio
import pytest

from host_bridge.agent import Agent
from host_bridge.client import Sidecar
from host_bridge.errors import RpcError, ToolRejectedError
from host_bridge.headless import HeadlessHost
from host_bridge.host_run import HostRunApp
from host_bridge.pytest_plugin import StartSidecar

CONFIRM = {"title": "Sure?", "prompt": "Really?"}


async def allow(request: dict[str, Any]) -> dict[str, Any]:
    return {"seen": request["arguments"]}


async def approve(item: dict[str, Any]) -> dict[str, Any] | None:
    return {"approved": True} if item["record"]["kind"] == "confirm" else None


probe = pytest.mark.lineup(host_run=["chat", "probe"], providers={"probe.allowed": allow})


def test_importing_the_plugin_loads_no_heavy_library() -> None:
    heavy = {"anyio", "pydantic", "rpc_schema", "asyncio"}
    code = f"import sys, host_bridge.pytest_plugin; print({heavy} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


async def test_the_sidecar_is_initialized(lineup_sidecar: Sidecar) -> None:
    assert (await lineup_sidecar.call("runtime.status"))["instances"] == 0
    assert lineup_sidecar.session


async def test_the_clock_is_the_tests(lineup_sidecar: Sidecar) -> None:
    first = await lineup_sidecar.call("test.advanceClock", ms=0)
    assert (await lineup_sidecar.call("test.advanceClock", ms=60_000))["now"] > first["now"]


async def test_more_sidecars_may_follow_on_the_same_store(lineup_sidecar: Sidecar, lineup_start: StartSidecar) -> None:
    await lineup_sidecar.call("workspace.open", conversation_id="c", agent_id="a")
    assert await lineup_sidecar.stop() == 0
    again = await lineup_start()
    session = await again.initialize()
    assert session["recovered"]["conversations"] == 1


@probe
async def test_a_tool_call_goes_to_the_app_and_its_result_to_the_agent(
    lineup_host: HeadlessHost, lineup_agent: Agent
) -> None:
    call = await lineup_agent.invoke("probe.launch", {"n": 1})
    app = await HostRunApp.find(lineup_host, "probe")
    taken = await app.take_call(call.call_id)
    assert taken["input"] == {"n": 1}
    await app.sdk("tools.reportProgress", call_id=call.call_id, progress={"percent": 50})
    await app.sdk("tools.complete", call_id=call.call_id, result={"ok": True})
    assert await call.result() == {"call_id": call.call_id, "status": "completed", "result": {"ok": True}}


@probe
async def test_a_rejected_call_is_an_error(lineup_agent: Agent) -> None:
    with pytest.raises(ToolRejectedError) as caught:
        await lineup_agent.invoke("probe.work", {"n": 1})
    assert caught.value.code == "app_instance_not_found"


@probe
async def test_messages_reach_the_app(lineup_host: HeadlessHost, lineup_agent: Agent) -> None:
    await lineup_agent.invoke("probe.launch", {"n": 1})
    app = await HostRunApp.find(lineup_host, "probe")
    await app.subscribe()
    await lineup_agent.say("hello", app_scope="probe")
    message = await app.take_message("agent.message")
    assert message["payload"] == {"text": "hello", "format": "markdown"}
    assert (await app.sdk("inbox.list"))["messages"] == []


@probe
async def test_a_surface_is_attached_and_followed(lineup_host: HeadlessHost, lineup_agent: Agent) -> None:
    await lineup_agent.invoke("probe.launch", {"n": 1})
    app = await HostRunApp.find(lineup_host, "probe")
    request = {"key": "main", "title": "Probe", "initial_state": {"n": 1}}
    surface_id = (await app.sdk("surfaces.requestOpen", request=request))["surface_id"]
    await lineup_host.surface("probe", lambda state: state == {"n": 1})
    await app.sdk("surfaces.update", surface_id=surface_id, patch={"n": None, "m": 2})
    surface = await lineup_host.surface("probe", lambda state: state == {"m": 2})
    await lineup_host.view(surface, "emit", event="clicked", payload={"on": "ok"})
    message = await app.take_message("surface.event")
    assert message["payload"] == {"surface_id": surface_id, "event": "clicked", "payload": {"on": "ok"}}


@probe
async def test_a_provider_grants_what_the_policy_allows(lineup_host: HeadlessHost, lineup_agent: Agent) -> None:
    await lineup_agent.invoke("probe.launch", {"n": 1})
    app = await HostRunApp.find(lineup_host, "probe")
    wanted = {"capability": "probe.allowed", "reason": "please", "arguments": {"x": 1}}
    request_id = (await app.sdk("capabilities.request", **wanted))["request_id"]
    payload = (await app.take_message("capability.resolved"))["payload"]
    assert (payload["request_id"], payload["outcome"], payload["result"]) == (request_id, "granted", {"seen": {"x": 1}})


@probe
async def test_an_app_asks_the_user_and_hears_the_answer(lineup_host: HeadlessHost, lineup_agent: Agent) -> None:
    call = await lineup_agent.invoke("probe.launch", {"n": 1})
    app = await HostRunApp.find(lineup_host, "probe")
    await app.take_call(call.call_id)
    async with anyio.create_task_group() as tasks:

        async def answer() -> None:
            item = await lineup_host.question(lambda one: one["record"]["owner"]["app_scope"] == "probe")
            assert item["record"]["parent_call_id"] == call.call_id
            await lineup_host.submit(item, {"approved": False})

        tasks.start_soon(answer)
        record = await app.ask({"kind": "confirm", **CONFIRM}, parent_call_id=call.call_id)
    assert record["result"] == {"approved": False}


@pytest.mark.lineup(host_run=["chat"])
async def test_the_script_is_the_person_who_answers(lineup_host: HeadlessHost, lineup_agent: Agent) -> None:
    call = await lineup_agent.ask("confirm", CONFIRM)
    item = await lineup_host.question(lambda one: one["record"]["call_id"] == call.call_id)
    assert await lineup_host.submit(item, {"approved": True}) == "submitted"
    assert (await call.result())["result"] == {"approved": True}
    with pytest.raises(RpcError) as caught:
        await lineup_host.dismiss(item)
    assert caught.value.refusal == "interaction_already_final"


@pytest.mark.lineup(host_run=["chat"], answer=approve)
async def test_questions_may_be_answered_by_themselves(lineup_host: HeadlessHost, lineup_agent: Agent) -> None:
    call = await lineup_agent.invoke("interaction.confirm", CONFIRM)
    assert (await call.result())["result"] == {"approved": True}


@probe
async def test_a_crash_loses_nothing_and_doubles_nothing(lineup_host: HeadlessHost, lineup_agent: Agent) -> None:
    call = await lineup_agent.invoke("probe.launch", {"n": 1})
    app = await HostRunApp.find(lineup_host, "probe")
    await app.take_call(call.call_id)
    request = {"key": "main", "title": "Probe", "initial_state": {"n": 1}}
    await app.sdk("surfaces.requestOpen", request=request)
    lineup_agent.ack = False
    await lineup_host.sidecar.kill()
    await lineup_host.sidecar.start()
    await lineup_host.initialize()
    assert (await lineup_host.surface("probe")).state == {"n": 1}
    assert (await app.take_call(call.call_id))["redelivered"]
    await app.sdk("tools.complete", call_id=call.call_id, result={"ok": True})
    await call.result()
    await lineup_host.sidecar.kill()
    await lineup_host.sidecar.start()
    await lineup_host.initialize()
    await lineup_host.settle()
    assert len(lineup_agent.received("tool.result")) == 1
    assert await lineup_agent.ack_held() > 0


@pytest.mark.lineup(host_run=["chat"], conversation_id="conv-7", agent_id="agent-7")
async def test_the_marker_names_the_peer(lineup_host: HeadlessHost, lineup_agent: Agent) -> None:
    assert lineup_agent.peer == {"conversation_id": "conv-7", "agent_id": "agent-7"}
    assert (await lineup_agent.revision()).startswith("inv_")
