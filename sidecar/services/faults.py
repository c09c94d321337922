"""A fault of a request's shape that only a service can see."""

from __future__ import annotations

from typing import Any

from rpc_schema.json_text import write_json


class InvalidParams(Exception):  # noqa: N818 - named as JSON-RPC names it
    """The params do not fit the method: ``-32602`` with data."""

    def __init__(self, message: str, **data: Any) -> None:
        super().__init__(message)
        self.message = message
        self.data = {"errors": [{"path": "", "message": message}], **data}


def check_size(path: str, value: dict[str, Any] | None, bound: int) -> None:
    """Whether a field, where it is given, has at most ``bound`` bytes of JSON.

    Raises:
        InvalidParams: it has more.
    """
    size = 0 if value is None else len(write_json(value))
    if size > bound:
        message = f"must be at most {bound} bytes of JSON, not {size}: send less"
        raise InvalidParams("invalid params", errors=[{"path": path, "message": message}])
