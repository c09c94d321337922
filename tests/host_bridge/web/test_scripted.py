"""The scripted Agent with a real sidecar: each scene to its end, with a program for the person."""

from __future__ import annotations

from typing import Any

import pytest

from tests.host_bridge.web.conftest import RunServer, StartServer, UsePeer
from tests.host_bridge.web.page_program import HOST, Page, Server

ANSWERS = {
    "choice": {"action_ids": ["blog", "docs"]},
    "confirm": {"approved": True},
    "input": {"values": {"name": "Ada", "stars": 5}},
}


async def ended(page: Page, scene: str) -> dict[str, Any]:
    return await page.hear("bridge.scene", lambda told: told["scene"] == scene and told["state"] != "playing")


def told(page: Page, scene: str) -> list[str]:
    return [
        one["params"]["text"] for one in page.news if one["method"] == "bridge.told" and one["params"]["scene"] == scene
    ]


async def question(page: Page) -> str:
    """Present the next question; its id."""
    item = (await page.hear("renderer.present", lambda one: one["item"]["record"]["status"] == "pending"))["item"]
    interaction_id: str = item["record"]["interaction_id"]
    await page.call("renderer.presented", interaction_id=interaction_id)
    return interaction_id


async def surface_of(page: Page, title: str) -> dict[str, Any]:
    """Mount the instance whose surface has that title, and attach the surface."""
    opened = await page.hear("surface.opened", lambda one: one["surface"]["title"] == title)
    await page.call("miniapp.mount", instance_id=opened["surface"]["instance_id"])
    attached: dict[str, Any] = await page.call("surface.attach", surface_id=opened["surface"]["surface_id"])
    return attached


async def test_the_scenes_have_ids_titles_and_summaries(page: Page) -> None:
    listed = await page.call("bridge.scenes")
    assert listed["playing"] is None
    ids = [one["id"] for one in listed["scenes"]]
    assert ids == ["talk", "notice", "choice", "confirm", "form", "take-back", "task", "crash", "draw"]
    assert all(one["title"] and one["summary"] and len(one) == 3 for one in listed["scenes"])


@pytest.mark.parametrize(("scene", "kind"), [("choice", "choice"), ("confirm", "confirm"), ("form", "input")])
async def test_a_question_is_answered_by_the_person_at_the_page(page: Page, scene: str, kind: str) -> None:
    await page.call("bridge.play", scene=scene)
    assert (await page.hear("bridge.scene"))["state"] == "playing"
    interaction_id = await question(page)
    await page.call("renderer.submit", interaction_id=interaction_id, result=ANSWERS[kind])
    assert await ended(page, scene) == {"scene": scene, "state": "ended", "message": "every claim held"}
    assert (told(page, scene))[-1] == f"hears: {ANSWERS[kind]}"
    assert (await page.call("bridge.scenes"))["playing"] is None


async def test_a_question_that_the_person_sends_away_ends_the_scene_too(page: Page) -> None:
    await page.call("bridge.play", scene="confirm")
    await page.call("renderer.cancel", interaction_id=await question(page))
    assert (await ended(page, "confirm"))["state"] == "ended"
    assert (told(page, "confirm"))[-1] == "hears that the question ended as cancelled: user_cancelled"


async def test_a_notice_is_done_once_it_is_shown(page: Page) -> None:
    await page.call("bridge.play", scene="notice")
    await question(page)
    assert (await ended(page, "notice"))["state"] == "ended"


async def test_the_agent_takes_its_question_back(page: Page) -> None:
    await page.call("bridge.play", scene="take-back")
    await page.hear("renderer.retract", lambda one: one["reason"] == "dismissed")
    assert (await ended(page, "take-back"))["state"] == "ended"


async def test_agent_and_person_talk(page: Page) -> None:
    await page.call("bridge.play", scene="talk")
    chat = await surface_of(page, "Interact")
    await page.hear("bridge.told", lambda one: "waits for your answer" in one["text"])
    await page.call(
        "sdk.surfaces.emit",
        context_token=chat["surface_token"],
        surface_id=chat["surface_id"],
        event="send_text",
        payload={"text": "Rest."},
    )
    assert (await ended(page, "talk"))["state"] == "ended"
    assert "hears: Rest." in told(page, "talk")


async def test_a_task_runs_to_its_end(page: Page) -> None:
    await page.call("bridge.play", scene="task")
    assert (await ended(page, "task"))["message"] == "every claim held"
    assert (told(page, "task"))[-1] == "✓ its result came once"


async def test_a_task_survives_a_crash_and_the_page_that_comes_back(server: Server, page: Page) -> None:
    token = page.news[0]["params"]["reconnect_token"]
    await page.call("bridge.play", scene="crash")
    assert (await page.closed())[0] == 4500
    again = await (await server.connect(token)).begin()
    assert (await ended(again, "crash"))["message"] == "every claim held"
    lines = told(again, "crash")
    assert "✓ the call is still open, and no result was made up" in lines
    assert lines[-1] == "✓ its result came once"


