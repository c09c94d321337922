"""The author's guide: its example is a bundle that works, outside the package."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

import miniapps
import miniapps.sdk
from host_bridge.agent import Agent
from host_bridge.headless import HeadlessHost

SDK = Path(miniapps.__file__).parent / "sdk"
TEXT = {"type": "string", "maxLength": 100}


def shape(name: str) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": False, "required": [name], "properties": {name: TEXT}}


MANIFEST = {
    "app_scope": "hello",
    "version": "1.0.0",
    "kind": "bundled",
    "tools": [
        {
            "id": "hello.greet",
            "version": 1,
            "handling": "launch",
            "target": {"app_scope": "hello", "requires_foreground": True, "restore_previous_focus": True},
            "input_schema": shape("name"),
            "output_schema": shape("text"),
        }
    ],
    "subscriptions": [],
    "requested_capabilities": [],
    "host": {"min_version": "1.0.0", "surface_required": True},
}


def examples(language: str) -> list[str]:
    """The code blocks of the guide."""
    guide = (SDK / "README.md").read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", guide, re.DOTALL)


@pytest.fixture
def lineup_options(tmp_path: Path) -> list[str]:
    bundle = tmp_path / "bundles" / "hello"
    (bundle / "surface").mkdir(parents=True)
    [logic] = examples("python")
    (bundle / "app.py").write_text(logic)
    (bundle / "greetings.py").write_text("def greeting(name):\n    return f'Hello {name}'\n")
    (bundle / "manifest.json").write_text(json.dumps(MANIFEST))
    shutil.copy(SDK / "surface" / "lineup.js", bundle / "surface")
    page = '<!doctype html><title>Hello</title><button></button><script src="lineup.js"></script>'
    (bundle / "surface" / "index.html").write_text(page)
    return ["--miniapps", str(bundle.parent)]


async def test_the_example_greets_shows_and_closes(lineup_host: HeadlessHost, lineup_agent: Agent, emit: Any) -> None:
    call = await lineup_agent.invoke("hello.greet", {"name": "Ada"})
    assert (await call.result())["result"] == {"text": "Hello Ada"}
    surface = await lineup_host.surface("hello", lambda state: "name:Ada" in state["greeted"])
    assert surface.document is not None
    await emit("hello", "close")
    await lineup_agent.receive("app.session.closed")


def test_every_handler_of_the_guide_exists() -> None:
    guide = (SDK / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(on_[a-z_]+|tool)(?:\([a-z]+\))?`", guide))
    decorators = {name for name in vars(miniapps.sdk.MiniApp) if name.startswith("on_")} | {"tool"}
    assert named == decorators
