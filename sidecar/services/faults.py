"""A fault of a request's shape that only a service can see."""

from __future__ import annotations

from typing import Any


class InvalidParams(Exception):  # noqa: N818 - named as JSON-RPC names it
    """The params do not fit the method: ``-32602`` with data."""

    def __init__(self, message: str, **data: Any) -> None:
        super().__init__(message)
        self.message = message
        self.data = {"errors": [{"path": "", "message": message}], **data}


def too_large(path: str, bound: int, actual: int) -> InvalidParams:
    """A field whose JSON is over its bound."""
    message = f"must be at most {bound} bytes of JSON, not {actual}: send less"
    return InvalidParams("invalid params", errors=[{"path": path, "message": message}])
