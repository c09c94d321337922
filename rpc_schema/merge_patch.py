"""JSON Merge Patch (RFC 7396): what a patch to a surface's state means, to both ends (PROTOCOL 5)."""

from __future__ import annotations

from typing import Any


def merge(target: Any, patch: Any) -> Any:
    """The target as the patch wants it: null removes a member, an object merges, anything else replaces.

    Neither argument is changed.
    """
    if not isinstance(patch, dict):
        return patch
    merged = dict(target) if isinstance(target, dict) else {}
    for key, value in patch.items():
        if value is None:
            merged.pop(key, None)
        else:
            merged[key] = merge(merged.get(key), value)
    return merged
