"""Words on a line: whatever Agents, MiniApps and people wrote is shortened, and can never steer a terminal."""

from __future__ import annotations

import json
from typing import Any

from sidecar.clock import timestamp

_LONGEST = 120


def plain(line: str) -> str:
    """A line in which every character that does not print is written out as an escape."""
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in line)


def quote(text: str, longest: int = _LONGEST) -> str:
    """Somebody's words, in quotes."""
    return f"“{shorten(text, longest)}”"


def shorten(text: str, longest: int = _LONGEST) -> str:
    """The beginning of a text, and how much is left out."""
    return text if len(text) <= longest else f"{text[:longest]}… ({len(text)} characters)"


def show_json(text: str | None) -> str:
    """A stored JSON value on one line, readable."""
    return shorten(json.dumps(json.loads(text or "null"), ensure_ascii=False))


def show_value(value: Any) -> str:
    """A JSON value on one line, readable."""
    return shorten(json.dumps(value, ensure_ascii=False))


def when(ms: int) -> str:
    """A time as a person reads it."""
    return timestamp(ms).replace("T", " ").rstrip("Z")


def sentence(text: str) -> str:
    """With a capital and, where nothing ends it, a full stop."""
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?", ":", "]", "…")) else f"{text}."
