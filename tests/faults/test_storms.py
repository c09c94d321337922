"""Tens of thousands of acts: memory stays, and all others are answered while it lasts (RULES 6)."""

from __future__ import annotations

from typing import Any

import pytest

from host_bridge.agent import Call
from host_bridge.errors import RpcError
from rpc_schema.limits import MAX_INSTANCES, MAX_WORKERS
from tests.faults.bundles import LOGIC
from tests.faults.house import PATIENCE_S, House
from tests.faults.watch import watched

pytestmark = pytest.mark.anyio


async def told(call: Call) -> dict[str, int]:
    """How often each answer came."""
    ended = await call.result(PATIENCE_S)
    assert ended["status"] == "completed", ended
    return {code: int(number) for code, number in (one.split("=") for one in ended["result"]["note"].split())}


@pytest.mark.requirement("R6-bound-events", "R6-bound-questions", "R6-bound-surfaces", "R6-others-unaffected")
@pytest.mark.parametrize(
    ("how", "times", "expected"),
    [
        ("progress", 10_000, {"ok": 10_000}),
        ("update", 10_000, {"ok": 10_000}),
        ("grow", 150, {"ok": 52, "surface_patch_invalid": 98}),
        ("nest", 2_000, {"ok": 1_600, "surface_patch_invalid": 400}),
        ("emit", 10_000, {"limit_exceeded": 9_800, "ok": 200}),
        ("emit-large", 400, {"limit_exceeded": 348, "ok": 52}),
        ("hand-in", 2_000, {"ok": 2_000}),
        ("ask", 10_000, {"limit_exceeded": 9_992, "ok": 8}),
        ("ask-large", 200, {"limit_exceeded": 192, "ok": 8}),
        ("want", 10_000, {"limit_exceeded": 9_992, "ok": 8}),
        ("want-asked", 10_000, {"limit_exceeded": 9_992, "ok": 8}),
        ("want-denied", 10_000, {"capability_denied": 10_000}),
        ("open", 10_000, {"limit_exceeded": 9_997, "ok": 3}),
        ("subscribe", 10_000, {"ok": 10_000}),
        ("guess", 10_000, {"call_not_found": 10_000}),
        ("shout", 20_000, {"ok": 20_000}),
    ],
)
async def test_a_storm_by_a_miniapp_passes_by_all_others(
    house: House, how: str, times: int, expected: dict[str, int]
) -> None:
    async with watched(house):
        call = await house.invoke("storms", f"{how} {times}")
        assert await told(call) == expected


@pytest.mark.requirement("R6-bound-instances", "R3-workers-bounded")
async def test_of_all_apps_launched_at_once_as_many_live_as_may(house: House) -> None:
    async with watched(house):
        calls = [await house.agent.deliver("tool.invoke", await launch(house, scope)) for scope in LAUNCHED]
        refused = [answer["message"] for answer in calls if answer["code"] == "limit_exceeded"]
        assert len(refused) == len(LAUNCHED) + 2 - MAX_INSTANCES, "Interact and the neighbour are there, too"
        assert all(f"(instances: {MAX_INSTANCES} of {MAX_INSTANCES})" in message for message in refused)
        assert len((await house.snapshot())["instances"]) == MAX_INSTANCES
        for _ in range(200):
            assert (await house.call("runtime.status"))["live_workers"] <= MAX_WORKERS


LAUNCHED = [path.stem.replace("_", "-") for path in sorted(LOGIC.glob("*.py")) if path.stem not in ("steady", "spins")]


async def launch(house: House, scope: str) -> dict[str, Any]:
    """What invokes the Tool of an app."""
    revision = await house.agent.revision()
    return {"call_id": f"call {scope}", "tool_id": f"{scope}.other", "inventory_revision": revision, "input": {}}


@pytest.mark.requirement("R6-others-unaffected")
async def test_a_storm_by_the_hosts_own_page_passes_by_all_others(house: House) -> None:
    form = {"title": "F", "prompt": "P", "fields": [{"id": "a", "label": "A", "type": "textarea"}]}
    await house.agent.ask("input", form)
    [asked] = (await house.call("renderer.list", conversation_id=house.agent.conversation_id))["items"]
    interaction_id = asked["record"]["interaction_id"]
    chat = (await house.instance("chat"))["instance_id"]
    async with watched(house):
        for number in range(15):
            draft = {"values": {"a": f"{number}" * 30_000}}
            calls: list[tuple[str, dict[str, Any]]] = [
                *[("renderer.saveDraft", {"interaction_id": interaction_id, "draft": draft})] * 20,
                *[("miniapp.mount", {"instance_id": chat})] * 50,
                *[("renderer.presented", {"interaction_id": interaction_id})] * 50,
                *[("workspace.open", house.agent.peer)] * 50,
                *[("transport.setOnline", {"online": True})] * 5,
            ]
            answers = await house.sidecar.batch(calls)
            assert not [answer for answer in answers if isinstance(answer, RpcError)]
    [still] = (await house.snapshot())["interactions"]
    assert still["draft"] == {"values": {"a": "14" * 30_000}}
    await house.call("renderer.cancel", interaction_id=interaction_id)