async def test_a_scene_goes_on_when_somebody_else_crashes_the_sidecar(server: Server, page: Page) -> None:
    token = page.news[0]["params"]["reconnect_token"]
    await page.call("bridge.play", scene="confirm")
    await question(page)
    await page.call("bridge.crashSidecar")
    await page.closed()
    again = await (await server.connect(token)).begin()
    items = (await again.call("renderer.list", conversation_id="conversation-1"))["items"]
    interaction_id = items[0]["record"]["interaction_id"]
    await again.call("renderer.submit", interaction_id=interaction_id, result=ANSWERS["confirm"])
    assert (await ended(again, "confirm"))["state"] == "ended"


async def test_the_person_draws_and_hands_in(page: Page) -> None:
    await page.call("bridge.play", scene="draw")
    board = await surface_of(page, "Whiteboard")
    view = {"context_token": board["surface_token"], "surface_id": board["surface_id"]}
    await page.hear("bridge.told", lambda one: "waits until you hand" in one["text"])
    stroke = {"points": [[1, 1], [9, 9]], "color": "#c0392b", "width": 4}
    await page.hear("surface.patched", lambda one: "call_id" in one["patch"])
    await page.call("sdk.surfaces.update", **view, patch={"strokes": {"one": stroke}})
    await page.call("sdk.surfaces.emit", **view, event="submit", payload={})
    assert (await ended(page, "draw"))["state"] == "ended"
    assert "✓ the drawing is an artifact" in told(page, "draw")


async def test_what_the_agent_hands_in_is_told_with_the_verdict_and_acking_is_the_page_s(page: Page) -> None:
    await page.call("bridge.play", scene="notice")
    delivered = await page.hear("bridge.delivered")
    assert delivered["peer"] == {"agent_id": "agent-1", "conversation_id": "conversation-1"}
    assert delivered["envelope"]["type"] == "lineup.v1.tool.invoke"
    assert delivered["answer"]["status"] == "accepted"
    await question(page)
    await ended(page, "notice")
    rows = [one["params"]["outbox_id"] for one in page.news if one["method"] == "transport.send"]
    assert (await page.call("runtime.status"))["outbox_pending"] == len(rows) > 0
    assert await page.call("transport.ack", outbox_ids=rows) == {"acked": len(rows)}


async def test_one_scene_plays_at_a_time_until_it_is_stopped(page: Page) -> None:
    assert await page.call("bridge.stop") == {"stopped": False}
    await page.call("bridge.play", scene="confirm")
    assert await page.refusal("bridge.play", scene="talk") == (-32000, "scene_playing")
    assert (await page.call("bridge.scenes"))["playing"] == "confirm"
    await question(page)
    assert await page.call("bridge.stop") == {"stopped": True}
    assert await ended(page, "confirm") == {
        "scene": "confirm",
        "state": "stopped",
        "message": "stopped before its end",
    }
    assert await page.call("bridge.stop") == {"stopped": False}
    assert len((await page.call("renderer.list", conversation_id="conversation-1"))["items"]) == 1
    await page.call("bridge.play", scene="take-back")
    assert (await ended(page, "take-back"))["state"] == "ended"


async def test_a_scene_plays_in_a_conversation_that_the_page_names(page: Page) -> None:
    peer = {"agent_id": "other-agent", "conversation_id": "other"}
    await page.call("bridge.play", scene="take-back", peer=peer)
    assert (await ended(page, "take-back"))["state"] == "ended"
    assert (await page.hear("bridge.delivered"))["peer"] == peer


async def test_a_scene_that_the_runtime_refuses_fails_with_its_reason(page: Page) -> None:
    await page.call("bridge.play", scene="confirm", peer={"agent_id": "x", "conversation_id": "conversation-1"})
    failed = await ended(page, "confirm")
    assert failed["state"] == "failed"
    assert failed["message"].startswith("envelope_invalid: ")


async def test_in_a_store_of_an_earlier_life_the_agent_still_knows_the_inventory(run_server: RunServer) -> None:
    async with run_server() as server:
        page = await (await server.connect()).begin()
        told_once = await page.hear("transport.send")
        await page.call("transport.ack", outbox_ids=[told_once["outbox_id"]])
    async with run_server() as server:
        page = await (await server.connect()).begin()
        await page.call("bridge.play", scene="take-back")
        assert (await ended(page, "take-back"))["state"] == "ended"
        assert "client.inventory" not in str(page.news)


async def test_what_cannot_be_played_is_refused_with_a_code(use_peer: UsePeer, start_server: StartServer) -> None:
    use_peer()
    page = await (await start_server()).connect()
    assert await page.refusal("bridge.play", scene="talk") == (-32000, "no_session")
    await page.call("initialize", protocol_version="1.0", host=HOST)
    assert await page.refusal("bridge.play", scene="nonsense") == (-32000, "unknown_scene")


async def test_without_an_agent_there_are_no_scenes(use_peer: UsePeer, start_server: StartServer) -> None:
    use_peer()
    page = await (await start_server(with_agent=False)).connect()
    assert (await page.hear("bridge.hello"))["agent"] == "none"
    assert await page.call("bridge.scenes") == {"scenes": [], "playing": None}
    assert await page.refusal("bridge.play", scene="talk") == (-32000, "no_agent")
