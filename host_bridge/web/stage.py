"""What a scene plays on: an Agent, a sidecar that a page drives, and the page's person, who is real."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import anyio

from host_bridge.agent import Agent, Call
from host_bridge.errors import ClaimFailedError
from host_bridge.web.shared_sidecar import SharedSidecar

PERSON_SECONDS = 900.0
"""How long a scene waits for the person: as long as a question waits by default."""

PAGE_SECONDS = 120.0
"""How long a scene waits for a page to come back after a crash."""


class Stage:
    """One scene in the making. ``line`` shows a line of it."""

    def __init__(self, agent: Agent, sidecar: SharedSidecar, pace: float, line: Callable[[str], None]) -> None:
        self.agent = agent
        self.say = line
        self._sidecar = sidecar
        self._pace = pace

    def check(self, claim: str, holds: Any) -> None:
        """Show a claim that holds. Raises ClaimFailedError where it does not."""
        if not holds:
            raise ClaimFailedError(f"this did not hold: {claim}")
        self.say(f"✓ {claim}")

    async def breathe(self) -> None:
        """Give the person a moment to see what happened."""
        await anyio.sleep(self._pace)

    async def invoke(self, tool_id: str, arguments: dict[str, Any]) -> Call:
        """Invoke a Tool, and say so. Raises ToolRejectedError."""
        self.say(f"calls {tool_id} {json.dumps(arguments, ensure_ascii=False)}")
        return await self.agent.invoke(tool_id, arguments)

    async def ask(self, kind: str, request: dict[str, Any]) -> dict[str, Any]:
        """Ask the person and wait for the payload of the result, whatever it is. Raises TimeoutError."""
        call = await self.invoke(f"interaction.{kind}", request)
        return await call.result(PERSON_SECONDS)

    async def hear(self) -> str:
        """Wait for what the person says next. Raises TimeoutError."""
        text: str = (await self.agent.receive("message", timeout=PERSON_SECONDS))["text"]
        return text

    async def crash(self) -> None:
        """Kill the sidecar, and wait until a page has come back and begun a session. Raises TimeoutError."""
        before = self._sidecar.pid
        self.say(f"kills the sidecar, process {before}")
        await self._sidecar.kill()
        with anyio.move_on_after(PAGE_SECONDS):
            await self._sidecar.wait_for_session()
            self.say(f"process {self._sidecar.pid} has taken over from {before}")
            return
        raise TimeoutError(f"no page came back within {PAGE_SECONDS:g} s")
