"""What a run asks and answers: requests, answers and patches, sound and not."""

from __future__ import annotations

from typing import Any

REQUESTS: dict[str, dict[str, Any]] = {
    "notice": {"title": "T", "message": "M"},
    "choice": {
        "title": "T",
        "prompt": "P",
        "mode": "single-choice",
        "actions": [{"id": "a", "label": "A"}, {"id": "b", "label": "B"}],
    },
    "confirm": {"title": "T", "prompt": "P"},
    "input": {"title": "T", "prompt": "P", "fields": [{"id": "f", "label": "F", "type": "text"}]},
}
ANSWERS: dict[str, dict[str, Any]] = {
    "notice": {"acknowledged": True},
    "choice": {"action_ids": ["b"]},
    "confirm": {"approved": True},
    "input": {"values": {"f": "x"}},
}
PATCHES: list[Any] = [{"a": 1}, {"a": None}, {"b": {"c": 2}}, {"b": {"d": None}}, {"b": [1]}, {}, {"__proto__": {}}, 7]


def request(kind: str, minutes: int | None, *, sound: bool) -> dict[str, Any]:
    """A question without its kind; with an expiry, where such a question takes one."""
    timed = {} if minutes is None or kind == "notice" else {"expires_in_ms": minutes * 60_000}
    return {**REQUESTS[kind], **timed, **({} if sound else {"title": ""})}


def answer(kind: str, *, sound: bool) -> dict[str, Any]:
    """An answer to such a question."""
    return ANSWERS[kind] if sound else {"nonsense": 1}
