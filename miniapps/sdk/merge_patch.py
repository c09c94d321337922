"""JSON Merge Patch (RFC 7396), as the Runtime applies it to a surface's state."""

from __future__ import annotations

from typing import Any


def merge(state: dict[str, Any], patch: dict[str, Any]) -> dict[str, Any]:
    """The state after the patch; neither argument is changed. A null removes its key."""
    merged = dict(state)
    for key, value in patch.items():
        if value is None:
            merged.pop(key, None)
        elif isinstance(value, dict):
            current = merged.get(key)
            merged[key] = merge(current if isinstance(current, dict) else {}, value)
        else:
            merged[key] = value
    return merged
