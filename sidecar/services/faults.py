"""Faults of a request's shape that only a service can see."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from rpc_schema import limits


class InvalidParams(Exception):  # noqa: N818 - named as JSON-RPC names it
    """The params do not fit the method: ``-32602`` with data."""

    def __init__(self, message: str, **data: Any) -> None:
        super().__init__(message)
        self.message = message
        self.data = {"errors": [{"path": "", "message": message}], **data}


def errors_of(fault: ValidationError) -> list[dict[str, str]]:
    """What a model refused, as ``{path, message}``: bounded, and never repeating what was sent."""
    found = fault.errors(include_url=False, include_context=False, include_input=False)
    return [
        {
            "path": ".".join(str(part)[: limits.MAX_ID] for part in error["loc"]),
            "message": error["msg"].removeprefix("Value error, ")[: limits.MAX_ERROR_TEXT],
        }
        for error in found[: limits.MAX_ERRORS]
    ]
