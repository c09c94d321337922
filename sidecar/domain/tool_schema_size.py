"""Measure a schema before anything reads it with recursion (PROTOCOL 10)."""

from __future__ import annotations

import json
import math
from typing import Final

from rpc_schema import limits

_TOO_LARGE_INTEGER: Final = 10**limits.MAX_INTEGER_DIGITS
_MAX_BRACKETS: Final = 3 * limits.MAX_SCHEMA_DEPTH
"""A property takes two levels of brackets a schema, and a listed value may be as deep again."""


def find_size_fault(schema: object) -> str | None:
    """Say why this is no JSON within the limits; None: it is. Its size is that of its compact JSON text."""
    size, pending = 0, [(schema, 1)]
    while pending:
        node, depth = pending.pop()
        if depth > _MAX_BRACKETS:
            return f"must be nested at most {limits.MAX_SCHEMA_DEPTH} schemas deep"
        try:
            size += _measure_alone(node)
        except UnicodeEncodeError:
            return "must be Unicode text: a surrogate has no partner"
        except (TypeError, ValueError):
            return f"must be JSON, its numbers finite and of at most {limits.MAX_INTEGER_DIGITS} digits"
        if size > limits.MAX_SCHEMA_TEXT:
            return f"must be at most {limits.MAX_SCHEMA_TEXT} bytes of compact JSON"
        if isinstance(node, dict):
            pending.extend((member, depth + 1) for member in node.values())
        elif isinstance(node, list):
            pending.extend((item, depth + 1) for item in node)
    return None


def _measure_alone(node: object) -> int:
    """Count the bytes of a node without its members. Raises TypeError or ValueError where it is no JSON."""
    if isinstance(node, dict):
        return max(2, 1 + 2 * len(node)) + sum(_measure_text(name) for name in node)
    if isinstance(node, list):
        return max(2, 1 + len(node))
    if isinstance(node, float) and not math.isfinite(node):
        raise ValueError("not finite")
    if isinstance(node, int) and abs(node) >= _TOO_LARGE_INTEGER:
        raise ValueError("too many digits")
    if node is None or isinstance(node, int | float):
        return len(json.dumps(node))
    return _measure_text(node)


def _measure_text(text: object) -> int:
    if not isinstance(text, str):
        raise TypeError("no JSON")
    return len(json.dumps(text, ensure_ascii=False).encode())
