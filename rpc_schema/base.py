"""The base of every object on the wire: closed, strict, immutable (PROTOCOL 1)."""

from __future__ import annotations

from typing import Annotated, Any, TypeVar

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    StringConstraints,
    TypeAdapter,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from rpc_schema import limits


class Wire(BaseModel):
    """A closed object: an unknown field is an error, and no value is coerced."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, protected_namespaces=())


class Empty(Wire):
    """An object without fields."""


JsonObject = dict[str, Any]
"""Any JSON object; the strict reader has already bounded its depth and its numbers."""


class _NotNull:
    """Let a field be absent, but never null: on the wire the two differ."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        schema = handler(source)
        return schema["schema"] if schema["type"] == "nullable" else schema


def _is_none(value: object) -> bool:
    return value is None


T = TypeVar("T")
Maybe = Annotated[T | None, _NotNull(), Field(exclude_if=_is_none)]
"""A field marked ``?`` in PROTOCOL.md: absent where empty, never null. In Python an absent one is ``None``."""

Id = Annotated[str, StringConstraints(min_length=1, max_length=limits.MAX_ID)]
"""An opaque identifier, 1 to 128 characters."""

AppScope = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9-]{0,63}\z")]
"""The name of a MiniApp, unique within the Runtime."""

LooseScope = Annotated[str, StringConstraints(min_length=1, max_length=limits.MAX_ID)]
"""A scope as somebody names it; whether it exists is the Runtime's answer."""

Name = Annotated[str, StringConstraints(min_length=1, max_length=limits.MAX_NAME)]
"""A title or label, 1 to 200 characters; text, never markup."""

Text = Annotated[str, StringConstraints(min_length=1, max_length=limits.MAX_TEXT)]
"""A prompt or message, 1 to 4 000 characters; text, never markup."""

Reason = Annotated[str, StringConstraints(max_length=limits.MAX_REASON)]
"""Why something was done, in the words of whoever did it; at most 1 000 characters."""

Timestamp = Annotated[str, StringConstraints(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\z")]
"""RFC 3339, UTC, with milliseconds."""

_NUMBER = r"(0|[1-9]\d*)"
_PRE = r"(0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*)"
SEMVER = rf"^{_NUMBER}\.{_NUMBER}\.{_NUMBER}(-{_PRE}(\.{_PRE})*)?(\+[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?\z"
SemVer = Annotated[str, StringConstraints(pattern=SEMVER, max_length=limits.MAX_ID)]
"""A semantic version, such as ``1.4.0`` or ``2.0.0-rc.1``."""

Token = Annotated[str, StringConstraints(max_length=limits.MAX_TOKEN)]
"""A capability handed out by the Runtime; an unknown one is refused, whatever it looks like."""

Count = Annotated[int, Field(ge=0)]
"""A whole number, 0 or more."""


class JudgedBy:
    """Take any value here, since its faults are a refusal of their own; describe it as the given type.

    Used as ``Annotated[Any, JudgedBy(SomeModel)]``: the service validates it and refuses by its own code (PROTOCOL 7).
    """

    def __init__(self, type_: Any) -> None:
        self.type = type_

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return handler(TypeAdapter(self.type).core_schema)
