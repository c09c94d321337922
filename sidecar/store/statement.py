"""A statement as the driver takes it: its text, and in which order it takes its parameters.

SQLAlchemy Core writes the text, from the tables, when the program is made (:mod:`sidecar.store.export`), not when it
runs: its import is half of a start and a third of the memory, and its own execution costs about as much as the commit
that it serves. Rows come back as named tuples of the statement's columns.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

NOTHING: Mapping[str, Any] = MappingProxyType({})

_named_tuple: Callable[..., Any] = namedtuple


class Statement:
    """One statement. ``order`` names its parameters as they follow each other, ``columns`` what its rows hold."""

    __slots__ = ("_make", "columns", "defaults", "order", "text")

    def __init__(
        self,
        text: str,
        order: tuple[str, ...] = (),
        columns: tuple[str, ...] = (),
        defaults: Mapping[str, Any] = NOTHING,
    ) -> None:
        self.text = text
        self.order = order
        self.columns = columns
        self.defaults = defaults
        self._make: Callable[[Iterable[Any]], Any] | None = None

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of what must be given."""
        return tuple(name for name in self.order if name not in self.defaults)

    def bind(self, params: Mapping[str, Any]) -> tuple[str, list[Any]]:
        """The driver's text and its parameters, in their order."""
        if self.defaults:
            params = {**self.defaults, **params}
        return self.text, [params[name] for name in self.order]

    def row(self, values: Iterable[Any]) -> Any:
        """A fetched row by its columns' names."""
        if self._make is None:
            self._make = _maker(self.columns)
        return self._make(values)

    def row_of(self, fields: Mapping[str, Any]) -> Any:
        """The row that was just written, as it would be fetched; a counting key, not known here, is None."""
        return self.row([fields.get(name) for name in self.columns])


@cache
def _maker(columns: tuple[str, ...]) -> Callable[[Iterable[Any]], Any]:
    make: Callable[[Iterable[Any]], Any] = _named_tuple("Row", columns, rename=True)._make
    return make
