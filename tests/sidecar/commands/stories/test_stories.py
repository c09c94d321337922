"""Every kind of story, whole: ``stories.txt`` is what a person reads, a heading for each id of the history."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sidecar.commands.stories.conftest import Tell

TEXT = Path(__file__).with_name("stories.txt").read_text(encoding="utf-8")
STORIES = {
    heading: [line for line in body.splitlines() if line]
    for heading, _, body in (block.partition("\n") for block in TEXT.split("\n# ")[1:])
}


BY_TIME_ALONE = {"conv-main", "conv-other"}
"""What is told from rows, so that what falls into one millisecond may stand either way round."""


@pytest.mark.parametrize("subject", [name for name in STORIES if name not in BY_TIME_ALONE])
def test_it_is_told_in_words_that_need_no_code(tell: Tell, subject: str) -> None:
    assert tell(subject) == STORIES[subject]


@pytest.mark.parametrize("subject", sorted(BY_TIME_ALONE))
def test_a_conversation_is_told_by_what_came_into_it_and_what_is_open(tell: Tell, subject: str) -> None:
    assert sorted(tell(subject)) == sorted(STORIES[subject])
