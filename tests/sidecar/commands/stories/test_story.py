"""How a story is written down: in order, neighbours that repeat as one, a long one abridged."""

from __future__ import annotations

from sidecar.commands.stories.story import Event, Story
from sidecar.commands.stories.text import sentence, shorten


def told(events: list[Event]) -> list[str]:
    """The events as they are written, without their times."""
    lines = list(Story("A thing", [], events, ["it is there"]).lines())
    return [line.strip()[25:] for line in lines if line.startswith("  1970")]


def test_a_story_has_a_title_what_it_is_about_what_happened_and_how_it_stands() -> None:
    story = Story("A thing", ["it is new"], [Event(61_000, "it came")], ["it is there", "it waits"])
    assert list(story.lines()) == [
        "A thing",
        "  It is new.",
        "",
        "  1970-01-01 00:01:01.000  It came.",
        "",
        "  Now: It is there.",
        "       It waits.",
    ]


def test_numbered_events_keep_their_order_although_the_clock_stepped_back() -> None:
    events = [Event(9_000, "first", 1), Event(3_000, "third", 3), Event(8_000, "second", 2)]
    assert told(events) == ["First.", "Second.", "Third."]


def test_an_event_without_a_number_comes_after_what_had_happened_by_its_time() -> None:
    events = [Event(2_000, "acked"), Event(1_000, "made", 1), Event(2_000, "done", 2), Event(3_000, "closed", 3)]
    assert told(events) == ["Made.", "Done.", "Acked.", "Closed."]
    assert told([Event(1_000, "early"), Event(2_000, "late", 7)]) == ["Early.", "Late."]


def test_neighbours_that_repeat_are_told_as_one_with_their_last_words() -> None:
    events = [Event(number * 1_000, f"drawn {number}", number, "draw") for number in range(1, 4)]
    events += [Event(4_000, "paused", 4), Event(5_000, "drawn 5", 5, "draw")]
    assert told(events) == ["Drawn 3 (3 times since 1970-01-01 00:00:01.000).", "Paused.", "Drawn 5."]


def test_a_long_story_keeps_its_beginning_and_its_end() -> None:
    lines = list(Story("A thing", [], [Event(number, f"event {number}", number) for number in range(1, 1_001)]).lines())
    kept = [line for line in lines if "vent" in line]
    assert len(kept) == 80
    assert "Event 1." in kept[0]
    assert "Event 1000." in kept[-1]
    assert "… 920 more are left out here …" in "\n".join(lines)


def test_long_lines_are_wrapped_and_long_words_are_left_whole() -> None:
    lines = list(Story("A thing", [f"{'word ' * 40}{'x' * 200}"]).lines())
    assert [len(line) <= 110 for line in lines if "x" * 200 not in line] == [True] * (len(lines) - 1)


def test_texts_are_shortened_and_ended() -> None:
    assert shorten("abcdef", 3) == "abc… (6 characters)"
    assert [sentence(text) for text in ("it is", "is it?", "[code]")] == ["It is.", "Is it?", "[code]"]
