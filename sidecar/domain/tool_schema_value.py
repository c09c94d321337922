"""Say where a value fails a schema of the subset, and why (PROTOCOL 10).

The verdict is the compiled schema's; this walk names every place once the verdict is *no*, and judges the values that
a schema lists in ``enum``. It reads schemas that passed the gate, and never repeats a value.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from typing import Any, Final, NamedTuple

_SHOWN: Final = 64
_NUMBER: Final = (int, float)
_TYPES: Final[dict[str, tuple[str, Callable[[object], bool]]]] = {
    "object": ("an object", lambda value: isinstance(value, dict)),
    "string": ("text", lambda value: isinstance(value, str)),
    "number": ("a number", lambda value: isinstance(value, _NUMBER) and not isinstance(value, bool)),
    "boolean": ("true or false", lambda value: isinstance(value, bool)),
    "array": ("a list", lambda value: isinstance(value, list)),
}


class Fault(NamedTuple):
    """One thing that is wrong: where (``a.0.b``, empty for the whole) and what to mend."""

    path: str
    message: str


def step(path: str, segment: object) -> str:
    """Append a name or an index to a path; a long name is cut."""
    return f"{path}.{shorten(segment)}" if path else shorten(segment)


def shorten(value: object) -> str:
    """Show a name or a bound in at most 65 characters."""
    text = str(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def identity(value: object) -> Hashable:
    """Make a key that is equal for equal JSON values: 1 is 1.0 and -0 is 0, but true is not 1, however deep."""
    if isinstance(value, dict):
        return "object", frozenset((name, identity(member)) for name, member in value.items())
    if isinstance(value, list):
        return "array", tuple(identity(item) for item in value)
    return "boolean" if isinstance(value, bool) else "scalar", value


def find_faults(schema: dict[str, Any], value: object, path: str = "") -> Iterator[Fault]:
    """Yield each place where ``value`` fails ``schema``, outer ones first."""
    kind, fits = _TYPES[schema["type"]]
    if not fits(value):
        yield Fault(path, f"must be {kind}")
        return
    if "enum" in schema and identity(value) not in {identity(listed) for listed in schema["enum"]}:
        yield Fault(path, "must be one of the values that the schema lists")
    if isinstance(value, dict):
        yield from _find_in_object(schema, value, path)
    elif isinstance(value, list):
        yield from _find_in_array(schema, value, path)
    else:
        yield from _find_out_of_bounds(schema, value, path)


def _find_in_object(schema: dict[str, Any], value: dict[str, Any], path: str) -> Iterator[Fault]:
    declared = schema.get("properties", {})
    for name in schema.get("required", ()):
        if name not in value:
            yield Fault(step(path, name), "is required")
    if "additionalProperties" in schema:
        for name in value:
            if name not in declared:
                yield Fault(step(path, name), "is not a declared property")
    for name, inner in declared.items():
        if name in value:
            yield from find_faults(inner, value[name], step(path, name))


def _find_in_array(schema: dict[str, Any], value: list[Any], path: str) -> Iterator[Fault]:
    if "maxItems" in schema and len(value) > schema["maxItems"]:
        yield Fault(path, f"must have at most {shorten(schema['maxItems'])} items")
    if "items" in schema:
        for index, item in enumerate(value):
            yield from find_faults(schema["items"], item, step(path, index))


def _find_out_of_bounds(schema: dict[str, Any], value: Any, path: str) -> Iterator[Fault]:
    """Compare text and numbers with the bounds of their type; code points are counted, integers compared exactly."""
    if "minLength" in schema and len(value) < schema["minLength"]:
        yield Fault(path, f"must have at least {shorten(schema['minLength'])} characters")
    if "maxLength" in schema and len(value) > schema["maxLength"]:
        yield Fault(path, f"must have at most {shorten(schema['maxLength'])} characters")
    if "minimum" in schema and value < schema["minimum"]:
        yield Fault(path, f"must be at least {shorten(schema['minimum'])}")
    if "maximum" in schema and value > schema["maximum"]:
        yield Fault(path, f"must be at most {shorten(schema['maximum'])}")
