"""Read a surface's HTML page and put its scripts and style sheets into it (PROTOCOL 10).

The page stays as it was written but for the elements that are inlined. Where the standard library's parser and a
browser could disagree about what is a tag, the page is refused: both must see the same scripts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from html.parser import HTMLParser
from itertools import accumulate
from typing import Final, NamedTuple

from sidecar.bundles import markup, script_text, style_text
from sidecar.bundles.files import FileError
from sidecar.bundles.script_text import ScriptTextError
from sidecar.domain.tool_schema import Fault
from sidecar.domain.tool_schema_value import shorten

_TEXT_ONLY: Final = ("script", "style", "title", "textarea")
_FOREIGN: Final = ("svg", "math")
_MARKUP: Final = re.compile(r"<[a-zA-Z/!?]")
_UNREADABLE: Final = "there is a tag here that cannot be read: mend it, or write &lt; for < and &amp; for &"

Load = Callable[[str], tuple[str, str]]
"""Take a relative address and give the file's path in the bundle and its text, or raise FileError."""


class Page(NamedTuple):
    """An inlined page: its HTML, and the texts of its scripts and style sheets as browsers hash them."""

    html: str
    scripts: list[str]
    styles: list[str]
    faults: list[Fault]


def inline_page(source: str, path: str, load: Load) -> Page:
    """Inline what the page at ``path`` names; its faults are listed beside what came of it."""
    reader = _Reader(source, path, load)
    try:
        reader.feed(source)
        reader.close()
    except AssertionError:  # how the standard library's parser reports a marked section that it does not know
        reader.fail("there is markup here that is no HTML")
    return Page(reader.edited(), reader.scripts, reader.styles, reader.faults)


class _Element(NamedTuple):
    tag: str
    attributes: dict[str, str | None]
    start: int
    body: int


