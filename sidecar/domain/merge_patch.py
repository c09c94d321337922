"""What a patch to a surface's state, and the state itself, may be (PROTOCOL 5)."""

from __future__ import annotations

from typing import Any

from rpc_schema import limits
from rpc_schema.json_text import JsonTextError, write_json
from sidecar.domain.refusal import Refusal

FORBIDDEN_KEYS = frozenset({"__proto__", "constructor", "prototype"})
"""Keys that would change the objects of a Host written in JavaScript."""


def check_patch(patch: object, *, is_state: bool = False) -> dict[str, Any]:
    """The patch, if it is sound and as small as a patch must be, or a state where it is a whole one.

    Raises:
        Refusal: ``surface_patch_invalid`` for a non-object, a forbidden key, too deep or too large a value.
    """
    if not isinstance(patch, dict):
        raise Refusal("surface_patch_invalid", "The patch must be a JSON object.", path="")
    _check_keys(patch, "", 1)
    if is_state:
        _check_size(patch, limits.MAX_STATE, "state")
    else:
        _check_size(patch, limits.MAX_PATCH, "patch")
    return patch


def check_state(state: dict[str, Any]) -> str:
    """The state's JSON text, if it fits.

    Raises:
        Refusal: ``surface_patch_invalid`` where the state would be over 1 MiB.
    """
    return _check_size(state, limits.MAX_STATE, "state").decode()


def _check_keys(value: dict[str, Any] | list[Any], path: str, depth: int) -> None:
    if depth > limits.MAX_PATCH_DEPTH:
        message = f"The patch nests deeper than {limits.MAX_PATCH_DEPTH} levels: make it flatter."
        bound = limits.MAX_PATCH_DEPTH
        raise Refusal("surface_patch_invalid", message, limit="patch_depth", bound=bound, actual=depth)
    if isinstance(value, dict):
        for key, member in value.items():
            if key in FORBIDDEN_KEYS:
                raise Refusal("surface_patch_invalid", f"The key {key} is not allowed in a state.", path=path)
            if isinstance(member, dict | list):
                _check_keys(member, f"{path}.{key[:40]}" if path else key[:40], depth + 1)
    else:
        for member in value:
            if isinstance(member, dict | list):
                _check_keys(member, path, depth + 1)


def _check_size(value: object, bound: int, noun: str) -> bytes:
    try:
        text = write_json(value)
    except JsonTextError as error:
        raise Refusal("surface_patch_invalid", str(error)) from None
    if len(text) > bound:
        message = f"The {noun} would have {len(text)} bytes; at most {bound} are kept: send less, or null what is old."
        raise Refusal("surface_patch_invalid", message, limit=f"{noun}_bytes", bound=bound, actual=len(text))
    return text
