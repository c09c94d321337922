"""The board's rules: which call may put it up, what it hands in, how a denial reads."""

from __future__ import annotations

from typing import Any

import pytest

from miniapps.whiteboard import board
from rpc_schema.json_text import write_json
from rpc_schema.limits import MAX_PATCH
from rpc_schema.merge_patch import merge

LINE = {"points": [[0, 0], [10.123, 10]], "color": "#FF0000", "width": 2}


def opened(state: dict[str, Any], call_id: str, board_id: str = "b", **more: Any) -> dict[str, Any]:
    for patch in board.open_board(state, {"board_id": board_id, "title": board_id.upper(), **more}, call_id):
        assert len(write_json(patch)) <= MAX_PATCH
        state = merge(state, patch)
    return state


def fault(state: dict[str, Any], call_id: str, board_id: str, **more: Any) -> str:
    with pytest.raises(board.BoardError) as caught:
        opened(state, call_id, board_id, **more)
    return caught.value.code


def test_a_board_begins_under_the_title_of_the_call_that_waits() -> None:
    assert board.first_state([]) == {"title": "Whiteboard", "strokes": {}}
    assert board.first_state(["Plan", "Other"])["title"] == "Plan"


def test_a_call_puts_its_board_up_with_the_strokes_that_it_brings() -> None:
    state = opened(board.first_state([]), "c-1", strokes=[LINE, {"points": []}, {"points": [[5, 5]]}])
    assert state == {
        "title": "B",
        "board_id": "b",
        "call_id": "c-1",
        "strokes": {
            "call:c-1:0": {"points": [[0, 0], [10.12, 10]], "color": "#ff0000", "width": 2, "order": 1},
            "call:c-1:2": {"points": [[5, 5]], "color": "#1c2430", "width": 4, "order": 3},
        },
    }


def test_the_same_call_changes_nothing_and_another_has_to_wait() -> None:
    state = opened(board.first_state([]), "c-1")
    assert board.open_board(state, {"board_id": "b", "title": "Other"}, "c-1") == []
    assert fault(state, "c-2", "b") == "board_exists"
    assert fault(state, "c-2", "x") == "board_busy"


def test_a_known_board_goes_on_and_another_begins_blank() -> None:
    state = merge(opened(board.first_state([]), "c-1"), {"strokes": {"s": LINE}, "call_id": None, "notice": "old"})
    again = opened(state, "c-2", strokes=[LINE])
    assert list(again["strokes"]) == ["s", "call:c-2:0"]
    assert "notice" not in again
    other = opened(state, "c-3", "x", strokes=[LINE])
    assert list(other["strokes"]) == ["call:c-3:0"]
    assert opened(state, "c-4", "y")["strokes"] == {}


def test_what_the_user_began_without_a_name_is_kept_under_the_name() -> None:
    state = merge(board.first_state([]), {"strokes": {"s": LINE}})
    assert list(opened(state, "c-1")["strokes"]) == ["s"]


def test_a_call_that_was_cut_short_can_begin_anew() -> None:
    state = opened(board.first_state([]), "c-1", "x", strokes=[LINE])
    state = merge(state, {"call_id": None})
    given = {"board_id": "b", "title": "B", "strokes": [LINE, LINE]}
    patches = board.open_board(state, given, "c-2")
    for cut in range(len(patches)):
        half = state
        for patch in patches[:cut]:
            half = merge(half, patch)
        assert opened(half, "c-2", strokes=given["strokes"]) == opened(state, "c-2", strokes=given["strokes"])


def test_many_strokes_come_in_patches_of_a_bearable_size_and_too_many_not_at_all() -> None:
    def drawing(count: int) -> list[Any]:
        return [{"points": [[n + 0.12, n + 0.34, 0.56] for n in range(400)]} for _ in range(count)]

    assert len(opened(board.first_state([]), "c-1", strokes=drawing(80))["strokes"]) == 80
    assert fault(board.first_state([]), "c-1", "b", strokes=drawing(200)) == "board_full"


def test_only_the_board_that_is_up_can_be_taken() -> None:
    state = opened(board.first_state([]), "c-1")
    board.require(state, "b")
    for other in (board.first_state([]), opened(board.first_state([]), "c-1", "x")):
        with pytest.raises(board.BoardError) as caught:
            board.require(other, "b")
        assert caught.value.code == "board_unknown"


def test_the_summary_counts_lines_and_tells_texts() -> None:
    state = merge(board.first_state(["T"]), {"strokes": {"a": LINE, "b": {"points": [[1, 1]], "text": "hi"}, "c": 7}})
    assert board.summary(state) == {"title": "T", "strokes": 1, "texts": ["hi"]}
    assert board.summary({"title": 7}) == {"title": "Whiteboard", "strokes": 0, "texts": []}


def test_a_drawing_over_the_limit_is_refused_before_it_is_handed_in() -> None:
    zigzag = [[x % 1600 + 0.37, x % 997 + 0.73, x % 2] for x in range(5_000)]
    state = {"title": "T", "strokes": {str(n): {"points": zigzag} for n in range(14)}}
    with pytest.raises(board.BoardError) as caught:
        board.picture(state)
    assert caught.value.code == "drawing_too_large"


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("My plan: A/B", "My-plan--A-B.svg"),
        ("../..", "board.svg"),
        ("漢字", "漢字.svg"),
        ("x" * 300, f"{'x' * 100}.svg"),
    ],
)
def test_a_file_name_holds_no_path(title: str, name: str) -> None:
    assert board.file_name({"title": title}) == name


def test_a_copy_carries_the_picture_unless_it_is_too_much() -> None:
    assert board.clipboard_arguments(b"<svg/>") == {"media_type": "image/svg+xml", "text": "<svg/>"}
    assert board.clipboard_arguments(b"<" * 70_000) is None


@pytest.mark.parametrize(
    ("language", "reason"),
    [(None, "You asked to copy the drawing."), ("zh-CN", "你要求复制这幅画。"), ([], "You asked")],
)
def test_the_clipboard_is_asked_for_in_the_language_of_the_view(language: Any, reason: str) -> None:
    assert board.copy_reason({"language": language}).startswith(reason)
