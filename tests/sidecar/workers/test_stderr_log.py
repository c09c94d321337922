"""What a worker prints, as log lines."""

import pytest

from sidecar.workers.stderr_log import BYTES_PER_SECOND, LINES_PER_SECOND, MAX_LINE_BYTES, StderrLog, show


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def log(clock, caplog):
    caplog.set_level("INFO", "sidecar.workers")
    return StderrLog("one", clock)


def test_lines_are_logged_with_the_instance_however_they_are_cut(log, caplog):
    for piece in (b"first li", b"ne\nsec", b"ond\n\n  \nlast"):
        assert log.feed(piece) == 0
    log.end()
    assert caplog.messages == ["one: first line", "one: second", "one: last"]


def test_lines_past_the_rate_are_dropped_and_counted(log, clock, caplog):
    log.feed(b"line\n" * (LINES_PER_SECOND + 7))
    clock.now += 1
    log.feed(b"again\n")
    assert caplog.messages[LINES_PER_SECOND - 1 :] == [
        "one: line",
        f"one: 7 lines dropped: more than {LINES_PER_SECOND} a second",
        "one: again",
    ]


def test_lines_dropped_at_the_end_are_counted_too(log, caplog):
    log.feed(b"line\n" * (LINES_PER_SECOND + 7))
    log.end()
    assert caplog.messages[-1] == f"one: 7 lines dropped: more than {LINES_PER_SECOND} a second"


def test_past_the_byte_rate_the_rest_of_the_second_is_not_read(log, clock):
    assert log.feed(b"x" * (BYTES_PER_SECOND - 1)) == 0
    clock.now += 0.25
    assert log.feed(b"x") == pytest.approx(0.75)
    clock.now += 0.75
    assert log.feed(b"x") == 0


def test_a_line_without_end_takes_no_more_memory_than_is_shown(log, caplog):
    for _ in range(1000):
        log.feed(b"y" * 10_000)
        assert len(log._rest) <= MAX_LINE_BYTES + 1
    log.feed(b"\n")
    assert caplog.messages == ["one: " + "y" * MAX_LINE_BYTES + " …"]


@pytest.mark.parametrize(
    ("printed", "shown"),
    [
        ("漢😀 tab\there".encode(), "漢😀 tab  here"),
        (b"\x1b[31mred\r12:00 ERROR forged", r"\x1b[31mred\r12:00 ERROR forged"),
        (b"bad \xff byte", r"bad \xff byte"),
        ("line\u2028separator".encode(), r"line\u2028separator"),
        (b"windows\r", "windows"),
    ],
)
def test_no_line_forges_another_or_steers_a_terminal(printed, shown):
    assert show(printed) == shown
