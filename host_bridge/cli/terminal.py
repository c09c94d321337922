"""Everything that the command prints goes through here: plain on a pipe, coloured on a terminal, safe on both."""

from __future__ import annotations

import os
import unicodedata
from typing import TextIO

COLOURS = {"title": "1;36", "good": "32", "bad": "1;31", "dim": "2", "ask": "1;33", "agent": "35", "app": "34"}
WHO_WIDTH = 9
BAR_WIDTH = 24
JOINERS = "\u200c\u200d"
"""Format characters that writing systems and emoji need."""


class Terminal:
    """Prints lines. Colours only on a TTY, and not where ``NO_COLOR`` is set."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self.interactive = stream.isatty()
        self._coloured = self.interactive and not os.environ.get("NO_COLOR")
        self._asking = ""
        self._unicode = (getattr(stream, "encoding", None) or "ascii").lower().replace("-", "") == "utf8"

    def title(self, text: str) -> None:
        """Print a heading after an empty line."""
        self._print("")
        self._print(text, "title")

    def line(self, text: str = "") -> None:
        """Print text as it is, line by line."""
        for one in text.splitlines() or [""]:
            self._print(one)

    def say(self, who: str, text: str, colour: str = "dim") -> None:
        """Print what somebody does, with a name before it."""
        first, *more = text.splitlines() or [""]
        self._print(f"  {self._paint(who.ljust(WHO_WIDTH), colour)} {printable(first)}", safe=True)
        for one in more:
            self._print(f"  {' ' * WHO_WIDTH} {one}")

    def good(self, text: str) -> None:
        """Print something that holds."""
        self._print(f"  {'✓' if self._unicode else 'ok'} {text}", "good")

    def bad(self, text: str) -> None:
        """Print something that does not hold, or went wrong."""
        first, *more = text.splitlines() or [""]
        self._print(f"  {'✗' if self._unicode else 'FAILED'} {first}", "bad")
        for one in more:
            self._print(f"    {one}")

    def ask(self, text: str) -> None:
        """Print what is asked for, and leave the cursor behind it until ``answered``."""
        self._asking = self._paint(printable(text), "ask") + " "
        self._write(self._asking)

    def answered(self, echo: str | None) -> None:
        """A line came in; ``echo`` is its text where no terminal has shown it."""
        self._asking = ""
        if echo is not None:
            self._write(printable(echo) + "\n")

    def withdraw(self) -> None:
        """Ask no more."""
        self._write(self._before())
        self._asking = ""

    def bar(self, percent: float) -> str:
        """A bar for a share of 100."""
        full = round(BAR_WIDTH * min(max(percent, 0), 100) / 100)
        done, rest = ("█", "░") if self._unicode else ("#", "-")
        return f"{done * full}{rest * (BAR_WIDTH - full)} {percent:g} %"

    def _paint(self, text: str, colour: str) -> str:
        return f"\x1b[{COLOURS[colour]}m{text}\x1b[0m" if self._coloured else text

    def _print(self, text: str, colour: str | None = None, *, safe: bool = False) -> None:
        text = text if safe else printable(text)
        text = self._paint(text, colour) if colour else text
        self._write(f"{self._before()}{text}\n{self._asking if self.interactive else ''}")

    def _before(self) -> str:
        """What takes a prompt that still waits out of the way."""
        if not self._asking:
            return ""
        return "\r\x1b[K" if self.interactive else "\n"

    def _write(self, text: str) -> None:
        encoding = getattr(self._stream, "encoding", None) or "ascii"
        self._stream.write(text.encode(encoding, "replace").decode(encoding))
        self._stream.flush()


def printable(text: str) -> str:
    """The text without control and direction characters: what an Agent or MiniApp says must not steer the terminal."""
    return "".join("\N{REPLACEMENT CHARACTER}" if _steers(one) else one for one in text.replace("\t", "    "))


def _steers(character: str) -> bool:
    return unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp") and character not in JOINERS
