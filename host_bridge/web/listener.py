"""The two listeners, on 127.0.0.1 alone: the page's address with its WebSocket, and the surface address."""

from __future__ import annotations

import logging
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from http import HTTPStatus

import anyio
from websockets.asyncio.server import ServerConnection, serve
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

from host_bridge.errors import HostError
from host_bridge.web.documents import Documents
from host_bridge.web.front_end import FrontEnd
from host_bridge.web.guard import ADDRESS, Guard
from host_bridge.web.responses import refuse
from rpc_schema.limits import MAX_MESSAGE_BYTES

RPC_PATH = "/rpc"
PROTOCOL = "lineup.v1"
QUEUED_FRAMES = 4
"""How many frames of a page wait unread; then its socket is not read: 4 of 8 MiB are the Runtime's own bound."""

OPEN_SECONDS = 10.0
CLOSE_SECONDS = 2.0
END_SECONDS = 1.0
"""How long the end waits for what is open: a browser also holds connections on which it says nothing."""

Attend = Callable[[ServerConnection], Awaitable[None]]
Answer = Callable[[ServerConnection, Request], Response | None]

_logger = logging.getLogger("host_bridge.web.listener")
_logger.setLevel(logging.ERROR)  # at its lower levels the library logs headers, and with them tokens


def bind(port: int) -> socket.socket:
    """Take a port of 127.0.0.1, any for 0. Raises HostError where that cannot be."""
    try:
        return socket.create_server((ADDRESS, port))
    except OSError as error:
        raise HostError(f"cannot listen on {ADDRESS}:{port}: {error.strerror}; choose another with --port") from error


def port_of(bound: socket.socket) -> int:
    """The port of a socket of :func:`bind`."""
    port: int = bound.getsockname()[1]
    return port


def page_answers(guard: Guard, front_end: FrontEnd) -> Answer:
    """What the page's address answers: files, and None for a handshake on ``/rpc`` that may go on."""

    def answer(_: ServerConnection, request: Request) -> Response | None:
        refusal = guard.check(request)
        if refusal:
            return refusal
        if request.path != RPC_PATH:
            return front_end.respond(request) or guard.not_found()
        if request.headers.get("Upgrade", "").lower() != "websocket":
            return refuse(HTTPStatus.UPGRADE_REQUIRED, "this is a WebSocket", Upgrade="websocket")
        return guard.check_origin(request)

    return answer


def surface_answers(guard: Guard, documents: Documents) -> Answer:
    """What the surface address answers: documents, and never a handshake."""

    def answer(_: ServerConnection, request: Request) -> Response | None:
        document = documents.find(request.path)
        return guard.check(request) or (document.respond() if document else guard.not_found())

    return answer


@asynccontextmanager
async def listen(bound: socket.socket, answer: Answer, attend: Attend | None = None) -> AsyncIterator[None]:
    """Serve on a socket of :func:`bind`; at the end open connections are closed as 1001."""
    server = await serve(
        attend or _attend_nobody,
        sock=bound,
        process_request=answer,
        subprotocols=[Subprotocol(PROTOCOL)],
        select_subprotocol=lambda _, offered: Subprotocol(PROTOCOL) if PROTOCOL in offered else None,
        compression=None,
        server_header=None,
        max_size=MAX_MESSAGE_BYTES,
        max_queue=QUEUED_FRAMES,
        open_timeout=OPEN_SECONDS,
        close_timeout=CLOSE_SECONDS,
        logger=_logger,
    )
    try:
        yield
    finally:
        with anyio.CancelScope(shield=True), anyio.move_on_after(END_SECONDS):
            server.close(reason="the server ends")
            await server.wait_closed()


async def _attend_nobody(_: ServerConnection) -> None:
    """Never called: the surface address answers every request itself."""
