"""What a JSON-RPC 2.0 message is, before anybody looks at what it asks for (PROTOCOL 1).

The Runtime and whoever stands before it say the same of the same message.
"""

from typing import Any


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
