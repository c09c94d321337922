"""Do on the Host's side what each notification asks for; read everything again where one was missed (PROTOCOL 1)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from anyio.abc import TaskGroup

from host_bridge.client import Sidecar
from host_bridge.errors import CapabilityDeniedError, ConnectionLostError, HostError, RpcError
from host_bridge.mirror import ShownSurface, Workspace
from host_bridge.record import Notification
from host_bridge.screen import Screen

Item = dict[str, Any]
Handler = Callable[[dict[str, Any]], Awaitable[None]]

Provider = Callable[[dict[str, Any]], Awaitable[dict[str, Any] | None]]
"""Carries out a capability request; what it returns is the result. Raises CapabilityDeniedError to say no."""

Answer = Callable[[Item], Awaitable[dict[str, Any] | None]]
"""Answers a question that is shown; None leaves it open."""

GONE = frozenset(
    (
        "app_instance_not_found",
        "surface_not_found",
        "interaction_not_found",
        "interaction_already_final",
        "capability_request_not_found",
        "context_token_invalid",
        "shutting_down",
    )
)
"""Refusals of what had ended by the time that this Host came to it; a notification says so too."""


class Follower:
    """Keeps one screen in step with one sidecar. Its calls must not overlap; answers and providers run beside them."""

    def __init__(
        self,
        sidecar: Sidecar,
        tasks: TaskGroup,
        *,
        providers: Mapping[str, Provider],
        answer: Answer | None,
        present: bool,
    ) -> None:
        self.screen = Screen()
        self._sidecar = sidecar
        self._tasks = tasks
        self._providers = providers
        self._answer = answer
        self._present = present
        self._left_alone: set[str] = set()
        self._in_hand: set[str] = set()
        self.handlers: dict[str, Handler] = {
            "runtime.resync": self._reread_all,
            "workspace.changed": self._follow_workspace,
            "miniapp.failed": self._note_failure,
            "surface.opened": self._attach,
            "surface.patched": self._follow_surface,
            "surface.closed": self._drop_surface,
            "renderer.present": self._show_question,
            "renderer.retract": self._drop_question,
            "capability.requested": self._provide,
        }

    async def follow(self, news: Notification) -> None:
        """Do what one notification asks for."""
        await self._carefully(self.handlers[news.method], news.params)

    async def begin_session(self) -> None:
        """Come back to every conversation after an ``initialize``."""
        self._in_hand.clear()
        self.screen.forget_session()
        await self._reread_all({})

    async def reread(self, workspace: Workspace) -> None:
        """Open or read a conversation, and mount, attach, show and provide what is missing."""
        snapshot = await self._sidecar.call(
            "workspace.open", conversation_id=workspace.conversation_id, agent_id=workspace.agent_id
        )
        workspace.take(snapshot)
        self.screen.replace_questions(workspace.conversation_id, snapshot["interactions"])
        for told in snapshot["surfaces"]:
            shown = self.screen.surfaces.get(told["surface_id"])
            if shown and shown.revision != told["revision"]:
                await self._read_surface(shown)
        await self._mount_new(workspace)
        for item in snapshot["interactions"]:
            await self._show_question({"item": item})
        for request in snapshot["capability_requests"]:
            await self._provide(request)

    async def mount(self, instance_id: str) -> None:
        """Mount an instance and attach its surfaces. Raises RpcError."""
        self._left_alone.discard(instance_id)
        mounted = await self._sidecar.call("miniapp.mount", instance_id=instance_id)
        self.screen.tokens[instance_id] = mounted["context_token"]
        for surface in mounted["surfaces"]:
            await self._attach({"surface": surface})

    async def unmount(self, instance_id: str) -> None:
        """Unmount an instance and leave it so until it is mounted again. Raises RpcError."""
        self._left_alone.add(instance_id)
        await self._sidecar.call("miniapp.unmount", instance_id=instance_id)
        self.screen.forget_instance(instance_id)

    # -- one for each notification
    async def _reread_all(self, _: dict[str, Any]) -> None:
        for workspace in self.screen.workspaces.values():
            await self.reread(workspace)

    async def _follow_workspace(self, news: dict[str, Any]) -> None:
        workspace = self.screen.workspaces.get(news["conversation_id"])
        if workspace and workspace.take(news):
            await self._mount_new(workspace)

    async def _note_failure(self, news: dict[str, Any]) -> None:
        self.screen.failures.append(news)

    async def _attach(self, news: dict[str, Any]) -> None:
        told = news["surface"]
        if told["status"] == "open" and told["surface_id"] not in self.screen.surfaces:
            attached = await self._sidecar.call("surface.attach", surface_id=told["surface_id"])
            self.screen.surfaces[told["surface_id"]] = ShownSurface(key=told["key"], **attached)

    async def _follow_surface(self, news: dict[str, Any]) -> None:
        shown = self.screen.surfaces.get(news["surface_id"])
        if shown and not shown.patch(news["revision"], news["patch"]):
            await self._read_surface(shown)

    async def _drop_surface(self, news: dict[str, Any]) -> None:
        self.screen.surfaces.pop(news["surface_id"], None)

    async def _show_question(self, news: dict[str, Any]) -> None:
        item = news["item"]
        interaction_id = item["record"]["interaction_id"]
        self.screen.questions[interaction_id] = item
        if item["placement"]["mode"] == "deferred":
            return
        if self._present and item["record"]["status"] == "pending":
            await self._sidecar.call("renderer.presented", interaction_id=interaction_id)
        if self._answer and interaction_id not in self._in_hand:
            self._in_hand.add(interaction_id)
            self._tasks.start_soon(self._carefully, self._answer_question, item)

    async def _drop_question(self, news: dict[str, Any]) -> None:
        self.screen.questions.pop(news["interaction_id"], None)

    async def _provide(self, request: dict[str, Any]) -> None:
        if request["request_id"] not in self._in_hand:
            self._in_hand.add(request["request_id"])
            self._tasks.start_soon(self._carefully, self._carry_out, request)

    # -- what they share
    async def _mount_new(self, workspace: Workspace) -> None:
        self.screen.drop_the_gone()
        for instance_id in workspace.instances:
            if instance_id not in self.screen.tokens and instance_id not in self._left_alone:
                await self.mount(instance_id)

    async def _read_surface(self, shown: ShownSurface) -> None:
        now = await self._sidecar.call(
            "sdk.surfaces.get", context_token=shown.surface_token, surface_id=shown.surface_id
        )
        shown.revision, shown.state = now["revision"], now["state"]

    async def _answer_question(self, item: Item) -> None:
        assert self._answer
        result = await self._answer(item)
        if result is not None:
            interaction_id = item["record"]["interaction_id"]
            await self._sidecar.call("renderer.submit", interaction_id=interaction_id, result=result)

    async def _carry_out(self, request: dict[str, Any]) -> None:
        outcome = await self._outcome(request)
        await self._sidecar.call("capability.resolve", request_id=request["request_id"], **outcome)

    async def _outcome(self, request: dict[str, Any]) -> dict[str, Any]:
        try:
            result = await self._providers[request["capability"]](request)
        except CapabilityDeniedError as error:
            return {"outcome": "denied", "message": str(error)}
        except Exception as error:
            return {"outcome": "failed", "message": str(error)}
        return {"outcome": "granted"} if result is None else {"outcome": "granted", "result": result}

    async def _carefully(self, handler: Handler, params: dict[str, Any]) -> None:
        try:
            await handler(params)
        except ConnectionLostError:
            return  # the next session reads everything again
        except (HostError, TimeoutError) as error:
            if not (isinstance(error, RpcError) and error.refusal in GONE):
                self._sidecar.faults.append(f"{handler.__name__.strip('_')}: {error}")
