"""The terminal: colours where they belong, and nothing that was said steers it."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from typing import TextIO

import pytest

from host_bridge.cli.terminal import Terminal, printable


class Tty(io.StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


@pytest.fixture
def tty() -> Tty:
    return Tty()


@pytest.fixture
def pipe() -> Iterator[tuple[TextIO, int]]:
    reading, writing = os.pipe()
    with os.fdopen(writing, "w", encoding="ascii") as stream:
        yield stream, reading
    os.close(reading)


def test_a_pipe_gets_plain_ascii_where_that_is_its_encoding(pipe: tuple[TextIO, int]) -> None:
    stream, reading = pipe
    terminal = Terminal(stream)
    terminal.good("done ✓")
    terminal.say("agent", terminal.bar(50))
    assert os.read(reading, 1000) == b"  ok done ?\n  agent     ############------------ 50 %\n"


def test_a_terminal_gets_colours(tty: Tty, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    Terminal(tty).good("done")
    assert tty.getvalue() == "\x1b[32m  ✓ done\x1b[0m\n"


def test_no_color_is_respected(tty: Tty, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    Terminal(tty).title("Title")
    assert tty.getvalue() == "\nTitle\n"


def test_what_is_said_cannot_steer_the_terminal() -> None:
    assert (
        printable("a\x1b[2Jb\x07\u202ec\td")
        == "a\N{REPLACEMENT CHARACTER}[2Jb" + "\N{REPLACEMENT CHARACTER}" * 2 + "c    d"
    )
    assert printable("👩\u200d💻 a\u200cb") == "👩\u200d💻 a\u200cb"


def test_a_line_that_comes_while_a_prompt_waits_stands_before_it(tty: Tty, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    terminal = Terminal(tty)
    terminal.ask("name:")
    terminal.line("news")
    terminal.answered(None)
    terminal.line("more")
    assert tty.getvalue() == "name: \r\x1b[Knews\nname: more\n"


def test_a_script_s_answer_is_echoed_behind_its_prompt() -> None:
    stream = io.StringIO()
    terminal = Terminal(stream)
    terminal.ask("name:")
    terminal.answered("Ada")
    assert stream.getvalue() == "name: Ada\n"


def test_more_lines_of_one_speaker_stand_under_the_first() -> None:
    stream = io.StringIO()
    Terminal(stream).say("user", "one\ntwo")
    assert stream.getvalue() == "  user      one\n            two\n"
