"""Workers: started when needed, bounded, started again, given up, and never in each other's way (RULES 3 and 6)."""

from __future__ import annotations

import os
import signal
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import anyio
import pytest

from host_bridge.client import Sidecar
from host_bridge.command import serve_command
from host_bridge.pytest_plugin import StartSidecar
from rpc_schema.limits import MAX_WORKERS
from tests.scenarios.bundles import write_workers
from tests.scenarios.conftest import OpenStage
from tests.scenarios.stage import Stage, begin, refused, restart

requirement = pytest.mark.requirement

RUN_BY_HOST = ["chat", "task-dashboard", "whiteboard"]


@pytest.fixture(scope="module")
async def crew(tmp_path_factory: pytest.TempPathFactory, anyio_backend: str) -> AsyncIterator[Sidecar]:
    """A sidecar with workers for all scenarios of this file that leave it as it was."""
    folder = tmp_path_factory.mktemp("crew")
    async with Sidecar(serve_command(folder / "lineup.sqlite", "--test-clock", *write_workers(folder, 4))) as sidecar:
        await begin(sidecar, host_run=RUN_BY_HOST)
        yield sidecar
    assert not sidecar.faults, "the sidecar broke the contract:\n" + "\n".join(sidecar.faults)


@pytest.fixture
async def stage(crew: Sidecar, open_stage: OpenStage) -> AsyncIterator[Stage]:
    """A conversation of this test's own; its workers are ended with it."""
    stage = await open_stage(crew)
    yield stage
    for instance in (await stage.open())["instances"]:
        if instance["app_scope"] != "chat":
            await stage.call("miniapp.close", instance_id=instance["instance_id"])


async def until(read: Callable[[], Any], wanted: Callable[[Any], Any], seconds: float = 60.0) -> Any:
    """Read again and again until it is as wanted; what was read."""
    with anyio.fail_after(seconds):
        while not wanted(found := await read()):
            await anyio.sleep(0.01)  # nothing says when a process has come or gone
    return found


async def view(stage: Stage, scope: str, wanted: Callable[[dict[str, Any]], Any] = bool) -> dict[str, Any]:
    """Wait until the state of an app's surface is as wanted."""

    async def read() -> dict[str, Any]:
        instance = await stage.instance(scope) or {}
        surfaces = (await stage.open())["surfaces"]
        ours = [one["surface_id"] for one in surfaces if one["instance_id"] == instance.get("instance_id")]
        if not ours:
            return {}
        state: dict[str, Any] = (await stage.call("surface.attach", surface_id=ours[0]))["state"]
        return state

    found: dict[str, Any] = await until(read, lambda state: state.get("pid") and wanted(state))
    return found


async def ended(stage: Stage, call_id: str) -> dict[str, Any]:
    """Wait for the result of a call."""
    found: dict[str, Any] = await until(lambda: stage.result(call_id), bool)
    return found


async def status(stage: Stage, call_id: str) -> str | None:
    """The status of an open call."""
    calls = (await stage.open())["tool_calls"]
    return next((call["status"] for call in calls if call["call_id"] == call_id), None)


async def states(stage: Stage) -> dict[str, str]:
    """The state of each live instance, by scope."""
    return {one["app_scope"]: one["state"] for one in (await stage.open())["instances"]}


