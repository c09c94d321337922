"""Decide whether a Tool's schema lies within the subset (PROTOCOL 10): an allow-list of keywords and of their values.

Nothing that failed here is ever compiled: a compiler of schemas ignores what it does not know, follows references and
writes source code from what it reads.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from rpc_schema import limits
from sidecar.domain.tool_schema_size import find_size_fault
from sidecar.domain.tool_schema_value import Fault, find_faults, identity, shorten, step

TYPES: Final = ("object", "string", "number", "boolean", "array")
_TYPE_NAMES: Final = ", ".join(TYPES)


def check_schema(schema: object, path: str = "") -> list[Fault]:
    """List every fault of a schema; none: it is within the subset."""
    message = find_size_fault(schema)
    if message:
        return [Fault(path, message)]
    walk = _Walk()
    walk.check(schema, path, depth=1)
    if walk.properties > limits.MAX_SCHEMA_PROPERTIES:
        walk.faults.append(Fault(path, f"must declare at most {limits.MAX_SCHEMA_PROPERTIES} properties in all"))
    if walk.listed > limits.MAX_SCHEMA_ENUM:
        walk.faults.append(Fault(path, f"must list at most {limits.MAX_SCHEMA_ENUM} enum values in all"))
    return walk.faults


class _Walk:
    """One walk over a schema: the faults so far, and what is counted over all of it."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []
        self.properties = 0
        self.listed = 0

    def check(self, schema: object, path: str, depth: int) -> None:
        """Check a schema and those within it."""
        if not isinstance(schema, dict):
            self._add(path, 'must be a schema: an object with a "type"')
            return
        if depth > limits.MAX_SCHEMA_DEPTH:
            self._add(path, f"must be nested at most {limits.MAX_SCHEMA_DEPTH} schemas deep")
            return
        before = len(self.faults)
        if "type" not in schema:
            self._add(step(path, "type"), f"is required: one of {_TYPE_NAMES}")
        for keyword, value in schema.items():
            self._check_keyword(schema.get("type"), keyword, value, step(path, keyword))
        self._check_inner(schema, path, depth)
        if len(self.faults) == before:
            self._check_together(schema, path)

    def _add(self, path: str, message: str) -> None:
        self.faults.append(Fault(path, message))

    def _check_keyword(self, declared: object, keyword: str, value: object, path: str) -> None:
        if keyword not in _KEYWORDS:
            self._add(path, f"is not in the schema subset: {', '.join(_KEYWORDS)}")
            return
        home, judge = _KEYWORDS[keyword]
        if home and declared in TYPES and declared != home:
            self._add(path, f"says nothing about type {declared}: remove it")
        message = judge(value)
        if message:
            self._add(path, message)

    def _check_inner(self, schema: dict[str, Any], path: str, depth: int) -> None:
        properties = schema.get("properties")
        if isinstance(properties, dict):
            self.properties += len(properties)
            for name, inner in properties.items():
                self.check(inner, step(step(path, "properties"), name), depth + 1)
        items = schema.get("items")
        if isinstance(items, dict):
            self.check(items, step(path, "items"), depth + 1)

    def _check_together(self, schema: dict[str, Any], path: str) -> None:
        """Check what single keywords do not show; each of them is sound by now."""
        for low, high in (("minLength", "maxLength"), ("minimum", "maximum")):
            if low in schema and high in schema and schema[low] > schema[high]:
                self._add(step(path, low), f"must not be above {high}: nothing would fit")
        for index, name in enumerate(schema.get("required", ())):
            if name not in schema.get("properties", ()):
                self._add(step(step(path, "required"), index), f'"{shorten(name)}" is not in properties')
        self._check_listed(schema, path)

    def _check_listed(self, schema: dict[str, Any], path: str) -> None:
        listed = schema.get("enum", [])
        self.listed += len(listed)
        if self.listed > limits.MAX_SCHEMA_ENUM:
            return
        rest = {keyword: value for keyword, value in schema.items() if keyword != "enum"}
        seen = set()
        for index, value in enumerate(listed):
            place = step(step(path, "enum"), index)
            self.faults += find_faults(rest, value, place)
            if identity(value) in seen:
                self._add(place, "is listed twice")
            seen.add(identity(value))


def _judge_type(value: object) -> str | None:
    return None if value in TYPES else f"must be one of {_TYPE_NAMES}"


def _judge_enum(value: object) -> str | None:
    return None if isinstance(value, list) and value else "must be a list of at least one value"


def _judge_description(value: object) -> str | None:
    fits = isinstance(value, str) and len(value) <= limits.MAX_DESCRIPTION
    return None if fits else f"must be text of at most {limits.MAX_DESCRIPTION} characters"


def _judge_properties(value: object) -> str | None:
    return None if isinstance(value, dict) else "must be an object of schemas"


def _judge_required(value: object) -> str | None:
    sound = isinstance(value, list) and all(isinstance(name, str) for name in value) and len(set(value)) == len(value)
    return None if sound else "must be a list of different names"


def _judge_closing(value: object) -> str | None:
    return None if value is False else "must be the literal false, or be left out"


def _judge_items(value: object) -> str | None:
    return None if isinstance(value, dict) else "must be one schema"


def _judge_count(value: Any) -> str | None:
    whole = _is_number(value) and value >= 0 and (isinstance(value, int) or value.is_integer())
    return None if whole else "must be a whole number, 0 or more"


def _judge_bound(value: Any) -> str | None:
    return None if _is_number(value) else "must be a number"


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


_KEYWORDS: Final[dict[str, tuple[str, Callable[[Any], str | None]]]] = {
    "type": ("", _judge_type),
    "enum": ("", _judge_enum),
    "description": ("", _judge_description),
    "properties": ("object", _judge_properties),
    "required": ("object", _judge_required),
    "additionalProperties": ("object", _judge_closing),
    "items": ("array", _judge_items),
    "maxItems": ("array", _judge_count),
    "minLength": ("string", _judge_count),
    "maxLength": ("string", _judge_count),
    "minimum": ("number", _judge_bound),
    "maximum": ("number", _judge_bound),
}
"""Each keyword: the one type that it says something about (empty for all) and what its value must be."""
