"""The board as an SVG: the same state gives the same bytes, on every machine.

Only elements and attributes named here are written, with numbers and checked colours as values; texts are escaped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

from miniapps.whiteboard.strokes import HEIGHT, WIDTH, Point, Stroke, hundredths

PRESSURE_LEVELS = 8
"""Pressure is drawn in steps, so that neighbours of like pressure make one path."""


def draw(title: str, strokes: Iterable[Stroke]) -> bytes:
    """The drawing, strokes in the order given."""
    name = escape(title)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">',
        f"<title>{name}</title>" if name else "",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        '<g fill="none" stroke-linecap="round" stroke-linejoin="round" font-family="sans-serif">',
    ]
    for stroke in strokes:
        parts += _text(stroke) if stroke.text else _line(stroke)
    return "\n".join([*filter(None, parts), "</g>", "</svg>", ""]).encode()


def paths(points: list[Point], width: float) -> Iterator[tuple[str, float]]:
    """The path data and width of each run of like pressure; curves pass through the middles between points."""
    start = points[0]
    run, level = f"M{_pair(start)}", None
    for here, (control, end) in enumerate(_curves(points), 1):
        pressure = points[here][2]
        now = None if pressure is None else int(pressure * PRESSURE_LEVELS + 0.5)
        if level is not None and now != level:
            yield run, _width(width, level)
            run = f"M{_pair(start)}"
        run += f"L{_pair(end)}" if control is None else f"Q{_pair(control)} {_pair(end)}"
        start, level = end, now
    yield run, _width(width, level)


def text_size(width: float) -> float:
    """The height of letters that go with a stroke's width."""
    return 10 + 6 * width


def number(value: float) -> str:
    """At most two decimals, no exponent, no negative zero."""
    text = f"{hundredths(value):.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def escape(text: str) -> str:
    """Text as it may stand between tags."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _curves(points: list[Point]) -> Iterator[tuple[Point | None, Point]]:
    for here, after in pairwise(points[1:]):
        yield here, ((here[0] + after[0]) / 2, (here[1] + after[1]) / 2, None)
    yield None, points[-1]


def _width(width: float, level: int | None) -> float:
    return width if level is None else width * (0.5 + level / PRESSURE_LEVELS)


def _line(stroke: Stroke) -> Iterator[str]:
    if len(stroke.points) == 1:
        x, y, _ = stroke.points[0]
        yield f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(stroke.width / 2)}" fill="{stroke.color}"/>'
        return
    for data, width in paths(stroke.points, stroke.width):
        yield f'<path d="{data}" stroke="{stroke.color}" stroke-width="{number(width)}"/>'


def _text(stroke: Stroke) -> Iterator[str]:
    x, y, _ = stroke.points[0]
    size = number(text_size(stroke.width))
    words = escape(stroke.text)
    yield f'<text x="{number(x)}" y="{number(y)}" font-size="{size}" fill="{stroke.color}">{words}</text>'


def _pair(point: Point) -> str:
    return f"{number(point[0])} {number(point[1])}"
