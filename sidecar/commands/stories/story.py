"""A story: what a thing is, what happened to it in order, and where it stands now; and how that is written down."""

from __future__ import annotations

import textwrap
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import accumulate

from sidecar.commands.stories.text import plain, sentence, when

_WIDTH = 110
_INDENT = "  "
_FIRST, _LAST = 20, 60


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened at a time (milliseconds); ``seq`` numbers it, where an audit entry tells of it.

    Neighbours that ``repeat`` the same are told as one.
    """

    at: int
    text: str
    seq: int | None = None
    repeat: str = ""


@dataclass(slots=True)
class Story:
    """What is told of one thing."""

    title: str
    about: list[str] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    now: list[str] = field(default_factory=list)

    def lines(self) -> Iterator[str]:
        """The story as lines of text, none of which can steer a terminal."""
        yield from _wrapped(self.title, "", "    ")
        for text in self.about:
            yield from _wrapped(sentence(text), _INDENT, _INDENT * 2)
        if self.events:
            yield ""
        for event in _abridged(_merged(_ordered(self.events))):
            at = when(event.at) if event.at else " " * len(when(0))
            yield from _wrapped(sentence(event.text), f"{_INDENT}{at}  ", " " * (len(at) + 4))
        yield ""
        for number, text in enumerate(self.now):
            yield from _wrapped(sentence(text), f"{_INDENT}Now: " if number == 0 else " " * 7, " " * 9)


def _ordered(events: list[Event]) -> list[Event]:
    """By number, since a clock may step back; what has none comes after all that had happened by its time."""
    told = sorted((event for event in events if event.seq is not None), key=lambda event: event.seq or 0)
    least_since = list(accumulate((event.at for event in reversed(told)), min))[::-1]
    places: defaultdict[int, list[Event]] = defaultdict(list)
    for event in sorted((event for event in events if event.seq is None), key=lambda event: event.at):
        places[bisect_right(least_since, event.at)].append(event)
    numbered = [[], *([event] for event in told)]
    return [event for place, here in enumerate(numbered) for event in (*here, *places[place])]


def _merged(events: Iterable[Event]) -> list[Event]:
    told: list[Event] = []
    count, since = 1, 0
    for event in events:
        if told and event.repeat and event.repeat == told[-1].repeat:
            count += 1
            told[-1] = replace(event, text=f"{event.text} ({count} times since {when(since)})")
        else:
            count, since = 1, event.at
            told.append(event)
    return told


def _abridged(events: list[Event]) -> list[Event]:
    left_out = len(events) - _FIRST - _LAST
    if left_out <= 1:
        return events
    gap = Event(0, f"… {left_out} more are left out here …")
    return [*events[:_FIRST], gap, *events[-_LAST:]]


def _wrapped(text: str, first: str, rest: str) -> list[str]:
    return textwrap.wrap(
        plain(text),
        _WIDTH,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )
