"""What stands in ``error.data`` (PROTOCOL 1.2)."""

from __future__ import annotations

from pydantic import ConfigDict, ValidationError

from rpc_schema import limits
from rpc_schema.base import Maybe, Wire
from rpc_schema.errors import RefusalCode


class Fault(Wire):
    """One thing that is wrong, and where: a path into what was sent, which is never repeated."""

    path: str
    message: str


class InvalidParamsData(Wire):
    """``-32602``: what to mend; ``supported`` for a protocol version of another major."""

    errors: list[Fault]
    supported: Maybe[list[str]] = None


class InternalErrorData(Wire):
    """``-32603``: the name of the line in the log."""

    error_id: str


class RefusalData(Wire):
    """``1000``: the stable code, and what helps to mend it; more fields may come, so let unknown ones pass."""

    model_config = ConfigDict(extra="allow")

    code: RefusalCode
    path: Maybe[str] = None
    errors: Maybe[list[Fault]] = None
    status: Maybe[str] = None
    reason: Maybe[str] = None
    revision: Maybe[int] = None
    inventory_revision: Maybe[str] = None
    limit: Maybe[str] = None
    bound: Maybe[int] = None
    actual: Maybe[int] = None


def errors_of(fault: ValidationError, *, told_apart_by: str = "") -> list[dict[str, str]]:
    """What a model refused, as ``{path, message}``: bounded, and never repeating what was sent.

    ``told_apart_by`` is for a union of objects: the field that says which of them is meant.
    """
    found = fault.errors(include_url=False, include_context=False, include_input=False)
    errors = []
    for error in found[: limits.MAX_ERRORS]:
        where, message = error["loc"], error["msg"].removeprefix("Value error, ")
        if error["type"].startswith("union_tag_"):
            where, message = (told_apart_by,), "names none of the objects that may stand here"
        elif told_apart_by:
            where = where[1:]  # the member's name, which is no part of what was sent
        path = ".".join(str(part)[: limits.MAX_ID] for part in where)
        errors.append({"path": path, "message": message[: limits.MAX_ERROR_TEXT]})
    return errors
