"""All is inside: the documents, the MiniApps, the commands, the standard library, the licences."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from host_bridge.agent import Agent
from host_bridge.client import Sidecar
from rpc_schema.export import DOCUMENTS, read_document
from scripts.bundle.stdlib import LEFT_OUT, list_stdlib
from tests.bundle.installed import Installed
from tests.bundle.probe import write_probe

SOURCE = [sys.executable, "-m", "sidecar"]


@asynccontextmanager
async def talk(command: list[str], folder: Path, modules: list[str] | None = None) -> AsyncIterator[Agent]:
    """Begin a conversation with a sidecar on a fresh store."""
    folder.mkdir()
    command = [*command, "--database", str(folder / "lineup.sqlite"), *write_probe(folder, modules)]
    async with Sidecar(command) as sidecar, Agent(sidecar) as agent:
        await sidecar.initialize()
        await sidecar.call("workspace.open", **agent.peer)
        yield agent


async def failing_imports(command: list[str], folder: Path, modules: list[str]) -> dict[str, str]:
    """Import modules in a worker: those that could not be, with the exceptions' names."""
    async with talk(command, folder, modules) as agent:
        call = await agent.invoke("probe.import", {})
        failed: dict[str, str] = json.loads((await call.result())["result"]["text"])
        return failed


async def test_miniapps_have_the_standard_library_that_they_have_from_source(app: Installed, tmp_path: Path) -> None:
    modules = list_stdlib()
    assert len(modules) > 400
    from_source = await failing_imports(SOURCE, tmp_path / "source", modules)
    assert await failing_imports([str(app.launcher)], tmp_path / "frozen", modules) == from_source
    assert len(from_source) < 20, from_source


async def test_what_is_left_out_of_the_standard_library_is_not_there(app: Installed, tmp_path: Path) -> None:
    failed = await failing_imports([str(app.launcher)], tmp_path / "frozen", sorted(LEFT_OUT))
    assert failed.keys() == LEFT_OUT


@pytest.mark.parametrize("name", DOCUMENTS)
def test_the_contract_is_inside(app: Installed, name: Any) -> None:
    assert app.run("schema", name).stdout.decode() == read_document(name)


async def opened(sidecar: Sidecar, title: str) -> str:
    """Wait until a surface of that title is opened: its id."""
    news = await sidecar.wait_for("surface.opened", lambda news: news["surface"]["title"] == title)
    surface_id: str = news["surface"]["surface_id"]
    return surface_id


async def tour(command: list[str], folder: Path) -> dict[str, Any]:
    """See all that a sidecar brings: its contract, its MiniApps, and the pages that their logic opens."""
    async with talk(command, folder) as agent:
        sidecar = agent.sidecar
        await agent.invoke("task-dashboard.open", {"task_id": "t-1", "title": "Ship it"})
        await agent.invoke("whiteboard.open", {"board_id": "b-1", "title": "Plan"})
        pages = []
        for title in ("Interact", "Task Dashboard", "Whiteboard"):
            attached = await sidecar.call("surface.attach", surface_id=await opened(sidecar, title))
            pages.append(attached["document"])
        return {
            "contract": await sidecar.call("rpc.discover"),
            "apps": await sidecar.call("miniapp.list"),
            "inventory": agent.inventory,
            "pages": pages,
        }


async def test_its_apps_and_their_pages_are_those_of_the_source(app: Installed, tmp_path: Path) -> None:
    assert await tour([str(app.launcher)], tmp_path / "frozen") == await tour(SOURCE, tmp_path / "source")


def test_every_command_is_inside(app: Installed, tmp_path: Path) -> None:
    database = str(tmp_path / "lineup.sqlite")
    assert app.run("--database", database, input=b"").returncode == 0
    assert app.run("verify", "--database", database).returncode == 0
    unknown = app.run("explain", "call-1", "--database", database)
    assert (unknown.returncode, b"Traceback" in unknown.stderr) == (1, False)
    write_probe(tmp_path)
    assert app.run("check-manifest", str(tmp_path / "bundles" / "probe")).returncode == 0
    assert app.run("check-manifest", str(tmp_path)).returncode == 1
    assert app.run("--version").stdout.startswith(b"lineup-sidecar ")


def test_it_says_whose_work_is_inside_and_not_where_it_was_built(app: Installed) -> None:
    inside = app.folder / "_internal"
    packages = {path.name.partition("-")[0] for path in inside.glob("*.dist-info")}
    assert {"lineup_runtime", "pydantic", "sqlmodel", "jsonrpcserver", "anyio"} <= {name.lower() for name in packages}
    assert (inside / "python" / "LICENSE.txt").is_file()
    assert list(inside.rglob("direct_url.json")) == []
    assert list(inside.rglob("__pycache__")) == []
