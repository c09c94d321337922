"""From a frame to its answer: the one place that knows jsonrpcserver, and the one ladder from exception to answer.

jsonrpcserver finds and calls the method of a single request that our own reader has read. Its validator, its
deserializer and its argument check are left out (they are slow, or say too much): the endpoint's model has the better
look at arguments. No exception of ours reaches it.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable
from functools import partial
from typing import Any, Protocol

from jsonrpcserver.dispatcher import call, get_method
from jsonrpcserver.request import Request
from jsonrpcserver.result import ErrorResult, SuccessResult
from jsonrpcserver.sentinels import NOID
from oslash.either import Left, Right
from pydantic import ValidationError

from rpc_schema import errors, limits
from rpc_schema.base import Wire
from rpc_schema.error_data import errors_of
from rpc_schema.framing import FramingFault
from rpc_schema.json_text import JsonTextError
from rpc_schema.message import find_fault, is_response, read_message, readable_id, write_error, write_id
from rpc_schema.methods import METHODS, Method
from sidecar.domain.refusal import Refusal
from sidecar.services.faults import InvalidParams

logger = logging.getLogger("sidecar.rpc")


class Denied(Exception):  # noqa: N818 - an answer
    """A request that may not be made now, or at all, on this connection."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class Desk(Protocol):
    """What runs a request whose method and params are sound."""

    def admit(self, peer: Any, method: Method) -> None:
        """Let the request pass, or raise :class:`Denied` or a refusal."""

    def run(self, peer: Any, method: Method, params: Wire) -> Any:
        """Carry it out: the result model, bytes of JSON, or None."""


class Dispatcher:
    """Turns frames into answers."""

    def __init__(self, desk: Desk) -> None:
        self._methods = {name: self._endpoint(desk, method) for name, method in METHODS.items()}

    def answer(self, peer: Any, frame: bytes | FramingFault) -> bytes | None:
        """The answer to one frame: a single one, a batch, or None where none is due."""
        if isinstance(frame, FramingFault):
            return _error(None, frame.code, frame.message)
        try:
            message = read_message(frame)
        except JsonTextError as fault:
            return _error(None, errors.PARSE_ERROR, str(fault))
        if not isinstance(message, list):
            return self._one(peer, message)
        most = limits.MAX_BATCH if peer.is_host else limits.MAX_WORKER_BATCH
        if not 0 < len(message) <= most:
            return _error(None, errors.INVALID_REQUEST, f"a batch holds 1 to {most} requests, not {len(message)}")
        answers, size = [], 0
        for one in message:
            answer = self._one(peer, one, has_room=size < limits.MAX_QUEUED_BYTES)
            if answer is not None:
                answers.append(answer)
                size += len(answer)
        return b"[" + b",".join(answers) + b"]" if answers else None

    def _one(self, peer: Any, message: Any, *, has_room: bool = True) -> bytes | None:
        fault = find_fault(message)
        if fault is not None:
            if is_response(message):
                logger.info("a response was received although nothing was asked: it settles nothing")
                return None
            return _error(readable_id(message), errors.INVALID_REQUEST, fault)
        request = Request(message["method"], message.get("params", {}), message.get("id", NOID))
        if request.id is not NOID and not has_room:
            return _error(request.id, errors.INVALID_REQUEST, "the batch's answers are too large: ask for this alone")
        result = get_method(self._methods, request.method).bind(partial(call, request, peer))
        return None if request.id is NOID else _write(request.id, result)

    @staticmethod
    def _endpoint(desk: Desk, method: Method) -> Callable[..., Any]:
        def endpoint(peer: Any, /, *positional: Any, **named: Any) -> Any:
            try:
                desk.admit(peer, method)
                if positional:
                    raise InvalidParams("params must be an object")
                return Right(SuccessResult(desk.run(peer, method, method.params.model_validate(named))))
            except Exception as error:
                return Left(_outcome(method, error))

        return endpoint


def _refused(refusal: Refusal) -> dict[str, Any]:
    """The data of a refusal; a bad token's says nothing but its code (PROTOCOL 7)."""
    if refusal.code == "context_token_invalid":
        return {"code": refusal.code}
    return {"code": refusal.code, **refusal.data}


def _outcome(method: Method, error: Exception) -> ErrorResult:
    if isinstance(error, Refusal):
        return ErrorResult(errors.REFUSED, error.message, _refused(error))
    if isinstance(error, ValidationError):
        return ErrorResult(errors.INVALID_PARAMS, "invalid params", {"errors": errors_of(error)})
    if isinstance(error, InvalidParams):
        return ErrorResult(errors.INVALID_PARAMS, error.message, error.data)
    if isinstance(error, Denied):
        return ErrorResult(error.code, error.message, None)
    error_id = secrets.token_hex(8)
    logger.error("internal error %s in %s", error_id, method.name, exc_info=error)
    return ErrorResult(errors.INTERNAL_ERROR, "internal error", {"error_id": error_id})


# -- writing


def _write(request_id: Any, result: Any) -> bytes:
    """The JSON text of what the library decided."""
    if isinstance(result, Left):
        fault = result._error
        return _error(request_id, fault.code, str(fault.message), _data(fault))
    return b'{"jsonrpc":"2.0","id":%s,"result":%s}' % (write_id(request_id), _result(result._value.result))


def _data(fault: Any) -> Any:
    """Our own data; what the library would add of itself (a method's name) is left out."""
    return fault.data if isinstance(fault.data, dict) else None


def _result(result: Any) -> bytes:
    if isinstance(result, Wire):
        return result.model_dump_json(ensure_ascii=True).encode()
    return result if isinstance(result, bytes) else b"null"


def _error(request_id: Any, code: int, message: str, data: Any = None) -> bytes:
    error = {"code": code, "message": message[: limits.MAX_ERROR_TEXT]}
    if data is not None:
        error["data"] = data
    return write_error(request_id, error)