def is_alive(pid: int) -> bool:
    """Whether a process is there, or nobody has asked yet how it ended."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def gone(pid: int) -> None:
    """Wait until a process is gone."""

    async def read() -> bool:
        return is_alive(pid)

    await until(read, lambda alive: not alive)


# -- one worker


@requirement("R6-workers-wake", "C-guarded-logic", "A2")
async def test_a_worker_runs_when_it_is_needed_in_a_process_of_its_own(stage: Stage) -> None:
    before = (await stage.call("runtime.status"))["live_workers"]
    call_id = await stage.invoke("crew-0.run", {"do": "done"})
    assert await ended(stage, call_id) == {"call_id": call_id, "status": "completed", "result": {"ok": True}}
    pid = (await view(stage, "crew-0"))["pid"]
    assert pid != stage.sidecar.pid
    assert (await stage.call("runtime.status"))["live_workers"] == before + 1
    assert (await states(stage))["crew-0"] == "foreground"
    mounted = await stage.call("miniapp.mount", instance_id=(await stage.instance("crew-0") or {})["instance_id"])
    assert mounted["context_token"] is None
    assert (await stage.instance("crew-0") or {})["run_by"] == "worker"


@requirement("C-guarded-logic", "R8-nothing-handed-out")
async def test_its_guards_stop_accidents(stage: Stage) -> None:
    call_id = await stage.invoke("crew-0.run", {"do": "reach"})
    await ended(stage, call_id)
    state = await view(stage, "crew-0", lambda state: "reached" in state)
    assert set(state["reached"]) & {"network", "process", "files"} == set()


@requirement("A2", "R5-host-answers-alone", "R1-speaker-then-right")
async def test_its_connection_knows_the_sdk_alone(stage: Stage) -> None:
    await ended(stage, await stage.invoke("crew-0.run", {"do": "reach"}))
    pried = (await view(stage, "crew-0", lambda state: "pried" in state))["pried"]
    assert set(pried.values()) == {-32601}


@requirement("A1", "R1-speaker-then-right")
async def test_a_token_is_void_on_another_connection(stage: Stage) -> None:
    interact = await stage.mount("chat")
    await ended(stage, await stage.invoke("crew-0.run", {"do": "done"}))
    await stage.say(f"try {interact.token}", "crew-0")
    state = await view(stage, "crew-0", lambda state: "tried" in state)
    assert state["tried"] == "context_token_invalid"
    assert (await interact.sdk("context.get"))["app_scope"] == "chat"


async def test_what_it_prints_is_no_protocol(stage: Stage) -> None:
    call_id = await stage.invoke("crew-0.run", {"do": "print"})
    assert (await ended(stage, call_id))["status"] == "completed"
    assert not stage.sidecar.faults


async def test_its_exception_costs_one_call_and_says_nothing_of_itself(stage: Stage) -> None:
    call_id = await stage.invoke("crew-0.run", {"do": "raise"})
    failed = await ended(stage, call_id)
    assert (failed["status"], failed["error"]["code"]) == ("failed", "app_error")
    assert "secret" not in str(failed)
    pid = (await view(stage, "crew-0"))["pid"]
    again = await stage.invoke("crew-0.run", {"do": "done"})
    assert (await ended(stage, again))["status"] == "completed"
    assert (await view(stage, "crew-0"))["pid"] == pid


@requirement("R6-worker-restarts", "R2-redelivery", "R6-others-unaffected")
async def test_one_that_dies_is_started_again_and_its_calls_come_again(stage: Stage) -> None:
    other = await stage.invoke("crew-1.run", {"do": "hold"})
    call_id = await stage.invoke("crew-0.run", {"do": "hold"})
    await stage.say("read", "crew-0")
    first = await view(stage, "crew-0", lambda state: call_id in state.get("calls", {}) and state.get("heard"))
    neighbour = await view(stage, "crew-1", lambda state: other in state.get("calls", {}))
    assert (first["lives"], first["calls"]) == (1, {call_id: False})
    os.kill(first["pid"], signal.SIGKILL)
    second = await view(stage, "crew-0", lambda state: state["calls"].get(call_id))
    assert (second["lives"], second["pid"] != first["pid"]) == (2, True)
    assert second["heard"] == first["heard"]
    assert await status(stage, call_id) == "running"
    assert await stage.result(call_id) is None
    assert await view(stage, "crew-1") == neighbour
    assert await stage.heard("miniapp.failed") == []


@requirement("R5-subscribe-recent", "R5-completed", "R3-nothing-in-memory", "A11")
async def test_an_answer_that_came_while_it_was_dead_reaches_its_next_life(stage: Stage) -> None:
    call_id = await stage.invoke("crew-0.run", {"do": "ask"})
    await until(stage.items, bool)
    [item] = await stage.items()
    assert item["record"]["parent_call_id"] == call_id
    pid = (await view(stage, "crew-0"))["pid"]
    os.kill(pid, signal.SIGKILL)
    await stage.answer(item["record"]["interaction_id"], {"approved": True})
    assert (await view(stage, "crew-0", lambda state: state.get("answer")))["answer"] == "completed"


@requirement("R3-enabled-delivers", "R3-disabled-keeps")
async def test_one_that_is_switched_off_takes_nothing_until_it_is_on(stage: Stage) -> None:
    first = await stage.invoke("crew-2.run", {"do": "done"})
    await ended(stage, first)
    pid = (await view(stage, "crew-2"))["pid"]
    await stage.call("miniapp.setEnabled", app_scope="crew-2", enabled=False)
    os.kill(pid, signal.SIGKILL)
    await gone(pid)
    await stage.call("miniapp.setEnabled", app_scope="crew-2", enabled=True)
    await stage.settle()
    await stage.say("hello", "crew-2")
    assert (await view(stage, "crew-2", lambda state: state.get("heard")))["lives"] == 2


@requirement("R3-closing-heard")
@pytest.mark.parametrize("reason", ["bye", "linger"])
async def test_it_has_two_seconds_to_end(stage: Stage, reason: str) -> None:
    call_id = await stage.invoke("crew-0.run", {"do": "hold"})
    state = await view(stage, "crew-0", lambda state: call_id in state.get("calls", {}))
    began = anyio.current_time()
    await stage.call("miniapp.close", instance_id=(await stage.instance("crew-0") or {})["instance_id"], reason=reason)
    await gone(state["pid"])
    took = anyio.current_time() - began
    assert took < 2 if reason == "bye" else 1.8 < took < 6
    assert (await stage.result(call_id) or {})["reason"] == "app_closed"


# -- crashes for good


@requirement("R6-crashed-for-good", "R2-crash-fails", "R6-others-unaffected", "R6-starts-anew")
async def test_one_that_dies_three_times_is_given_up_until_it_is_wanted_anew(stage: Stage) -> None:
    healthy = await stage.invoke("crew-3.run", {"do": "hold"})
    neighbour = await view(stage, "crew-3", lambda state: healthy in state.get("calls", {}))
    asked, _ = await stage.ask("confirm")
    held = {}
    for scope in ("crew-0", "crew-1", "crew-2"):
        await stage.invoke(f"{scope}.run", {"do": "want"})
        held[scope] = await stage.invoke(f"{scope}.run", {"do": "ask"})
    await until(stage.items, lambda items: len(items) == 7)
    deadly = {scope: await stage.invoke(f"{scope}.run", {"do": "exit"}) for scope in held}
    for scope, call_id in deadly.items():
        failed = await ended(stage, call_id)
        assert (failed["status"], failed["error"]["code"]) == ("failed", "app_crashed")
        assert (await stage.result(held[scope]) or {})["error"]["code"] == "app_crashed"
    told = await until(lambda: stage.heard("miniapp.failed"), lambda news: len(news) == 3)
    assert {one["app_scope"]: one["code"] for one in told} == dict.fromkeys(held, "app_crashed")
    assert [one["record"]["call_id"] for one in await stage.items()] == [asked]
    retracted = {(one["status"], one["reason"]) for one in await stage.heard("renderer.retract")}
    assert retracted == {("failed", "app_crashed")}
    snapshot = await stage.open()
    statuses = {one["instance_id"]: one["status"] for one in snapshot["surfaces"]}
    instances = {one["app_scope"]: one for one in snapshot["instances"]}
    assert {instances[scope]["state"] for scope in held} == {"suspended"}
    assert {statuses[instances[scope]["instance_id"]] for scope in held} == {"failed"}
    assert (await stage.stack())[-1] == "crew-3"
    assert await view(stage, "crew-3") == neighbour
    assert await status(stage, healthy) == "running"
    assert {one["call_id"] for one in snapshot["tool_calls"]} == {asked, healthy}

    assert (await stage.say("not now", "crew-0"))["status"] == "accepted"
    assert (await states(stage))["crew-0"] == "suspended"
    revived = await stage.invoke("crew-0.quiet", {"do": "done"})
    await stage.call("miniapp.open", conversation_id=stage.conversation_id, app_scope="crew-1")
    await stage.call("miniapp.foreground", instance_id=instances["crew-2"]["instance_id"])
    assert (await ended(stage, revived))["status"] == "completed"
    for scope in held:
        await view(stage, scope, lambda state: state["lives"] > 3)
    assert (await view(stage, "crew-0", lambda state: state.get("heard")))["heard"] != {}
    assert {(await stage.instance(scope) or {})["state"] for scope in held} == {"foreground", "background"}


@requirement("R6-crashed-for-good", "R8-reasons")
async def test_a_capability_that_was_being_asked_for_fails_with_it(own_crew: Sidecar, open_stage: OpenStage) -> None:
    stage = await open_stage(own_crew)
    await stage.invoke("crew-0.run", {"do": "want"})
    await until(stage.items, bool)
    deadly = await stage.invoke("crew-0.run", {"do": "exit"})
    await ended(stage, deadly)
    assert await stage.items() == []
    await begin(own_crew, host_run=[*RUN_BY_HOST, "crew-0"])
    app = await stage.mount("crew-0")
    [message] = await app.messages("capability.resolved")
    assert (message["payload"]["outcome"], message["payload"]["reason"]) == ("failed", "app_crashed")


# -- many workers


@pytest.fixture
async def own_crew(lineup_start: StartSidecar, tmp_path: Path) -> AsyncIterator[Sidecar]:
    """A sidecar with eleven workers to be, for this test alone."""
    sidecar = await lineup_start(*write_workers(tmp_path, 11))
    await begin(sidecar, host_run=RUN_BY_HOST)
    yield sidecar
    if sidecar.alive:
        await sidecar.kill()


@requirement("R3-workers-bounded", "R3-nothing-in-memory", "R2-redelivery")
async def test_the_one_longest_idle_in_the_background_gives_way_and_comes_back(
    own_crew: Sidecar, open_stage: OpenStage
) -> None:
    stage = await open_stage(own_crew)

    async def run(number: int, do: str = "done", tool: str = "run") -> str:
        call_id = await stage.invoke(f"crew-{number}.{tool}", {"do": do})
        if do == "done":
            await ended(stage, call_id)
        else:
            await view(stage, f"crew-{number}", lambda state: call_id in state.get("calls", {}))
        return call_id

    async def suspended() -> set[int]:
        return {int(scope[5:]) for scope, state in (await states(stage)).items() if state == "suspended"}

    async def live() -> int:
        count: int = (await stage.call("runtime.status"))["live_workers"]
        return count

    for number in range(MAX_WORKERS - 1):
        await run(number)
    await run(MAX_WORKERS - 1, tool="quiet")
    assert (await suspended(), await live()) == (set(), MAX_WORKERS)
    held = await run(0, "hold", "quiet")
    await run(8)
    await until(suspended, lambda found: found == {1})
    await run(2, "hold", "quiet")
    await run(9)
    await until(suspended, lambda found: found == {1, 3})
    assert await status(stage, held) == "running"
    await run(1, tool="quiet")
    await until(suspended, lambda found: found == {3, 4})
    assert await live() <= MAX_WORKERS
    for number in (5, 6, 7, 8, 9, 1):
        await run(number, "hold", "quiet")
    await run(10, "hold", "quiet")
    await until(suspended, lambda found: found == {0, 3, 4})
    assert await status(stage, held) == "waiting_for_app"
    await run(0, "hold", "quiet")
    await view(stage, "crew-0", lambda state: state["calls"].get(held))
    assert await live() <= MAX_WORKERS


@requirement("R6-workers-wake", "R6-quiet-before-initialize", "R2-redelivery")
async def test_after_a_restart_workers_come_for_what_is_in_front_or_has_work(
    own_crew: Sidecar, open_stage: OpenStage
) -> None:
    stage, away = await open_stage(own_crew), await open_stage(own_crew)
    idle = await stage.invoke("crew-0.quiet", {"do": "done"})
    await ended(stage, idle)
    in_front = await stage.invoke("crew-1.run", {"do": "done"})
    await ended(stage, in_front)
    elsewhere = await away.invoke("crew-2.run", {"do": "done"})
    await ended(away, elsewhere)

    async def live() -> int:
        count: int = (await own_crew.call("runtime.status"))["live_workers"]
        return count

    await restart(own_crew, host_run=RUN_BY_HOST)
    assert await live() == 0
    assert await states(stage) == {"chat": "starting", "crew-0": "suspended", "crew-1": "suspended"}
    await view(stage, "crew-1", lambda state: state["lives"] == 2)
    await until(lambda: states(stage), lambda found: found["crew-1"] == "foreground")
    assert (await states(stage))["crew-0"] == "suspended"
    assert await live() == 1
    woken = await stage.invoke("crew-0.quiet", {"do": "done"})
    assert (await ended(stage, woken))["status"] == "completed"
    await away.open()
    await view(away, "crew-2", lambda state: state["lives"] == 2)


async def test_the_host_may_take_an_apps_logic_over_and_give_it_back(own_crew: Sidecar, open_stage: OpenStage) -> None:
    stage = await open_stage(own_crew)
    call_id = await stage.invoke("crew-0.run", {"do": "hold"})
    state = await view(stage, "crew-0", lambda state: call_id in state.get("calls", {}))
    await begin(own_crew, host_run=[*RUN_BY_HOST, "crew-0"])
    await gone(state["pid"])
    app = await stage.mount("crew-0")
    assert [(one["call_id"], one["redelivered"]) for one in await app.take_calls()] == [(call_id, True)]
    await begin(own_crew, host_run=RUN_BY_HOST)
    with refused("context_token_invalid"):
        await app.sdk("context.get")
    await stage.open()
    again = await view(stage, "crew-0", lambda state: state["calls"].get(call_id))
    assert again["pid"] != state["pid"]
