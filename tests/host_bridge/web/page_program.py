"""A page and a server as the tests see them."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from typing import Any, NamedTuple, Self

import anyio
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin, Subprotocol

from host_bridge.web.serve import Serving

SECONDS = 30.0

HOST = {"name": "page", "version": "1.0.0"}
DOCUMENT_POLICY = "default-src 'none'; script-src 'sha256-abc='; connect-src 'none'; sandbox allow-scripts"


class Page:
    """A page: JSON-RPC over a WebSocket. ``news`` is every notification so far."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.news: list[dict[str, Any]] = []
        self._taken: set[int] = set()
        self._answers: dict[int, dict[str, Any]] = {}
        self._count = 0

    async def send(self, message: Any) -> None:
        await self.socket.send(message if isinstance(message, str | bytes) else json.dumps(message))

    async def receive(self) -> Any:
        with anyio.fail_after(SECONDS):
            return json.loads(await self.socket.recv())

    async def ask(self, method: str, /, **params: Any) -> dict[str, Any]:
        """The whole answer."""
        self._count += 1
        await self.send({"jsonrpc": "2.0", "id": self._count, "method": method, "params": params})
        while self._count not in self._answers:
            await self._read_one()
        return self._answers.pop(self._count)

    async def call(self, method: str, /, **params: Any) -> Any:
        """The result; an error fails the test."""
        answer = await self.ask(method, **params)
        assert "result" in answer, answer
        return answer["result"]

    async def refusal(self, method: str, /, **params: Any) -> tuple[int, Any]:
        """The error's code, and the stable code in its data."""
        error = (await self.ask(method, **params))["error"]
        return error["code"], error.get("data", {}).get("code")

    async def hear(self, method: str, where: Callable[[dict[str, Any]], Any] = lambda params: True) -> dict[str, Any]:
        """Take the oldest notification that fits and was not taken yet."""
        looked_at = 0
        while True:
            for at, one in enumerate(self.news[looked_at:], looked_at):
                if at not in self._taken and one["method"] == method and where(one["params"]):
                    self._taken.add(at)
                    params: dict[str, Any] = one["params"]
                    return params
            looked_at = len(self.news)
            await self._read_one()

    async def closed(self) -> tuple[int, str]:
        """Read to the end: the close code and the reason."""
        try:
            while True:
                await self._read_one()
        except ConnectionClosed:
            assert self.socket.close_code is not None
            return self.socket.close_code, self.socket.close_reason or ""

    async def begin(self) -> Self:
        """Initialize and open the conversation that scenes play in."""
        peer = (await self.hear("bridge.hello"))["peer"]
        await self.call("initialize", protocol_version="1.0", host=HOST)
        await self.call("workspace.open", **peer)
        return self

    async def _read_one(self) -> None:
        message = await self.receive()
        if isinstance(message, dict) and "method" in message:
            self.news.append(message)
        else:
            self._answers[message["id"]] = message


class Server:
    """A server that is up, and what it printed."""

    def __init__(self, up: Serving, printed: io.StringIO, stack: AsyncExitStack) -> None:
        self.up = up
        self.printed = printed
        self.origin, _, self.token = up.address.partition("/#token=")
        self.port = int(self.origin.rpartition(":")[2])
        self.surface_port = int(up.surface_origin.rpartition(":")[2])
        self._stack = stack

    @property
    def fresh_token(self) -> str:
        """The token of the address that was printed last."""
        return self.printed.getvalue().rpartition("#token=")[2].split()[0]

    async def connect(self, token: str | None = None, *, origin: str | None = None, **more: Any) -> Page:
        """Open ``/rpc`` as a page would."""
        offered = [Subprotocol("lineup.v1"), Subprotocol(f"token.{self.token if token is None else token}")]
        more.setdefault("subprotocols", offered)
        socket = await self._stack.enter_async_context(
            connect(
                f"ws://127.0.0.1:{self.port}/rpc",
                origin=Origin(self.origin if origin is None else origin),
                max_size=None,
                proxy=None,
                close_timeout=1,
                **more,
            )
        )
        return Page(socket)


class HttpAnswer(NamedTuple):
    """What came back for one request; no status: nothing did."""

    status: int | None
    headers: dict[str, str]
    body: bytes


async def ask_http(port: int, path: str = "/", method: str = "GET", **headers: str | None) -> HttpAnswer:
    """Send one request over a socket of its own. ``Host`` is right unless given; None leaves a header out."""
    lines = {"Host": f"127.0.0.1:{port}", **{name.replace("_", "-"): value for name, value in headers.items()}}
    sent = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in lines.items() if value is not None)]
    return await ask_raw(port, ("\r\n".join(sent) + "\r\n\r\n").encode())


async def ask_raw(port: int, request: bytes) -> HttpAnswer:
    """Send bytes and read until the server has nothing more to say."""
    received = bytearray()
    with anyio.fail_after(SECONDS):
        async with await anyio.connect_tcp("127.0.0.1", port) as stream:
            await stream.send(request)
            with suppress(anyio.EndOfStream):
                while True:
                    received += await stream.receive()
    if not received:
        return HttpAnswer(None, {}, b"")
    head, _, body = bytes(received).partition(b"\r\n\r\n")
    status, *lines = head.decode("latin-1").split("\r\n")
    return HttpAnswer(int(status.split()[1]), dict(line.split(": ", 1) for line in lines), body)
