"""The only expected exception: a decision against the request (PROTOCOL 1.2)."""

from __future__ import annotations

import re
from typing import Any

from rpc_schema import limits
from rpc_schema.errors import REFUSALS, RefusalCode

_AUDITED = ("capability", "reason", "status", "limit", "bound", "actual")
_AUDITED_ERRORS = 3
_LIKE_A_TOKEN = re.compile(rf"[A-Za-z0-9_-]{{{limits.TOKEN_BYTES * 4 // 3},}}")


class Refusal(Exception):  # noqa: N818 - a refusal is an answer, not an error of the program
    """A refused request: a stable code, a sentence that says what to do next, and data that helps."""

    def __init__(self, code: RefusalCode, message: str = "", **data: Any) -> None:
        self.code: RefusalCode = code
        self.message = message or REFUSALS[code]
        self.data: dict[str, Any] = data
        super().__init__(f"{code}: {self.message}")

    @property
    def told(self) -> str:
        """The message with the first fault or the bound named, for answers that carry no data."""
        if self.code == "limit_exceeded":
            return f"{self.message} ({self.data['limit']}: {self.data['actual']} of {self.data['bound']})"
        if not self.data.get("errors"):
            return self.message
        first = self.data["errors"][0]
        return f"{self.message} ({first['path'] or 'at the root'}: {first['message']})"[: limits.MAX_ERROR_TEXT]

    def audited(self) -> dict[str, Any]:
        """What the audit keeps besides the code: why, in words and names, yet nothing that might be a token."""
        detail = {name: _harmless(self.data[name]) for name in _AUDITED if name in self.data}
        if self.message != REFUSALS[self.code]:
            detail["message"] = _harmless(self.message)
        if "errors" in self.data:
            errors = self.data["errors"][:_AUDITED_ERRORS]
            detail["errors"] = [{name: _harmless(text) for name, text in error.items()} for error in errors]
        return detail


def over(limit: str, bound: int, actual: int) -> Refusal:
    """``limit_exceeded`` that names the bound and what was there."""
    return Refusal("limit_exceeded", limit=limit, bound=bound, actual=actual)


def _harmless(value: Any) -> Any:
    """With what is as long as a token left out: paths and messages may name what the sender chose."""
    return _LIKE_A_TOKEN.sub("[left out]", value) if isinstance(value, str) else value
