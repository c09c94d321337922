"""A Host without a screen: follows a sidecar across restarts and lets a script be the person in front of it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from types import TracebackType
from typing import Any, Self

import anyio

from host_bridge.client import Sidecar
from host_bridge.follower import Answer, Follower, Item, Provider
from host_bridge.mirror import ShownSurface, Workspace
from host_bridge.record import Notification
from host_bridge.screen import Screen

SHOWN = 2_000
"""Characters of the screen that an error shows."""


class HeadlessHost:
    """Mounts, attaches and presents by itself. Use as ``async with``, then ``initialize`` and ``open`` conversations.

    ``host_run`` names apps whose logic this process runs itself, ``providers`` the capabilities that it provides;
    ``answer`` answers what is asked. Where ``present`` is False a question is not reported as seen by itself.
    """

    def __init__(
        self,
        sidecar: Sidecar,
        *,
        host_run: Sequence[str] = (),
        renderers: Sequence[str] | None = None,
        providers: Mapping[str, Provider] | None = None,
        answer: Answer | None = None,
        present: bool = True,
    ) -> None:
        self.sidecar = sidecar
        self._params: dict[str, Any] = {"host_run": list(host_run), "capability_providers": list(providers or {})}
        if renderers is not None:
            self._params["renderers"] = list(renderers)
        self._tasks = anyio.create_task_group()
        self._follower = Follower(sidecar, self._tasks, providers=providers or {}, answer=answer, present=present)
        self._queue: deque[Notification | anyio.Event] = deque()
        self._news = anyio.Event()
        self._moved = anyio.Event()
        self._lock = anyio.Lock()
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        self._stack.callback(self.sidecar.listen(self._hear))
        await self._stack.enter_async_context(self._tasks)
        self._stack.callback(self._tasks.cancel_scope.cancel)
        self._tasks.start_soon(self._follow)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        return await self._stack.__aexit__(kind, error, trace)

    @property
    def screen(self) -> Screen:
        """What is shown now."""
        return self._follower.screen

    # -- the session
    async def initialize(self, **more: Any) -> dict[str, Any]:
        """Begin a session and come back to every conversation that was open: what a restart needs too."""
        async with self._lock:
            self._queue.clear()
            session = await self.sidecar.initialize(**self._params, **more)
            await self._follower.begin_session()
        self._move()
        return session

    async def open(self, conversation_id: str, agent_id: str) -> Workspace:
        """Open a conversation, mount what lives in it and attach its surfaces; its mirror."""
        async with self._lock:
            workspace = self.screen.workspace(conversation_id, agent_id)
            await self._follower.reread(workspace)
        self._move()
        return workspace

    async def mount(self, instance_id: str) -> str | None:
        """Mount an instance (again); the context token where the Host runs its logic."""
        async with self._lock:
            await self._follower.mount(instance_id)
        self._move()
        return self.screen.tokens[instance_id]

    async def unmount(self, instance_id: str) -> None:
        """Unmount an instance and leave it so until ``mount``."""
        async with self._lock:
            await self._follower.unmount(instance_id)
        self._move()

    # -- waiting
    async def until(self, condition: Callable[[Screen], Any], timeout: float = 30.0) -> Any:
        """Wait until the screen makes the condition true; what it gave. Raises TimeoutError."""
        with anyio.move_on_after(timeout):
            while not (given := condition(self.screen)):
                await self._moved.wait()
            return given
        raise TimeoutError(f"the screen did not come to it within {timeout:g} s: {str(self.screen)[:SHOWN]}")

    async def surface(
        self, app_scope: str, where: Callable[[dict[str, Any]], Any] = lambda state: True, timeout: float = 30.0
    ) -> ShownSurface:
        """Wait for an app's surface whose state fits. Raises TimeoutError."""

        def fits(screen: Screen) -> ShownSurface | None:
            surface = screen.find_surface(app_scope)
            return surface if surface and where(surface.state) else None

        found: ShownSurface = await self.until(fits, timeout)
        return found

    async def question(self, where: Callable[[Item], Any] = lambda item: True, timeout: float = 30.0) -> Item:
        """Wait for an open question that fits, the oldest first. Raises TimeoutError."""
        found: Item = await self.until(
            lambda screen: next((one for one in screen.questions.values() if where(one)), None), timeout
        )
        return found

    async def settle(self) -> None:
        """Wait until everything that the Runtime had said by now is followed. Raises ConnectionLostError."""
        await self.sidecar.call("ping")
        done = anyio.Event()
        self._queue.append(done)
        self._news.set()
        await done.wait()

    # -- the person
    async def submit(self, item: Item, result: dict[str, Any]) -> str:
        """Answer a question; its status. Raises RpcError."""
        return await self._about("renderer.submit", item, result=result)

    async def dismiss(self, item: Item, reason: str = "") -> str:
        """Send a question away; its status. Raises RpcError."""
        return await self._about("renderer.cancel", item, reason=reason)

    async def save_draft(self, item: Item, values: dict[str, Any]) -> None:
        """Keep what was typed into a form so far. Raises RpcError."""
        interaction_id = item["record"]["interaction_id"]
        await self.sidecar.call("renderer.saveDraft", interaction_id=interaction_id, draft={"values": values})

    async def view(self, surface: ShownSurface, method: str, **params: Any) -> Any:
        """Speak as a surface's view; ``method`` goes without ``sdk.surfaces.``. Raises RpcError."""
        return await self.sidecar.call(
            f"sdk.surfaces.{method}", context_token=surface.surface_token, surface_id=surface.surface_id, **params
        )

    async def _about(self, method: str, item: Item, **params: Any) -> str:
        answer = await self.sidecar.call(method, interaction_id=item["record"]["interaction_id"], **params)
        status: str = answer["status"]
        return status

    # -- following
    def _hear(self, notification: Notification) -> None:
        if notification.method in self._follower.handlers:
            self._queue.append(notification)
            self._news.set()

    async def _follow(self) -> None:
        while True:
            async with self._lock:
                while self._queue:
                    await self._follow_one(self._queue.popleft())
            self._news = anyio.Event()
            if not self._queue:
                await self._news.wait()

    async def _follow_one(self, news: Notification | anyio.Event) -> None:
        if isinstance(news, anyio.Event):
            news.set()
        else:
            await self._follower.follow(news)
            self._move()

    def _move(self) -> None:
        self._moved.set()
        self._moved = anyio.Event()