class _Reader(HTMLParser):
    """Notes what to replace in the source; the parser's events come in the order of the text."""

    def __init__(self, source: str, path: str, load: Load) -> None:
        super().__init__(convert_charrefs=False)
        self.scripts: list[str] = []
        self.styles: list[str] = []
        self.faults: list[Fault] = []
        self._source, self._path, self._load = source, path, load
        self._lines = [0, *accumulate(len(line) + 1 for line in source.split("\n"))]
        self._edits: list[tuple[int, int, str]] = []
        self._deferred: list[str] = []
        self._end = len(source)
        self._open: _Element | None = None  # one of _TEXT_ONLY
        self._foreign = 0

    def edited(self) -> str:
        """The source with all replacements."""
        edits = sorted([*self._edits, (self._end, self._end, "".join(self._deferred))])
        pieces, position = [], 0
        for start, end, text in edits:
            pieces += [self._source[position:start], text]
            position = end
        return "".join([*pieces, self._source[position:]])

    def fail(self, message: str) -> None:
        """Note a fault at the place that the parser has reached."""
        self.faults.append(Fault(self._path, f"line {self.getpos()[0]}: {message}"))

    def _fail_all(self, messages: Iterable[str]) -> None:
        for message in messages:
            self.fail(message)

    def close(self) -> None:
        super().close()
        if self._open:
            self.fail(f"<{self._open.tag}> is never closed")
        elif _MARKUP.search(self._source, self._source.rfind(">") + 1):
            self.fail(_UNREADABLE)

    # -- the parser's events

    def handle_starttag(self, tag: str, attrs: markup.Attributes) -> None:
        if self._open:  # the tag of a text that should hold none; the text is refused at its end
            return
        self._fail_all(markup.find_faults(tag, attrs))
        start = self._position()
        element = _Element(tag, dict(attrs), start, start + len(self.get_starttag_text() or ""))
        if tag in _TEXT_ONLY:
            self._open = element
            if self._foreign:
                self.fail(f"<{tag}> inside <svg> or <math> is read otherwise there: move it out")
        elif tag == "link" and not markup.is_data_icon(element.attributes):
            self._inline_style(element)
        elif tag in _FOREIGN:
            self._foreign += 1

    def handle_startendtag(self, tag: str, attrs: markup.Attributes) -> None:
        if tag in _TEXT_ONLY:
            self.fail(f"<{tag}> cannot close itself: write </{tag}>")
            return
        self.handle_starttag(tag, attrs)
        if tag in _FOREIGN:
            self._foreign -= 1

    def handle_endtag(self, tag: str) -> None:
        if self._open and tag == self._open.tag:
            self._finish(self._open, self._position())
            self._open = None
        elif tag in _FOREIGN:
            self._foreign = max(0, self._foreign - 1)
        elif tag == "body":
            self._end = self._position()

    def handle_data(self, data: str) -> None:
        start = self._position()
        seen = _MARKUP.search(self._source, start, start + len(data) + 1)
        if seen and not self._open:
            self.fail(_UNREADABLE)

    def handle_comment(self, data: str) -> None:
        start = self._position()
        plain = self._source.startswith(f"<!--{data}-->", start)
        if not plain or "--" in data or data.startswith((">", "->")):
            self.fail("a comment is written <!-- so -->, without -- or a leading > inside: parsers differ on others")

    def handle_pi(self, data: str) -> None:
        self.fail("<? is no HTML: remove it")

    def unknown_decl(self, data: str) -> None:
        self.fail("<![ is no HTML: remove it")

    # -- what is inlined

    def _position(self) -> int:
        line, column = self.getpos()
        return self._lines[line - 1] + column

    def _finish(self, element: _Element, end: int) -> None:
        """Take an element whose text ends at ``end``, if every parser sees it end there."""
        body, closing = self._source[element.body : end], f"</{element.tag}"
        ending = re.compile(rf"{closing}\s*>", re.IGNORECASE).match(self._source, end)
        if ending is None or closing in body.lower() or ("<!--" in body and "<script" in body.lower()):
            self.fail(f"where this <{element.tag}> ends is unclear: spell {closing} and <!-- in it otherwise")
        elif element.tag == "script":
            self._finish_script(element, body, ending.end())
        elif element.tag == "style":
            self._take_style(self._path, body, above=self._source.count("\n", 0, element.body))
        elif _MARKUP.search(body):
            self.fail(f"what looks like a tag in <{element.tag}> is text to a browser: write &lt; for <")

    def _finish_script(self, element: _Element, body: str, end: int) -> None:
        attributes, kind = element.attributes, markup.script_kind(element.attributes)
        self._fail_all(markup.find_script_faults(attributes))
        if "src" not in attributes:
            self._take_script(kind, self._path, body, above=self._source.count("\n", 0, element.body))
            return
        if body.strip():
            self.fail("a <script> has both src and text: browsers ignore the text")
        path, text = self._fetch(attributes["src"])
        try:
            text = script_text.make_inline(text)
        except ScriptTextError as error:
            self.faults.append(Fault(path, f"line {error.line}: {error}"))
        self._take_script(kind, path, text)
        type_ = ' type="module"' if kind == "module" else ""
        inlined = f"<script{type_}{markup.kept_attributes(attributes)}>{text}</script>"
        if kind == "classic" and attributes.keys() & {"defer", "async"}:
            self._deferred.append(inlined)
            inlined = ""
        self._edits.append((element.start, end, inlined))

    def _take_script(self, kind: str, path: str, text: str, above: int = 0) -> None:
        if kind == "data":
            return
        self.scripts.append(text)
        line = script_text.find_import(text) if kind == "module" else None
        if line:
            self.faults.append(
                Fault(path, f"line {above + line}: a module of a surface stands alone: bundle its imports")
            )

    def _inline_style(self, element: _Element) -> None:
        self._fail_all(markup.find_link_faults(element.attributes))
        path, text = self._fetch(element.attributes.get("href"))
        text = style_text.make_inline(text)
        self._take_style(path, text)
        kept = markup.kept_attributes(element.attributes)
        self._edits.append((element.start, element.body, f"<style{kept}>{text}</style>"))

    def _take_style(self, path: str, text: str, above: int = 0) -> None:
        self.styles.append(text)
        for line, message in style_text.find_fetches(text):
            self.faults.append(Fault(path, f"line {above + line}: {message}"))

    def _fetch(self, address: str | None) -> tuple[str, str]:
        try:
            return self._load((address or "").strip())
        except FileError as error:
            self.fail(f'"{shorten(address)}" {error}')
            return self._path, ""
