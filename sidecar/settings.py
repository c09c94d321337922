"""What the sidecar was started with."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

VERSION = "1.0.0"
"""The Runtime's own version, told by ``initialize`` and ``--version``."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The command line of a serving sidecar (PROTOCOL 9)."""

    database: str
    miniapps: tuple[Path, ...] = ()
    bundled: bool = True
    policy: dict[str, str] = field(default_factory=dict)
    test_clock_ms: int | None = None
    parent_pid: int | None = None
