"""Whiteboard in a real sidecar: drawn by its view, handed in by the user or taken by the Agent (RULES 10)."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from host_bridge.agent import Agent, Call
from host_bridge.headless import HeadlessHost

SCOPE = "whiteboard"
LINE = {"points": [[0, 0], [10, 10], [20, 5]], "color": "#112233", "width": 3, "order": 1}


async def open_board(agent: Agent, board_id: str = "b-1", **more: Any) -> Call:
    return await agent.invoke("whiteboard.open", {"board_id": board_id, "title": f"Sketch {board_id}", **more})


async def draw(host: HeadlessHost, **strokes: Any) -> None:
    surface = await host.surface(SCOPE, lambda state: state.get("call_id"))
    await host.view(surface, "update", patch={"strokes": strokes})


async def take(agent: Agent, board_id: str = "b-1") -> dict[str, Any]:
    return await (
        await agent.invoke("whiteboard.submit", {"board_id": board_id, "request": "For the minutes"})
    ).result()


async def picture(host: HeadlessHost, artifact_id: str) -> str:
    stored = await host.sidecar.call("artifact.get", artifact_id=artifact_id)
    assert (stored["media_type"], stored["name"]) == ("image/svg+xml", "Sketch-b-1.svg")
    return base64.b64decode(stored["content_base64"]).decode()


async def test_the_user_draws_and_hands_the_board_in(lineup_host: HeadlessHost, lineup_agent: Agent, emit: Any) -> None:
    opened = await open_board(lineup_agent)
    await draw(lineup_host, s1=LINE)
    await emit(SCOPE, "submit")
    result = await opened.result()
    assert (result["status"], result["result"]["status"]) == ("completed", "submitted")
    assert 'stroke="#112233"' in await picture(lineup_host, result["result"]["artifact_id"])
    surface = await lineup_host.surface(SCOPE, lambda state: "call_id" not in state)
    assert surface.state["handed_in"]["by"] == "user"
    assert surface.container == "sandboxed-iframe"
    assert lineup_host.sidecar.seen("renderer.present") == []
    await emit(SCOPE, "submit")
    await lineup_host.surface(SCOPE, lambda state: state.get("notice") == "nobody_waits")


async def test_the_agent_takes_the_drawing_and_the_board_stays_up(
    lineup_host: HeadlessHost, lineup_agent: Agent
) -> None:
    opened = await open_board(lineup_agent, strokes=[{"points": [[1, 1]], "text": "Plan"}])
    await draw(lineup_host, s1=LINE)
    first, second = await take(lineup_agent), await take(lineup_agent)
    assert first["result"]["summary"] == {"title": "Sketch b-1", "strokes": 1, "texts": ["Plan"]}
    pictures = [await picture(lineup_host, one["result"]["artifact_id"]) for one in (first, second)]
    assert pictures[0] == pictures[1]
    assert opened.outcome is None
    surface = await lineup_host.surface(SCOPE, lambda state: state["handed_in"]["for"] == second["call_id"])
    assert surface.state["handed_in"]["request"] == "For the minutes"


async def test_one_board_is_up_at_a_time(lineup_host: HeadlessHost, lineup_agent: Agent) -> None:
    opened = await open_board(lineup_agent)
    busy, double = await open_board(lineup_agent, "b-2"), await open_board(lineup_agent)
    assert (await busy.result())["error"]["code"] == "board_busy"
    assert (await double.result())["error"]["code"] == "board_exists"
    assert (await take(lineup_agent, "b-2"))["error"]["code"] == "board_unknown"
    await draw(lineup_host, s1=LINE)
    await lineup_agent.cancel(opened)
    surface = await lineup_host.surface(SCOPE, lambda state: "call_id" not in state)
    assert surface.state["notice"] == "given_up"
    assert list(surface.state["strokes"]) == ["s1"]
    await open_board(lineup_agent, "b-2")
    await lineup_host.surface(SCOPE, lambda state: state["board_id"] == "b-2" and state["strokes"] == {})


async def test_what_was_drawn_survives_a_crash_and_the_call_still_waits(
    lineup_host: HeadlessHost, lineup_agent: Agent, emit: Any, restart: Any
) -> None:
    opened = await open_board(lineup_agent)
    await draw(lineup_host, s1=LINE)
    await restart()
    surface = await lineup_host.surface(SCOPE)
    assert surface.state["strokes"] == {"s1": LINE}
    await emit(SCOPE, "submit")
    assert (await opened.result())["result"]["status"] == "submitted"


async def test_a_view_that_writes_nonsense_spoils_no_picture(lineup_host: HeadlessHost, lineup_agent: Agent) -> None:
    await open_board(lineup_agent)
    await draw(lineup_host, a={"points": "x"}, b=7, c={"points": [[5, 5]], "color": '"/><script>alert(1)</script>'})
    svg = await picture(lineup_host, (await take(lineup_agent))["result"]["artifact_id"])
    assert "script" not in svg
    assert '<circle cx="5" cy="5" r="2" fill="#1c2430"/>' in svg


async def test_copying_is_denied_and_the_denial_is_shown_kindly(
    lineup_host: HeadlessHost, lineup_agent: Agent, emit: Any
) -> None:
    await open_board(lineup_agent)
    await draw(lineup_host, s1=LINE)
    await emit(SCOPE, "copy")
    surface = await lineup_host.surface(SCOPE, lambda state: state.get("clipboard"))
    shown = surface.state["clipboard"]
    assert (shown["outcome"], shown["reason"]) == ("denied", "policy")
    assert lineup_host.sidecar.seen("capability.requested") == []


async def provide_clipboard(request: dict[str, Any]) -> dict[str, Any]:
    assert request["arguments"]["media_type"] == "image/svg+xml"
    return {}


class TestWhereThePolicyAllowsIt:
    """The same request, granted."""

    @pytest.fixture
    def lineup_options(self, tmp_path: Path) -> list[str]:
        policy = tmp_path / "policy.json"
        policy.write_text(json.dumps({"capabilities": {"clipboard.write": "allow"}}))
        return ["--policy", str(policy)]

    @pytest.mark.lineup(providers={"clipboard.write": provide_clipboard})
    async def test_copying_hands_the_picture_to_the_host(
        self, lineup_host: HeadlessHost, lineup_agent: Agent, emit: Any
    ) -> None:
        await open_board(lineup_agent)
        await draw(lineup_host, s1=LINE)
        await emit(SCOPE, "copy")
        await lineup_host.surface(SCOPE, lambda state: state.get("clipboard", {}).get("outcome") == "granted")
