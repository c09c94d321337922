"""One conversation on a sidecar: a faulty MiniApp, a healthy neighbour, their Agent and their Host."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import anyio

from host_bridge.agent import Agent, Call
from host_bridge.client import Sidecar

PATIENCE_S = 60.0


class House:
    """What a test asks of its conversation."""

    def __init__(self, sidecar: Sidecar, agent: Agent) -> None:
        self.sidecar = sidecar
        self.agent = agent
        self.call = sidecar.call

    async def invoke(self, scope: str, how: str = "", tool: str = "go") -> Call:
        """Let the Agent invoke the Tool of a MiniApp."""
        return await self.agent.invoke(f"{scope}.{tool}", {"how": how} if how else {})

    async def run(self, scope: str, how: str = "", tool: str = "go") -> dict[str, Any]:
        """Invoke it and wait for how it ends."""
        return await (await self.invoke(scope, how, tool)).result(PATIENCE_S)

    async def note(self, scope: str, how: str = "") -> str:
        """Invoke it, and read what it has to say with its completion."""
        ended = await self.run(scope, how)
        assert ended["status"] == "completed", ended
        return str(ended["result"]["note"])

    async def others_are_well(self) -> None:
        """The neighbour does its work, and the Host is answered."""
        assert await self.call("ping") == {}
        assert (await self.run("steady"))["result"] == {"ok": True}
        assert (await self.instance("steady"))["state"] in ("foreground", "background")
        assert (await self.call("runtime.status"))["live_workers"] >= 1

    async def snapshot(self) -> dict[str, Any]:
        """The workspace."""
        snapshot: dict[str, Any] = await self.call("workspace.open", **self.agent.peer)
        return snapshot

    async def instance(self, scope: str) -> dict[str, Any]:
        """The live instance of an app, or an empty object."""
        found = (one for one in (await self.snapshot())["instances"] if one["app_scope"] == scope)
        return next(found, {})

    async def audit(self, **where: str) -> list[dict[str, Any]]:
        """Every entry of the audit, or those of a conversation."""
        entries: list[dict[str, Any]] = []
        page = await self.call("audit.list", **where)
        while page["entries"]:
            entries += page["entries"]
            page = await self.call("audit.list", after_seq=entries[-1]["seq"], **where)
        return entries

    async def calls(self, token: str) -> list[dict[str, Any]]:
        """The calls of an instance that the Host itself runs."""
        taken: list[dict[str, Any]] = (await self.call("sdk.tools.subscribe", context_token=token))["calls"]
        return taken

    async def until(self, scope: str, *states: str) -> dict[str, Any]:
        """Wait until the instance of an app is in one of these states."""
        while (found := await self.instance(scope)).get("state") not in states:
            await self.sidecar.wait_for("workspace.changed", self._is_here, PATIENCE_S)
        return found

    async def failed(self, scope: str) -> dict[str, Any]:
        """Wait until a MiniApp has failed for good."""
        return await self.sidecar.wait_for("miniapp.failed", lambda news: self._whose(news) == scope, PATIENCE_S)

    async def at_rest(self) -> None:
        """Wait until no call is open."""
        with anyio.fail_after(PATIENCE_S):
            while (await self.snapshot())["tool_calls"]:
                continue

    async def logged(self, text: str) -> None:
        """Wait until the log says so."""
        with anyio.fail_after(PATIENCE_S):
            while text not in self.sidecar.stderr_tail:
                await self.call("ping")

    @contextmanager
    def asleep(self, scope: str) -> Iterator[None]:
        """For the length of a block the process of a MiniApp does not run; it may be killed in it."""
        worker = self._worker(scope)
        os.kill(worker, signal.SIGSTOP)
        yield
        with suppress(ProcessLookupError):
            os.kill(worker, signal.SIGCONT)

    def kill(self, scope: str) -> None:
        """Kill the process of a MiniApp."""
        os.kill(self._worker(scope), signal.SIGKILL)

    async def end(self) -> None:
        """Close every instance but Interact."""
        for instance in (await self.snapshot())["instances"]:
            if instance["app_scope"] != "chat":
                await self.call("miniapp.close", instance_id=instance["instance_id"])

    def _worker(self, scope: str) -> int:
        """The process that runs the logic of an app."""
        [tasks] = Path("/proc").glob(f"{self.sidecar.pid}/task")
        children = [int(pid) for one in tasks.glob("*/children") for pid in one.read_text().split()]
        [worker] = [pid for pid in children if f"/bundles/{scope}\0" in Path(f"/proc/{pid}/cmdline").read_text()]
        return worker

    def _is_here(self, news: dict[str, Any]) -> bool:
        return bool(news["conversation_id"] == self.agent.conversation_id)

    def _whose(self, news: dict[str, Any]) -> str:
        return str(news["app_scope"])
