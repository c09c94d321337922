"""One page's frames, read and sorted: to the sidecar, to the bridge itself, or back with what is wrong (PROTOCOL 1)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from host_bridge.errors import ConnectionLostError
from host_bridge.web.shared_sidecar import Message, MessageTooLongError, SharedSidecar, Take
from rpc_schema import errors, limits
from rpc_schema.json_text import JsonTextError, read_json
from rpc_schema.message import find_fault, is_response, readable_id

OWN_NAMES = "bridge."
"""What begins so is the bridge's own and never reaches the sidecar."""

BRIDGE_ERROR = -32000


class RequestError(Exception):
    """A request that is answered with an error."""

    def __init__(self, code: int, message: str, data: dict[str, Any] | None = None) -> None:
        self.code = code
        self.message = message
        self.data = data
        super().__init__(message)

    def answer(self, request_id: Any = None) -> Message:
        """The answer that says so."""
        error = {"code": self.code, "message": self.message, **({"data": self.data} if self.data else {})}
        return {"jsonrpc": "2.0", "id": request_id, "error": error}


def not_driving() -> RequestError:
    """Another page is the Host."""
    message = "another page drives: bridge.takeOver lets this one drive"
    return RequestError(BRIDGE_ERROR, message, {"code": "not_driving"})


class Carrier:
    """Takes the frames of one page. ``carry_out`` answers the bridge's own requests, raising RequestError.

    ``watch`` sees each answer of the sidecar, with the request as it was made, before the page does.
    """

    def __init__(
        self,
        sidecar: SharedSidecar,
        put: Callable[[Any], None],
        carry_out: Callable[[str, Any], Awaitable[Message]],
        may_forward: Callable[[], bool],
        watch: Callable[[Message, Message], None],
    ) -> None:
        self._sidecar = sidecar
        self._put = put
        self._carry_out = carry_out
        self._may_forward = may_forward
        self._watch = watch

    async def take(self, frame: str) -> None:
        """Take one frame; what it asks for is on its way when this returns."""
        try:
            message = read_json(frame.encode())
        except JsonTextError as fault:
            self._put(RequestError(errors.PARSE_ERROR, str(fault)).answer())
            return
        if not isinstance(message, list):
            await self._take_all([message], self._put, batch=False)
        elif 1 <= len(message) <= limits.MAX_BATCH:
            await self._take_all(message, BatchAnswer(message, self._put).add, batch=True)
        else:
            fault_text = f"a batch holds 1 to {limits.MAX_BATCH} requests"
            self._put(RequestError(errors.INVALID_REQUEST, fault_text).answer())

    async def _take_all(self, messages: list[Any], put: Take, *, batch: bool) -> None:
        onward: list[tuple[Message, Take]] = []
        for message in messages:
            fault = find_fault(message)
            if is_response(message):
                continue
            if fault is not None:
                put(RequestError(errors.INVALID_REQUEST, fault).answer(readable_id(message)))
            elif message["method"].startswith(OWN_NAMES):
                await self._answer_own(message, put)
            else:
                onward.append((message, self._hand_back(message, put)))
        if onward:
            await self._forward(onward, put, batch=batch)

    async def _answer_own(self, message: Message, put: Take) -> None:
        try:
            answer = {
                "jsonrpc": "2.0",
                "id": message.get("id"),
                "result": await self._carry_out(message["method"].removeprefix(OWN_NAMES), message.get("params", {})),
            }
        except RequestError as error:
            answer = error.answer(message.get("id"))
        if "id" in message:
            put(answer)

    async def _forward(self, onward: list[tuple[Message, Take]], put: Take, *, batch: bool) -> None:
        try:
            if not self._may_forward():
                raise not_driving()
            await self._sidecar.forward(onward, batch=batch)
        except ConnectionLostError:
            return  # the page is told of the end as such
        except MessageTooLongError:
            text = (
                f"the message is over {limits.MAX_MESSAGE_BYTES} bytes once it is written in ASCII: send less at once"
            )
            self._refuse(onward, RequestError(errors.INVALID_REQUEST, text), put)
        except RequestError as error:
            self._refuse(onward, error, put)

    def _refuse(self, onward: list[tuple[Message, Take]], error: RequestError, put: Take) -> None:
        for message, _ in onward:
            if "id" in message:
                put(error.answer(message["id"]))

    def _hand_back(self, message: Message, put: Take) -> Take:
        def hand_back(answer: Message) -> None:
            answer = {**answer, "id": message["id"]}
            self._watch(message, answer)
            put(answer)

        return hand_back


class BatchAnswer:
    """Gathers the answers to a batch and puts them as one array once the last is there."""

    def __init__(self, messages: list[Any], put: Callable[[Any], None]) -> None:
        self._due = sum(is_due(message) for message in messages)
        self._answers: list[Message] = []
        self._put = put

    def add(self, answer: Message) -> None:
        """Take one answer."""
        self._answers.append(answer)
        if len(self._answers) == self._due:
            self._put(self._answers)


def is_due(message: Any) -> bool:
    """Whether an answer to it is due."""
    return not is_response(message) and (find_fault(message) is not None or "id" in message)
