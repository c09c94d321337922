"""Values drawn from bytes: a fuzzer changes the bytes, and with them the shape of what is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

T = TypeVar("T")

NAMES = ("a", "b", "", "a-b", "$ref", "type", "\u2028", "{x}")
NUMBERS = (0, 1, -1, 2, 0.5, 1.0, -0.0, 1e300, 10**17, 2**53)
TEXTS = ("", "a", "ab", "abc", "\u00e9", "\U0001f600", "\x00", "\u2028")


class Draw:
    """Choices, one byte each; past the last byte the first choice is taken every time."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def number(self, below: int) -> int:
        """A whole number from 0 on."""
        if self._at >= len(self._data):
            return 0
        self._at += 1
        return self._data[self._at - 1] % below

    def one_of(self, choices: Sequence[T]) -> T:
        """One of them."""
        return choices[self.number(len(choices))]

    def rest(self) -> bytes:
        """All bytes that are left."""
        self._at, rest = len(self._data), self._data[self._at :]
        return rest

    def value(self, depth: int = 3) -> Any:
        """Any JSON value."""
        match self.number(7 if depth else 5):
            case 0:
                return self.one_of(TEXTS)
            case 1:
                return self.one_of(NUMBERS)
            case 2:
                return self.one_of((True, False))
            case 3:
                return None
            case 4:
                return self.number(200) - 100
            case 5:
                return [self.value(depth - 1) for _ in range(self.number(4))]
            case _:
                return {self.one_of(NAMES): self.value(depth - 1) for _ in range(self.number(4))}

    def schema(self, depth: int = 3) -> Any:
        """Something that is nearly a schema of the subset (PROTOCOL 10)."""
        type_ = self.one_of(("string", "number", "boolean", "object", "array") if depth else ("string", "number"))
        schema: dict[str, Any] = {"type": type_}
        if type_ == "object":
            schema["properties"] = {self.one_of(NAMES): self.schema(depth - 1) for _ in range(self.number(4))}
            schema["required"] = [name for name in schema["properties"] if self.number(2)]
        if type_ == "array" and self.number(2):
            schema["items"] = self.schema(depth - 1)
        for keyword in _OPTIONAL[type_]:
            if self.number(2):
                schema[keyword] = self.one_of((False, True)) if keyword == "additionalProperties" else self._bound()
        if self.number(4) == 3:
            schema["enum"] = [self.value(2) for _ in range(self.number(4))]
        if self.number(16) == 15:
            schema[self.one_of(("pattern", "$ref", "type", "properties", "format"))] = self.value(2)
        return schema

    def _bound(self) -> Any:
        return self.one_of((0, 1, 2, 3, 1.0, 0.5, -1, True, None, 10**400))


_OPTIONAL = {
    "string": ("minLength", "maxLength"),
    "number": ("minimum", "maximum"),
    "boolean": (),
    "object": ("additionalProperties",),
    "array": ("maxItems",),
}
