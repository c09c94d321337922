"""A golden transcript: what is asked, and the whole of what comes of it, with ids and times by name.

A file holds ``about``, the ``requirements`` that it shows and ``steps``. A step asks one method (``ask``, ``params``),
after a crash where it says ``restart``; ``answer`` is the result or the error, ``news`` every notification that
followed. An id stands as ``<key n>``, after the key that it was first seen under; a step may use it from then on.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

ID = re.compile(r"^[0-9abcdefghjkmnpqrstvwxyz]{26}$")
TIME = re.compile(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")
REVISION = re.compile(r"^inv_[0-9a-f]{16}$")
STALE = "inv_0000000000000000"
SECRETS = ("context_token", "surface_token")
ALIASES = {"foreground": "instance_id", "focus_stack": "instance_id", "overlay_instance_id": "instance_id"}

Step = dict[str, Any]


class Names:
    """The names that ids have in one transcript."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._counts: Counter[str] = Counter()

    def name(self, value: Any, key: str = "") -> Any:
        """A value with every id, time and token in it by name."""
        if isinstance(value, dict):
            return {name: self.name(member, name) for name, member in value.items()}
        if isinstance(value, list):
            return [self.name(member, key) for member in value]
        if not isinstance(value, str):
            return value
        if TIME.match(value):
            return "<time>"
        if REVISION.match(value) and value != STALE:
            self._names.setdefault(value, "<inventory_revision>")
        elif value and (ID.match(value) or key in SECRETS):
            self._remember(value, ALIASES.get(key, key))
        return self._names.get(value, value)

    def value(self, named: Any) -> Any:
        """The value that a named one stands for now."""
        if isinstance(named, dict):
            return {name: self.value(member) for name, member in named.items()}
        if isinstance(named, list):
            return [self.value(member) for member in named]
        values = {name: value for value, name in self._names.items()}
        if isinstance(named, str) and re.match(r"^<[a-z_]+( \d+)?>$", named):
            assert named in values, f"{named} is not known yet; known are {sorted(values)}"
        return values.get(named, named) if isinstance(named, str) else named

    def knows(self, value: Any) -> bool:
        """Whether an id with a name is anywhere in it; the inventory's revision is everybody's."""
        text = json.dumps(value)
        return any(f'"{one}"' in text for one in self._names if not REVISION.match(one))

    def _remember(self, value: str, key: str) -> None:
        if value not in self._names:
            self._counts[key] += 1
            self._names[value] = f"<{key} {self._counts[key]}>"


def read(file: Path) -> dict[str, Any]:
    """A transcript."""
    transcript: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return transcript


def write(file: Path, transcript: dict[str, Any]) -> None:
    """Write a transcript as people read it."""
    file.write_text(json.dumps(transcript, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
