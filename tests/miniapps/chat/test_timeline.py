"""The timeline: entries, outcomes in words, and what is dropped when there is no room."""

from __future__ import annotations

from typing import Any

import pytest

from miniapps.chat import timeline
from rpc_schema.json_text import write_json
from rpc_schema.limits import MAX_PATCH, MAX_STATE
from rpc_schema.merge_patch import merge

AT = "2026-08-05T10:00:00.000Z"


def at(second: int) -> str:
    return f"2026-08-05T{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}.000Z"


def added(state: dict[str, Any], id_: str, entry: dict[str, Any]) -> dict[str, Any]:
    for patch in timeline.add(state, id_, entry):
        assert len(write_json(patch)) <= MAX_PATCH
        state = merge(state, patch)
        assert len(write_json(state)) <= MAX_STATE
    return state


def record(kind: str, request: dict[str, Any], status: str = "completed", **more: Any) -> dict[str, Any]:
    base = {"interaction_id": "q-1", "kind": kind, "status": status, "result": None, "reason": None, "created_at": AT}
    return {**base, "request": {"kind": kind, "title": "Sure?", **request}, **more}


CONFIRM = {"prompt": "Delete it?"}
CHOICE = {
    "prompt": "Which?",
    "mode": "multi-choice",
    "actions": [{"id": "a", "label": "Apple"}, {"id": "b", "label": "Pear"}],
}
INPUT = {
    "prompt": "Who?",
    "fields": [{"id": "n", "label": "Name", "type": "text"}, {"id": "y", "label": "Year", "type": "number"}],
}


def test_messages_keep_their_text_as_text() -> None:
    assert timeline.agent_message("**hello** <b>", "markdown", AT) == {
        "kind": "message",
        "at": AT,
        "from": "agent",
        "format": "markdown",
        "text": "**hello** <b>",
    }
    assert timeline.user_message("hi", AT)["status"] == "sending"


@pytest.mark.parametrize("text", [None, 7, "", "  \n", ["hi"]])
def test_what_is_no_text_cannot_be_sent(text: object) -> None:
    assert timeline.text_fault(text) == ("no_text", "There is no text to send.")


def test_a_text_is_sent_up_to_32000_characters() -> None:
    assert timeline.text_fault("\U0001f600" * 32_000) is None
    reason = "The text has 32001 characters; at most 32000 can be sent at once."
    assert timeline.text_fault("x" * 32_001) == ("text_too_long", reason)


def test_only_im_can_be_entered_and_the_others_say_why_not() -> None:
    assert timeline.mode_fault("im") is None
    assert timeline.mode_fault("audio") == ("no_audio", "Audio is not part of this version.")
    assert timeline.mode_fault("video") == ("no_video", "Video is not part of this version.")
    for mode in ("hologram", None, []):
        assert timeline.mode_fault(mode) == ("no_mode", "There is no such mode.")


def test_an_open_question_has_its_place_and_no_outcome_yet() -> None:
    assert timeline.interaction(record("confirm", CONFIRM, "presented")) == {
        "kind": "interaction",
        "at": AT,
        "interaction_id": "q-1",
        "form": "confirm",
        "title": "Sure?",
        "text": "Delete it?",
        "outcome": "open",
    }
    assert timeline.interaction(record("notice", {"message": "Done."}, "pending"))["text"] == "Done."


@pytest.mark.parametrize(
    ("kind", "request_", "result", "outcome"),
    [
        ("confirm", CONFIRM, {"approved": True}, ("approved", "Approved", True)),
        ("confirm", {**CONFIRM, "approve_label": "Delete"}, {"approved": True}, ("approved", "Delete", None)),
        ("confirm", CONFIRM, {"approved": False}, ("declined", "Declined", True)),
        ("confirm", {**CONFIRM, "cancel_label": "Keep"}, {"approved": False}, ("declined", "Keep", None)),
        ("choice", CHOICE, {"action_ids": ["b", "a"]}, ("chosen", "Pear, Apple", None)),
        ("input", INPUT, {"values": {"y": 1999, "n": "Ada"}}, ("filled", "Name: Ada\nYear: 1999", None)),
        ("input", INPUT, {"values": {}}, ("filled", "Left empty", True)),
        ("notice", {"message": "m"}, {"acknowledged": True}, ("acknowledged", "Acknowledged", True)),
        (
            "notice",
            {"message": "m", "acknowledge_label": "Fine"},
            {"acknowledged": True},
            ("acknowledged", "Fine", None),
        ),
    ],
)
@pytest.mark.parametrize("status", ["submitted", "completed"])
def test_an_answer_is_echoed_in_words(kind: str, request_: Any, result: Any, outcome: Any, status: str) -> None:
    entry = timeline.interaction(record(kind, request_, status, result=result))
    assert (entry["outcome"], entry["echo"], entry.get("own_words")) == outcome


