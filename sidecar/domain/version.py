"""Precedence of semantic versions (SemVer 2.0.0, section 11)."""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=256)
def is_newer(version: str, than: str) -> bool:
    """Whether the first has precedence over the second; nothing is newer than an unknown (empty) one."""
    return bool(than) and _precedence(version) > _precedence(than)


def _precedence(version: str) -> tuple[tuple[int, ...], bool, tuple[tuple[bool, int, str], ...]]:
    core, _, pre = version.partition("+")[0].partition("-")
    numbers = tuple(int(part) for part in core.split("."))
    parts = pre.split(".") if pre else []
    return numbers, not parts, tuple((not p.isdigit(), int(p) if p.isdigit() else 0, p) for p in parts)
