"""The base of every object on the wire: closed, strict, immutable (PROTOCOL 1)."""

from __future__ import annotations

import sys
from typing import Annotated, Any, Self, TypeVar, cast

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    RootModel,
    StringConstraints,
    TypeAdapter,
    WithJsonSchema,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema
from pydantic_core.core_schema import UnionSchema, list_schema

from rpc_schema import limits


class Wire(BaseModel):
    """A closed object: an unknown field is an error, and no value is coerced."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        frozen=True,
        defer_build=True,
        protected_namespaces=(),
        json_schema_serialization_defaults_required=True,
    )

    @classmethod
    def having(cls, **fields: Any) -> Self:
        """Make one of the fields that are not ``None``: for models whose optional fields are absent where empty."""
        return cls(**{name: value for name, value in fields.items() if value is not None})


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
"""A field marked ``?`` in PROTOCOL.md: absent where empty, never null.

In Python an absent one reads as ``None``, yet ``None`` is no value to give: leave the field out of the call.
"""

Id = Annotated[str, StringConstraints(min_length=1, max_length=limits.MAX_ID)]
"""An opaque identifier, 1 to 128 characters."""

AppScope = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9-]{0,63}$")]
"""The name of a MiniApp, unique within the Runtime."""

LooseScope = Annotated[str, StringConstraints(min_length=1, max_length=limits.MAX_ID)]
"""A scope as somebody names it; whether it exists is the Runtime's answer."""

Name = Annotated[str, StringConstraints(min_length=1, max_length=limits.MAX_NAME)]
"""A title or label, 1 to 200 characters; text, never markup."""

Text = Annotated[str, StringConstraints(min_length=1, max_length=limits.MAX_TEXT)]
"""A prompt or message, 1 to 4 000 characters; text, never markup."""

Reason = Annotated[str, StringConstraints(max_length=limits.MAX_REASON)]
"""Why something was done, in the words of whoever did it; at most 1 000 characters."""

TIMESTAMP = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$"
Timestamp = Annotated[str, StringConstraints(pattern=TIMESTAMP)]
"""RFC 3339, UTC, with milliseconds."""

_NUMBER = r"(0|[1-9][0-9]*)"
_PRE = r"(0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)"
SEMVER = rf"^{_NUMBER}\.{_NUMBER}\.{_NUMBER}(-{_PRE}(\.{_PRE})*)?(\+[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$"
SemVer = Annotated[str, StringConstraints(pattern=SEMVER, max_length=limits.MAX_ID)]
"""A semantic version, such as ``1.4.0`` or ``2.0.0-rc.1``."""

Token = str
"""A capability handed out by the Runtime; an unknown one is refused, whatever it looks like and however long."""

Count = Annotated[int, Field(ge=0, le=limits.MAX_INTEGER)]
"""A whole number, 0 or more."""

Whole = Annotated[int, Field(ge=-limits.MAX_INTEGER, le=limits.MAX_INTEGER)]
"""A whole number that every reader of JSON, and the store, keeps exactly."""


class _OneFault:
    """Tell of a value that fits no member of a union as one fault at its own path, not one for each member."""

    def __init__(self, message: str) -> None:
        self.message = message

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        schema = cast("UnionSchema", handler(source))
        return {**schema, "custom_error_type": "union_type", "custom_error_message": self.message}


def _is_finite(value: int | float) -> int | float:
    if not -sys.float_info.max <= value <= sys.float_info.max:
        raise ValueError("a number must be within the range of a double")
    return value


Number = Annotated[
    int | float, _OneFault("Input should be a number"), AfterValidator(_is_finite), WithJsonSchema({"type": "number"})
]
"""A finite number."""

TextOrNumber = Annotated[str | Number, _OneFault("Input should be text or a finite number")]
"""What one field of a form holds."""


def exactly(kind: type) -> BeforeValidator:
    """Hold a literal to its JSON type: in Python ``1``, ``1.0`` and ``True`` are equal, on the wire they differ."""

    def check(value: object) -> object:
        if type(value) is not kind:
            raise ValueError(f"must be of the type {kind.__name__}")
        return value

    return BeforeValidator(check)


class Gone(RootModel[None]):
    """Null: what the field would tell of is gone. An absent field says nothing of it."""

    root: None = None


class JudgedBy:
    """Describe a value as the given type, and leave it to a service to judge it.

    Used as ``Annotated[Any, JudgedBy(SomeModel)]`` where faults are a refusal of their own (PROTOCOL 7), and in a
    record for what was judged before it was stored.
    """

    def __init__(self, type_: Any) -> None:
        self.type = type_

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        # By way of a list, and in allOf, since pydantic would put the whole definition in place of a bare reference.
        described = handler(list_schema(TypeAdapter(self.type).core_schema))
        return {"allOf": [described["items"]]}
