"""Canonical JSON (RFC 8785), for what is hashed or compared."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import rfc8785


def canonical(value: Any) -> bytes:
    """The canonical bytes of a JSON value: equal values have equal bytes, and no others.

    RFC 8785 knows no integers beyond 2**53; a value that holds one is written with exact digits instead.
    """
    try:
        return rfc8785.dumps(value)
    except rfc8785.IntegerDomainError:
        return json.dumps(_folded(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def digest(value: Any) -> str:
    """SHA-256 of the canonical bytes, in hex."""
    return hashlib.sha256(canonical(value)).hexdigest()


def _folded(value: Any) -> Any:
    """With whole floats as integers, so that ``1.0`` and ``1`` are the same number here as well."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {key: _folded(member) for key, member in value.items()}
    if isinstance(value, list):
        return [_folded(member) for member in value]
    return value
