"""What the command's shows play on: a supervised sidecar on a store, a Host, an Agent and a terminal."""

from __future__ import annotations

import json
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio

from host_bridge.agent import Agent, Call
from host_bridge.cli.terminal import Terminal
from host_bridge.client import Sidecar
from host_bridge.command import find_sidecar, serve_command
from host_bridge.errors import ClaimFailedError, HostError
from host_bridge.headless import HeadlessHost
from host_bridge.mirror import Workspace
from host_bridge.supervise import supervise

STORE = "lineup.sqlite"
CONVERSATION, AGENT = "conversation-1", "agent-1"


@dataclass
class Stage:
    """One conversation between a person, who is whoever drives the Host, and an Agent."""

    terminal: Terminal
    folder: Path
    database: Path
    sidecar: Sidecar
    host: HeadlessHost
    agent: Agent
    pace: float = 0.0
    kept: bool = False
    sessions: int = 0

    def check(self, claim: str, holds: Any) -> None:
        """Print a claim that holds. Raises ClaimFailedError where it does not."""
        if not holds:
            raise ClaimFailedError(claim)
        self.terminal.good(claim)

    async def breathe(self) -> None:
        """Give the person a moment to read."""
        await anyio.sleep(self.pace)

    async def invoke(self, tool_id: str, arguments: dict[str, Any], call_id: str | None = None) -> Call:
        """As the Agent, invoke a Tool, and say so. Raises ToolRejectedError."""
        self.terminal.say("agent", f"calls {tool_id} {json.dumps(arguments, ensure_ascii=False)}", "agent")
        return await self.agent.invoke(tool_id, arguments, call_id=call_id)

    async def begin_session(self) -> None:
        """Initialize a process that was just started, and come back to the conversation."""
        session = await self.host.initialize()
        self.sessions += 1
        found = ", ".join(f"{what.replace('_', ' ')} {count}" for what, count in session["recovered"].items() if count)
        runtime = session["runtime"]
        self.terminal.say("sidecar", f"{runtime['name']} {runtime['version']}, process {self.sidecar.pid}")
        self.terminal.say("sidecar", f"found again: {found or 'nothing, the store is new'}")

    async def crash(self) -> None:
        """Kill the sidecar as a crash would, and wait until it was started again. Raises TimeoutError."""
        sessions = self.sessions
        self.terminal.say("user", f"kill -9 {self.sidecar.pid}", "bad")
        await self.sidecar.kill()
        await self.host.until(lambda _: self.sessions > sessions)

    async def is_in_front(self, app_scope: str) -> bool:
        """Whether the app is in front, or comes there within a few seconds."""
        try:
            await self.host.until(
                lambda _: (self.workspace.find(app_scope) or {}).get("instance_id") == self.workspace.foreground, 5
            )
        except TimeoutError:
            return False
        return True

    @property
    def workspace(self) -> Workspace:
        """The mirror of the conversation's workspace."""
        return self.host.screen.workspaces[CONVERSATION]

    async def tell(self, *arguments: str) -> str:
        """Run one of the sidecar's own commands on the store; what it prints. Raises HostError."""
        command = [*find_sidecar(), *arguments, "--database", str(self.database)]
        done = await anyio.run_process(command, check=False)
        if done.returncode:
            raise HostError(f"{' '.join(arguments)} failed: {done.stderr.decode(errors='replace').strip()}")
        return done.stdout.decode(errors="replace")


Play = Callable[[Stage], Awaitable[None]]


@asynccontextmanager
async def set_stage(
    terminal: Terminal,
    *,
    folder: Path | None = None,
    database: Path | None = None,
    options: Sequence[str] = (),
    pace: float = 0.0,
) -> AsyncIterator[Stage]:
    """Start everything, and leave nothing behind: no process, and no folder or store but those that were asked for."""
    with nullcontext(folder) if folder else tempfile.TemporaryDirectory(prefix="lineup-") as place:
        store = database or Path(place, STORE)
        async with (
            Sidecar(serve_command(store, *options)) as sidecar,
            HeadlessHost(sidecar) as host,
            Agent(sidecar, CONVERSATION, AGENT) as agent,
            anyio.create_task_group() as tasks,
        ):
            stage = Stage(terminal, Path(place), store, sidecar, host, agent, pace, kept=folder is not None)
            await stage.begin_session()
            await host.open(CONVERSATION, AGENT)
            tasks.start_soon(supervise, sidecar, stage.begin_session)
            yield stage
            tasks.cancel_scope.cancel()
