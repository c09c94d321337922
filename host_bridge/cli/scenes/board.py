"""Whiteboard, and an app that is closed while the Agent waits for it."""

from __future__ import annotations

import base64
import hashlib
from typing import Any

import anyio

from host_bridge.cli.stage import Stage

STROKES: dict[str, dict[str, Any]] = {
    "roof": {"points": [[20, 60], [60, 20], [100, 60]], "color": "#c0392b", "width": 4},
    "wall": {"points": [[30, 60], [30, 110], [90, 110], [90, 60]], "color": "#2c3e50", "width": 4},
}


async def draw(stage: Stage) -> None:
    """Draw a house, hand it in, save it."""
    await stage.invoke("whiteboard.open", {"board_id": "house", "title": "Sketch"})
    board = await stage.host.surface("whiteboard")
    stage.check("Whiteboard came to the front", await stage.is_in_front("whiteboard"))
    for name, stroke in STROKES.items():
        await stage.host.view(board, "update", patch={"strokes": {name: stroke}})
        stage.terminal.say("user", f"draws the {name}", "ask")
        await stage.breathe()
    call = await stage.invoke("whiteboard.submit", {"board_id": "house", "request": "The house, please"})
    result = await call.result()
    stage.check("the Tool hands in the drawing", result["status"] == "completed")
    stored = await stage.sidecar.call("artifact.get", artifact_id=result["result"]["artifact_id"])
    content = base64.b64decode(stored["content_base64"])
    stage.check("its content has the hash that it claims", hashlib.sha256(content).hexdigest() == stored["sha256"])
    stage.check("it is an SVG with both strokes", all(one["color"].encode() in content for one in STROKES.values()))
    path = anyio.Path(stage.folder, "house.svg")
    await path.write_bytes(content)
    stage.terminal.say("host", f"saved {path if stage.kept else path.name}, {len(content)} bytes", "app")


async def close_while_running(stage: Stage) -> None:
    """The call converges to cancelled, and the focus goes back."""
    call = await stage.invoke("task-dashboard.open", {"task_id": "release-8", "title": "Plan release 8"})
    await stage.is_in_front("task-dashboard")
    instance = stage.workspace.find("task-dashboard")
    assert instance
    await stage.sidecar.call("miniapp.close", instance_id=instance["instance_id"])
    result = await call.result()
    stage.check("the Agent is told that the app was closed", result["reason"] == "app_closed")
    await stage.host.until(lambda _: stage.workspace.find("task-dashboard") is None)
    stage.check("the app below is in front again", await stage.is_in_front("whiteboard"))