@pytest.mark.parametrize(
    ("status", "reason", "outcome"),
    [
        ("cancelled", "dismissed", ("dismissed", "Taken back by the Agent")),
        ("cancelled", "user_cancelled", ("cancelled", "You dismissed this")),
        ("cancelled", None, ("cancelled", "Cancelled")),
        ("expired", "no_answer", ("expired", "No answer in time")),
        ("expired", "never_presented", ("expired", "Never shown, and too late now")),
        ("failed", "whatever", ("failed", "Could not be asked")),
    ],
)
def test_endings_without_an_answer_are_told_apart(status: str, reason: Any, outcome: Any) -> None:
    ended = record("confirm", CONFIRM, status, reason=reason)
    assert timeline.outcome_of(ended) == outcome
    assert timeline.interaction(ended)["own_words"] is True


def test_a_long_echo_is_cut() -> None:
    entry = timeline.interaction(record("input", INPUT, result={"values": {"n": "x" * 32_000}}))
    assert len(entry["echo"]) == 4_000
    assert entry["echo"].endswith("…")


def test_a_task_row_is_taken_only_where_it_makes_sense() -> None:
    row = timeline.task({"call_id": "__proto__", "tool_id": "whiteboard.open", "status": "waiting_for_app"}, AT)
    assert row == (
        "task:__proto__",
        {
            "kind": "task",
            "at": AT,
            "call_id": "__proto__",
            "tool_id": "whiteboard.open",
            "status": "waiting_for_app",
            "text": "whiteboard.open: waiting for app",
        },
    )
    for given in (
        {},
        {"call_id": "", "tool_id": "t", "status": "running"},
        {"call_id": "c" * 129, "tool_id": "t", "status": "running"},
        {"call_id": "c", "tool_id": 7, "status": "running"},
        {"call_id": "c", "tool_id": "t", "status": "on fire"},
        {"call_id": "c", "tool_id": "t", "status": ["running"]},
    ):
        assert timeline.task(given, AT) is None


def test_an_entry_that_is_there_already_is_no_patch() -> None:
    entry = timeline.agent_message("hi", "plain", AT)
    state = added(timeline.empty(), "m", entry)
    assert state == {"mode": "im", "entries": {"m": entry}}
    assert timeline.add(state, "m", {**entry}) == []


def test_the_newest_500_entries_are_kept() -> None:
    state = timeline.empty()
    for n in range(501):
        state["entries"][f"m{n:03}"] = timeline.agent_message("hi", "plain", at(n))
    del state["entries"]["m500"]
    state = added(state, "m500", timeline.agent_message("hi", "plain", at(500)))
    assert len(state["entries"]) == 500
    assert "m000" not in state["entries"]
    assert "m500" in state["entries"]


def test_the_oldest_go_until_the_state_fits() -> None:
    state = timeline.empty()
    for n in range(20):
        state = added(state, f"m{n:02}", timeline.agent_message("漢" * 30_000, "plain", at(n)))
    assert list(state["entries"]) == [f"m{n:02}" for n in range(15, 20)]
    state = added(state, "late", timeline.agent_message("漢" * 30_000, "plain", at(0)))
    assert "late" not in state["entries"]
    assert len(state["entries"]) == 5


def test_small_entries_give_way_to_a_large_one_within_the_size_of_a_patch() -> None:
    state, wide = timeline.empty(), "\U0001f600" * 125
    for n in range(400):
        row = timeline.task({"call_id": f"{n:03}{wide}", "tool_id": "t", "status": "running"}, at(n))
        assert row is not None
        state = added(state, *row)
    before = len(state["entries"])
    state = added(state, "big", timeline.agent_message("\U0001f600" * 32_000, "markdown", at(500)))
    assert "big" in state["entries"]
    assert len(state["entries"]) < before


def test_a_text_that_no_patch_could_carry_is_cut_and_says_so() -> None:
    entry = timeline.user_message("\U0001f600" * 32_000, AT)
    assert entry["cut"] is True
    assert entry["text"].endswith("…")
    assert timeline.MAX_ENTRY_BYTES * 0.98 < len(write_json(entry)) <= timeline.MAX_ENTRY_BYTES
    assert "cut" not in timeline.user_message("漢" * 32_000, AT)
