"""``lineup-host serve``: one browser tab on this machine is the Host."""

from __future__ import annotations

import os
import sys
import tempfile
import webbrowser
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path

import anyio
import anyio.to_thread

from host_bridge.cli.terminal import Terminal
from host_bridge.command import serve_command
from host_bridge.web.bridge import Bridge, Surroundings
from host_bridge.web.documents import Documents
from host_bridge.web.front_end import FrontEnd, find_front_end
from host_bridge.web.guard import ADDRESS, Guard, Refused
from host_bridge.web.listener import bind, listen, page_answers, port_of, surface_answers
from host_bridge.web.seat import Seat
from host_bridge.web.shared_sidecar import SharedSidecar
from host_bridge.web.tokens import Tokens

PACE_SECONDS = 1.5


@dataclass(frozen=True)
class Serving:
    """A server that is up. ``address`` holds a token that is good once."""

    address: str
    surface_origin: str
    sidecar: SharedSidecar
    seat: Seat


async def serve_host(
    terminal: Terminal,
    database: Path | None,
    options: Sequence[str],
    *,
    port: int = 0,
    page: Path | None = None,
    with_agent: bool = True,
    open_browser: bool = True,
) -> int:
    """Serve until cancelled. Raises HostError where that cannot begin."""
    async with serving(terminal, database, options, port=port, page=page, with_agent=with_agent) as server:
        terminal.say("address", server.address, "ask")
        if open_browser and can_open_browser():
            await anyio.to_thread.run_sync(webbrowser.open, server.address, abandon_on_cancel=True)
        await anyio.sleep_forever()
    return 0


@asynccontextmanager
async def serving(
    terminal: Terminal,
    database: Path | None,
    options: Sequence[str],
    *,
    port: int = 0,
    page: Path | None = None,
    with_agent: bool = True,
    pace: float = PACE_SECONDS,
) -> AsyncIterator[Serving]:
    """Have a server up; at the end nothing of it is left. Without a ``database`` the store is a passing one."""
    folder = find_front_end(page)
    with (
        bind(port) as page_socket,
        bind(0) as surface_socket,
        nullcontext(None) if database else tempfile.TemporaryDirectory(prefix="lineup-") as passing,
    ):
        page_port, surface_port = port_of(page_socket), port_of(surface_socket)
        page_origin, surface_origin = f"http://{ADDRESS}:{page_port}", f"http://{ADDRESS}:{surface_port}"
        seat, around = Seat(), _surround(terminal, page_origin, surface_origin)
        front_end = FrontEnd(folder, page_port, surface_port)
        store = database or Path(passing or ".", "lineup.sqlite")
        async with (
            SharedSidecar(serve_command(store, *options), may_read=seat.room) as sidecar,
            anyio.create_task_group() as tasks,
        ):
            bridge = Bridge(sidecar, seat, tasks, around, with_agent=with_agent, pace=pace)
            await bridge.lifeline.begin()
            page_guard, surface_guard = (Guard(one, page_origin, around.refused) for one in (page_port, surface_port))
            async with (
                listen(surface_socket, surface_answers(surface_guard, around.documents)),
                listen(page_socket, page_answers(page_guard, front_end), bridge.attend),
            ):
                yield Serving(_new_address(page_origin, around.tokens), surface_origin, sidecar, seat)
            tasks.cancel_scope.cancel()


def _surround(terminal: Terminal, page_origin: str, surface_origin: str) -> Surroundings:
    tokens = Tokens()
    return Surroundings(
        documents=Documents(),
        tokens=tokens,
        refused=Refused(),
        surface_origin=surface_origin,
        report=lambda text: terminal.say("bridge", text),
        reissue=lambda: terminal.say("address", _new_address(page_origin, tokens), "ask"),
    )


def _new_address(page_origin: str, tokens: Tokens) -> str:
    return f"{page_origin}/#token={tokens.issue()}"


def can_open_browser() -> bool:
    """Whether there is a screen: without one the system may start a browser in this terminal."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
