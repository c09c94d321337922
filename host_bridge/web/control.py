"""The bridge's own requests: what each is called, what it takes, what it does (``README.md``)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import asdict
from typing import Annotated, Any, NamedTuple

from pydantic import AfterValidator, ValidationError

from host_bridge.web.carrier import BRIDGE_ERROR, RequestError, not_driving
from host_bridge.web.documents import DocumentRefusedError, Documents, find_policy_fault
from host_bridge.web.guard import Refused
from host_bridge.web.lifeline import Lifeline
from host_bridge.web.page import Page
from host_bridge.web.scripted import SceneRefusedError, ScriptedAgent
from host_bridge.web.seat import Seat
from host_bridge.web.shared_sidecar import SharedSidecar
from rpc_schema.base import Empty, Id, Wire
from rpc_schema.error_data import errors_of
from rpc_schema.errors import INVALID_PARAMS, METHOD_NOT_FOUND
from rpc_schema.json_text import write_json


def _check_policy(csp: str) -> str:
    fault = find_policy_fault(csp)
    if fault:
        raise ValueError(fault)
    return csp


class SurfaceParams(Wire):
    """One surface."""

    surface_id: Id


class ServeDocumentParams(Wire):
    """A surface's document, as ``surface.attach`` gave it."""

    surface_id: Id
    html: str
    csp: Annotated[str, AfterValidator(_check_policy)]


class PeerParams(Wire):
    """A conversation with an Agent."""

    agent_id: Id
    conversation_id: Id


class PlayParams(Wire):
    """A scene, and where to play it."""

    scene: Id
    peer: PeerParams | None = None


class Request(NamedTuple):
    """A row of the table: params, what answers, and whether a page that waits may ask too."""

    params: type[Wire]
    answer: Callable[[Control, Page, Any], Awaitable[dict[str, Any]]]
    waiting: bool = False


class Control:
    """Answers the bridge's own requests."""

    def __init__(
        self,
        *,
        sidecar: SharedSidecar,
        lifeline: Lifeline,
        seat: Seat,
        documents: Documents,
        agent: ScriptedAgent,
        surface_origin: str,
        refused: Refused,
    ) -> None:
        self._sidecar = sidecar
        self._lifeline = lifeline
        self._seat = seat
        self._documents = documents
        self._agent = agent
        self._surface_origin = surface_origin
        self._refused = refused

    async def carry_out(self, page: Page, name: str, params: Any) -> dict[str, Any]:
        """Answer one request; the name goes without ``bridge.``. Raises RequestError."""
        row = REQUESTS.get(name)
        if row is None:
            raise RequestError(METHOD_NOT_FOUND, f"the bridge knows {', '.join(f'bridge.{one}' for one in REQUESTS)}")
        if not (page.driving or row.waiting):
            raise not_driving()
        try:
            read = row.params.model_validate_json(write_json(params))
        except ValidationError as error:
            raise RequestError(INVALID_PARAMS, "invalid params", {"errors": errors_of(error)}) from None
        try:
            return await row.answer(self, page, read)
        except DocumentRefusedError as error:
            raise RequestError(BRIDGE_ERROR, str(error), {"code": "limit_exceeded"}) from None
        except SceneRefusedError as error:
            raise RequestError(BRIDGE_ERROR, str(error), {"code": error.code}) from None

    async def _take_over(self, page: Page, _: Empty) -> dict[str, Any]:
        self._seat.take_over(page)
        return {}

    async def _status(self, _page: Page, _: Empty) -> dict[str, Any]:
        sidecar = {
            "state": self._lifeline.state,
            "pid": self._sidecar.pid if self._sidecar.alive else None,
            "restarts": self._lifeline.restarts,
            "contract_faults": list(self._sidecar.faults),
        }
        return {
            "sidecar": sidecar,
            "pages": {"driving": self._seat.driver is not None, "waiting": self._seat.waiting},
            "documents": len(self._documents),
            "playing": self._agent.playing,
            "refused": asdict(self._refused),
        }

    async def _serve_document(self, _: Page, params: ServeDocumentParams) -> dict[str, Any]:
        path = self._documents.keep(params.surface_id, params.html, params.csp)
        return {"url": f"{self._surface_origin}{path}"}

    async def _forget_document(self, _: Page, params: SurfaceParams) -> dict[str, Any]:
        self._documents.forget(params.surface_id)
        return {}

    async def _crash(self, _page: Page, _: Empty) -> dict[str, Any]:
        self._sidecar.crash()
        return {}

    async def _scenes(self, _page: Page, _: Empty) -> dict[str, Any]:
        return {"scenes": self._agent.scenes, "playing": self._agent.playing}

    async def _play(self, _: Page, params: PlayParams) -> dict[str, Any]:
        self._agent.play(params.scene, params.peer.model_dump() if params.peer else None)
        return {}

    async def _stop(self, _page: Page, _: Empty) -> dict[str, Any]:
        return {"stopped": self._agent.stop()}


REQUESTS = {
    "takeOver": Request(Empty, Control._take_over, waiting=True),
    "status": Request(Empty, Control._status, waiting=True),
    "serveDocument": Request(ServeDocumentParams, Control._serve_document),
    "forgetDocument": Request(SurfaceParams, Control._forget_document),
    "crashSidecar": Request(Empty, Control._crash),
    "scenes": Request(Empty, Control._scenes),
    "play": Request(PlayParams, Control._play),
    "stop": Request(Empty, Control._stop),
}
