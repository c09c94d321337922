"""What a JSON-RPC 2.0 message is, before anybody looks at what it asks for (PROTOCOL 1).

The Runtime and whoever stands before it say the same of the same message.
"""

import json
from typing import Any, Self

from rpc_schema import limits
from rpc_schema.json_text import read_json, write_json


class WrittenNumber(float):
    """A number as an id, with the text that it came as: ``1e2`` goes back as ``1e2`` and not as ``100.0``."""

    text: str

    def __new__(cls, text: str) -> Self:
        """The number that is written so."""
        number = super().__new__(cls, text)
        number.text = text
        return number


def read_message(data: bytes, *, max_depth: int = limits.MAX_JSON_DEPTH) -> Any:
    """Read a message, or a batch, whose ids can be written back exactly as they came.

    Most ids are text or plain integers, which need no care. For any other the whole is read once more, with each number
    as it is written.

    Raises:
        JsonTextError: it is no strict JSON.
    """
    message = read_json(data, max_depth=max_depth)
    single = type(message) is dict
    requests = (message,) if single else message if type(message) is list else ()
    spelled = None
    for at, one in enumerate(requests):
        given = one.get("id") if type(one) is dict else None
        if type(given) is float or (given == 0 and b"-0" in data and type(given) is int):
            if spelled is None:
                text = _SPELLED.decode(data.decode())
                spelled = [text] if single else text
            one["id"] = spelled[at]["id"]
    return message


def write_id(request_id: Any) -> bytes:
    """Write an id as it came."""
    if type(request_id) is int:
        return b"%d" % request_id
    return request_id.text.encode() if isinstance(request_id, WrittenNumber) else write_json(request_id)


def write_error(request_id: Any, error: dict[str, Any]) -> bytes:
    """Write an error answer."""
    return b'{"jsonrpc":"2.0","id":%s,"error":%s}' % (write_id(request_id), write_json(error))


_SPELLED = json.JSONDecoder(parse_int=WrittenNumber, parse_float=WrittenNumber)


def find_fault(message: Any) -> str | None:
    """Say what keeps a message from being a request; None: it is one."""
    if not isinstance(message, dict):
        return "a request is an object"
    if message.get("jsonrpc") != "2.0":
        return 'jsonrpc must be "2.0"'
    if not isinstance(message.get("method"), str):
        return "method must be text"
    if not isinstance(message.get("params", {}), dict | list):
        return "params must be an object"
    if not is_id(message.get("id")):
        return "id must be text, a number or null"
    return None


def is_id(value: Any) -> bool:
    """Whether it may be a request's id."""
    return value is None or (isinstance(value, str | int | float) and not isinstance(value, bool))


def readable_id(message: Any) -> Any:
    """The id under which a message that is no request can be answered: its own where it has one, else null."""
    given = message.get("id") if isinstance(message, dict) else None
    return given if is_id(given) else None


def is_response(message: Any) -> bool:
    """Whether it answers something; where nothing was asked it settles nothing."""
    return isinstance(message, dict) and "method" not in message and ("result" in message or "error" in message)
