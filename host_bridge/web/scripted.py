"""The scripted Agent behind a page: plays scenes in a conversation, over the connection that the page drives."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any

from anyio import CancelScope
from anyio.abc import TaskGroup

from host_bridge.agent import PREFIX, Agent
from host_bridge.errors import ConnectionLostError, HostError
from host_bridge.record import Notification
from host_bridge.web.scenes import SCENES, Scene
from host_bridge.web.shared_sidecar import SharedSidecar
from host_bridge.web.stage import Stage

Tell = Callable[[str, dict[str, Any]], None]
"""Tells the page that drives; the name goes without ``bridge.``."""

PEER = {"agent_id": "agent-1", "conversation_id": "conversation-1"}
"""Where scenes play unless a page says otherwise."""


class SceneRefusedError(Exception):
    """A scene cannot be played; ``code`` is stable."""

    def __init__(self, code: str, message: str) -> None:
        self.code = code
        super().__init__(message)


class SharedAgent(Agent):
    """An Agent whose rows the page acks. What it hands in is told, and handed in again after a crash."""

    def __init__(self, sidecar: SharedSidecar, peer: dict[str, str], tell: Tell) -> None:
        super().__init__(sidecar, peer["conversation_id"], peer["agent_id"], ack=False)
        self._shared = sidecar
        self._tell = tell

    async def deliver(self, type_: str, payload: dict[str, Any], **envelope: Any) -> dict[str, Any]:
        """Hand in an envelope, once whatever happens: its id is the same each time."""
        envelope.setdefault("message_id", f"msg-{secrets.token_hex(8)}")
        while True:
            await self._shared.wait_for_session()
            try:
                answer = await super().deliver(type_, payload, **envelope)
            except ConnectionLostError:
                await self._shared.ended()
                continue
            whole = {"type": PREFIX + type_, "payload": payload, **envelope}
            self._tell("delivered", {"peer": self.peer, "envelope": whole, "answer": answer})
            return answer


class ScriptedAgent:
    """Plays one scene at a time. Where ``enabled`` is False there are none."""

    def __init__(self, sidecar: SharedSidecar, tell: Tell, tasks: TaskGroup, *, enabled: bool, pace: float) -> None:
        self.enabled = enabled
        self.playing: str | None = None
        self._scenes = {scene.id: scene for scene in SCENES} if enabled else {}
        self._sidecar = sidecar
        self._tell = tell
        self._tasks = tasks
        self._pace = pace
        self._inventory: dict[str, Any] | None = None
        self._scope = CancelScope()
        sidecar.listen(self._hear)

    @property
    def scenes(self) -> list[dict[str, str]]:
        """What can be played."""
        return [{"id": one.id, "title": one.title, "summary": one.summary} for one in self._scenes.values()]

    def play(self, scene_id: str, peer: dict[str, str] | None) -> None:
        """Begin a scene; how it goes is told. Raises SceneRefusedError."""
        if not self.enabled:
            raise SceneRefusedError("no_agent", "the server was started without an Agent: --agent scripted")
        if self.playing is not None:
            raise SceneRefusedError("scene_playing", f"{self.playing} is playing: bridge.stop ends it")
        if scene_id not in self._scenes:
            raise SceneRefusedError("unknown_scene", f"there is no such scene, only {', '.join(self._scenes)}")
        if not self._sidecar.in_session:
            raise SceneRefusedError("no_session", "initialize first: nothing can be delivered before")
        self.playing = scene_id
        self._scope = CancelScope()
        self._tell_scene(scene_id, "playing", self._scenes[scene_id].title)
        self._tasks.start_soon(self._play, self._scenes[scene_id], peer or PEER, self._known_inventory(), self._scope)

    def stop(self) -> bool:
        """End the scene that plays, if one does; whether one did."""
        self._scope.cancel()
        return self.playing is not None

    async def _play(self, scene: Scene, peer: dict[str, str], inventory: dict[str, Any], scope: CancelScope) -> None:
        state, message = "stopped", "stopped before its end"
        try:
            with scope:
                async with SharedAgent(self._sidecar, peer, self._tell) as agent:
                    agent.inventory = inventory
                    stop = agent.listen(lambda _: agent.held.clear())  # the page acks what this one only hears
                    await scene.play(Stage(agent, self._sidecar, self._pace, self._line_of(scene)))
                    stop()
                state, message = "ended", "every claim held"
        except Exception as error:  # whatever a scene does wrong, the server goes on
            state, message = "failed", _first_cause(error)
        finally:
            self.playing = None
        self._tell_scene(scene.id, state, message)

    def _line_of(self, scene: Scene) -> Callable[[str], None]:
        return lambda text: self._tell("told", {"scene": scene.id, "text": text})

    def _tell_scene(self, scene_id: str, state: str, message: str) -> None:
        self._tell("scene", {"scene": scene_id, "state": state, "message": message})

    def _hear(self, news: Notification) -> None:
        if news.method == "transport.send" and news.params["envelope"]["type"] == f"{PREFIX}client.inventory":
            self._inventory = news.params["envelope"]["payload"]

    def _known_inventory(self) -> dict[str, Any]:
        """The inventory that was last told to any conversation: it is the same for all.

        A conversation is told once, perhaps in an earlier life of this server. Then the revision, which ``initialize``
        says too, is all that there is to know, and all that an invoke needs.
        """
        assert self._sidecar.session
        revision = self._sidecar.session["inventory_revision"]
        return self._inventory or {"revision": revision, "tools": [], "apps": [], "capabilities": []}


def _first_cause(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    expected = isinstance(error, HostError | TimeoutError)
    return str(error) if expected else f"{type(error).__name__}: {error}"
