"""Make CSS text fit between ``<style>`` and ``</style>``, and find what no style element may fetch (PROTOCOL 10)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_PART: Final = re.compile(
    r"""/\*.*?\*/
      | "(?:[^"\\]|\\.)*" | '(?:[^'\\]|\\.)*'
      | (?P<import>@import\b)
      | (?P<set>\bimage-set\()
      | \burl\(\s*(?P<quote>["']?)(?P<address>(?:[^"'()\\]|\\.)*)""",
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)


def make_inline(text: str) -> str:
    """Spell a style sheet so that an HTML parser ends it where it ends: in CSS, too, an escaped slash is a slash."""
    return re.sub(r"<(?=/style)", r"<\\", text, flags=re.IGNORECASE)


def find_fetches(text: str) -> Iterator[tuple[int, str]]:
    """Yield line and reason for whatever a sheet would have to fetch, which its surface may not."""
    for match in _PART.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        address = match["address"]
        if match["import"]:
            yield line, "@import cannot be inlined: link the style sheet from the page"
        elif match["set"]:
            yield line, "image-set() cannot be inlined: use one url(data:…)"
        elif address is not None and not address.strip().lower().startswith(("data:", "#")) and address.strip():
            yield line, "url() may hold a data: address only"
