"""Strokes as they may be drawn: what comes from a view or an Agent is bounded here before it is used.

The board measures 1600 by 1000. A stroke has ``points`` [[x, y] or [x, y, pressure 0 to 1]], ``color`` (#rrggbb),
``width``, ``order`` (later ones lie above) and, for text, ``text``, whose baseline begins at the first point.
surface/strokes.js follows the same rules.
"""

from __future__ import annotations

import math
from typing import Any

WIDTH, HEIGHT = 1600, 1000
MAX_POINTS = 5_000
MAX_TEXT = 200
MIN_WIDTH, MAX_WIDTH = 0.5, 64.0
INK = "#1c2430"
DEFAULT_WIDTH = 4.0
HEX = frozenset("0123456789abcdef")

Point = tuple[float, float, float | None]


class Stroke:
    """A stroke whose every value is safe to write."""

    __slots__ = ("color", "order", "points", "text", "width")

    def __init__(self, points: list[Point], color: str, width: float, order: float, text: str) -> None:
        self.points, self.color, self.width, self.order, self.text = points, color, width, order, text


def clean(raw: object) -> Stroke | None:
    """The stroke that is meant, or None where there is no point to draw at."""
    if not isinstance(raw, dict) or not isinstance(raw.get("points"), list):
        return None
    points = [point for given in raw["points"][:MAX_POINTS] if (point := _point(given)) is not None]
    if not points:
        return None
    width = _number(raw.get("width"), DEFAULT_WIDTH, MIN_WIDTH, MAX_WIDTH)
    order = _number(raw.get("order"), 0, 0, 2**53)
    return Stroke(points, _color(raw.get("color")), width, order, clean_text(raw.get("text"), MAX_TEXT))


def in_order(strokes: object) -> list[Stroke]:
    """The strokes of a state from the lowest to the topmost; what cannot be drawn is left out."""
    if not isinstance(strokes, dict):
        return []
    cleaned = [(stroke.order, id_, stroke) for id_, raw in strokes.items() if (stroke := clean(raw)) is not None]
    return [stroke for _, _, stroke in sorted(cleaned, key=lambda item: item[:2])]


def to_state(stroke: Stroke) -> dict[str, Any]:
    """The stroke as it is kept, with coordinates rounded to hundredths."""
    points = [[_plain(value) for value in point if value is not None] for point in stroke.points]
    kept = {
        "points": points,
        "color": stroke.color,
        "width": _plain(stroke.width),
        "order": _plain(stroke.order),
    }
    return {**kept, "text": stroke.text} if stroke.text else kept


def hundredths(value: float) -> float:
    """Rounded half up, as the view does."""
    return math.floor(value * 100 + 0.5) / 100


def clean_text(value: object, longest: int) -> str:
    """One line of text, without the characters that XML cannot hold."""
    if not isinstance(value, str):
        return ""
    line = "".join(" " if character in "\t\n\r" else character for character in value[:longest])
    return "".join(c for c in line if c >= " " and not "\x7f" <= c <= "\x9f" and c not in "\ufffe\uffff").strip()


def _point(given: object) -> Point | None:
    if not isinstance(given, list) or len(given) < 2 or not all(_is_number(value) for value in given[:3]):
        return None
    pressure = min(max(float(given[2]), 0.0), 1.0) if len(given) > 2 else None
    return min(max(float(given[0]), 0.0), float(WIDTH)), min(max(float(given[1]), 0.0), float(HEIGHT)), pressure


def _number(value: Any, default: float, lowest: float, highest: float) -> float:
    return float(min(max(value, lowest), highest)) if _is_number(value) else default


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _color(value: object) -> str:
    if isinstance(value, str) and len(value) == 7 and value[0] == "#" and set(value[1:].lower()) <= HEX:
        return value.lower()
    return INK


def _plain(value: float) -> float:
    kept = hundredths(value)
    return int(kept) if kept == int(kept) else kept
