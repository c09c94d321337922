"""Pages on one side, the sidecar on the other: who is let in, who drives, what each is told (``README.md``)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import anyio
from anyio.abc import TaskGroup
from websockets.asyncio.server import ServerConnection

from host_bridge.race import first_of
from host_bridge.record import Notification
from host_bridge.web.carrier import Carrier
from host_bridge.web.control import Control
from host_bridge.web.documents import Documents
from host_bridge.web.guard import Refused
from host_bridge.web.lifeline import Lifeline
from host_bridge.web.listener import PROTOCOL
from host_bridge.web.page import CloseCode, Ending, Page
from host_bridge.web.scripted import PEER, ScriptedAgent
from host_bridge.web.seat import Seat
from host_bridge.web.shared_sidecar import Message, SharedSidecar
from host_bridge.web.tokens import TokenRefusedError, Tokens
from rpc_schema.limits import MAX_MESSAGE_BYTES

OFFERED = "token."
"""What the subprotocol begins with that carries the token."""

MAX_WAITING = 8
"""How many pages may be connected without driving."""

TAKEN_OVER = Ending(CloseCode.TAKEN_OVER, "another page took over")
TOO_MANY_WAIT = Ending(CloseCode.TOO_MANY_WAIT, f"{MAX_WAITING} pages wait already: close some")


@dataclass(frozen=True)
class Surroundings:
    """What the bridge needs of the rest. ``report`` prints a line, ``reissue`` prints a fresh address."""

    documents: Documents
    tokens: Tokens
    refused: Refused
    surface_origin: str
    report: Callable[[str], None]
    reissue: Callable[[], None]


class Bridge:
    """Attends to every connection on ``/rpc``."""

    def __init__(
        self,
        sidecar: SharedSidecar,
        seat: Seat,
        tasks: TaskGroup,
        around: Surroundings,
        *,
        with_agent: bool = True,
        pace: float = 0.0,
    ) -> None:
        self.lifeline = Lifeline(sidecar, around.report)
        self.agent = ScriptedAgent(sidecar, self._tell_driver, tasks, enabled=with_agent, pace=pace)
        self._sidecar = sidecar
        self._seat = seat
        self._around = around
        self._control = Control(
            sidecar=sidecar,
            lifeline=self.lifeline,
            seat=seat,
            documents=around.documents,
            agent=self.agent,
            surface_origin=around.surface_origin,
            refused=around.refused,
        )
        sidecar.listen(self._hear)

    async def attend(self, socket: ServerConnection) -> None:
        """Let a page in or send it away, and serve it to its end."""
        page = Page(socket)
        try:
            reconnect_token = self._around.tokens.exchange(read_token(socket))
        except TokenRefusedError as error:
            self._around.refused.token += 1
            await page.end(Ending(CloseCode.TOKEN_REFUSED, str(error)))
            if error.spent and not self._around.tokens.is_address_open:
                self._around.reissue()
            return
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(page.send_all)
            ending = await self._serve(page, reconnect_token)
            if ending is not None:
                await page.end(ending)
            page.outgoing.close()
            tasks.cancel_scope.cancel()

    async def _serve(self, page: Page, reconnect_token: str) -> Ending | None:
        carrier = Carrier(
            self._sidecar,
            page.outgoing.put,
            partial(self._control.carry_out, page),
            lambda: page.driving,
            partial(self._watch, page),
        )
        driving = await self._seat.take(page)
        try:
            page.tell("hello", self._greeting(reconnect_token, driving))
            if not driving:
                ending = await self._wait(page, carrier)
                if not page.driving:
                    return ending
            return await self._drive(page, carrier)
        finally:
            self._seat.leave(page)
            if self._seat.driver is None:
                self._around.documents.forget_all()

    async def _wait(self, page: Page, carrier: Carrier) -> Ending | None:
        """Wait until the page takes over, or is gone."""
        if self._seat.waiting >= MAX_WAITING:
            return TOO_MANY_WAIT
        self._seat.waiting += 1
        try:
            return await _carry(page, carrier, until=lambda: page.driving)
        finally:
            self._seat.waiting -= 1

    async def _drive(self, page: Page, carrier: Carrier) -> Ending | None:
        self._around.report("a page drives")
        self._around.documents.forget_all()
        ending = await first_of(
            partial(_when_gone, page), partial(_when_ousted, page), partial(self._run, page, carrier)
        )
        if ending is None:
            self._around.report("the page is gone")
        return ending

    async def _run(self, page: Page, carrier: Carrier) -> Ending | None:
        """Carry from when the sidecar runs until it ends."""
        ending = await self.lifeline.ensure(page)
        return ending or await first_of(partial(_carry, page, carrier), partial(self.lifeline.ended, page))

    def _greeting(self, reconnect_token: str, driving: bool) -> dict[str, Any]:
        return {
            "reconnect_token": reconnect_token,
            "driving": driving,
            "surface_origin": self._around.surface_origin,
            "max_message_bytes": MAX_MESSAGE_BYTES,
            "agent": "scripted" if self.agent.enabled else "none",
            "peer": PEER,
        }

    def _hear(self, news: Notification) -> None:
        """Hand on what the sidecar says, once the page that drives has begun a session of its own."""
        if news.method == "surface.closed":
            self._around.documents.forget(news.params["surface_id"])
        page = self._seat.driver
        if page is not None and page.in_session:
            page.outgoing.put({"jsonrpc": "2.0", "method": news.method, "params": news.params})

    def _watch(self, page: Page, request: Message, answer: Message) -> None:
        """Note what an answer to the page means for the bridge."""
        if "result" not in answer or not page.driving:
            return
        if request["method"] == "initialize":
            page.in_session = True
            self._sidecar.begin_session(answer["result"])
        elif request["method"] == "surface.detach":
            self._around.documents.forget(request["params"]["surface_id"])

    def _tell_driver(self, name: str, params: dict[str, Any]) -> None:
        if self._seat.driver is not None:
            self._seat.driver.tell(name, params)


def read_token(socket: ServerConnection) -> str | None:
    """The token that was offered beside the protocol, if both were."""
    if socket.request is None or socket.subprotocol != PROTOCOL:
        return None
    offered = [
        one.strip() for header in socket.request.headers.get_all("Sec-WebSocket-Protocol") for one in header.split(",")
    ]
    return next((one.removeprefix(OFFERED) for one in offered if one.startswith(OFFERED)), None)


async def _carry(page: Page, carrier: Carrier, until: Callable[[], bool] = lambda: False) -> Ending | None:
    while not until():
        frame = await page.read()
        if not isinstance(frame, str):
            return frame
        await carrier.take(frame)
    return None


async def _when_gone(page: Page) -> None:
    await page.gone()


async def _when_ousted(page: Page) -> Ending:
    await page.ousted.wait()
    return TAKEN_OVER
