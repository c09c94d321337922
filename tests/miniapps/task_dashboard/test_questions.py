"""What Task Dashboard asks, in the language of its view."""

from __future__ import annotations

from typing import Any

import pytest

from miniapps.task_dashboard import questions, tasks
from rpc_schema.limits import MAX_NAME

AT = "2026-08-05T10:00:00.000Z"


def ask(language: Any, *ids: str) -> Any:
    state = tasks.first_state([({"task_id": id_, "title": id_.title()}, f"call-{id_}", AT) for id_ in ids])
    state["language"] = language
    return questions.closing(state, tasks.unfinished(state).values())


@pytest.mark.parametrize("language", [None, "en", "de", 7, ["zh-CN"]])
def test_the_question_before_closing_names_what_it_cancels(language: Any) -> None:
    assert ask(language, "a") == {
        "kind": "confirm",
        "title": "Close Task Dashboard?",
        "prompt": "“A” is not finished. Closing cancels it.",
        "approve_label": "Cancel and close",
        "cancel_label": "Keep open",
    }
    assert ask(language, "a", "b")["prompt"] == "2 tasks are not finished: “A”, “B”. Closing cancels them."
    many = "5 tasks are not finished: “A”, “B”, “C” and 2 more. Closing cancels them."
    assert ask(language, *"abcde")["prompt"] == many


def test_a_view_that_speaks_chinese_is_asked_in_chinese() -> None:
    assert ask("zh-CN", "a") == {
        "kind": "confirm",
        "title": "关闭任务面板？",
        "prompt": "“A”还没有完成，关闭会取消它。",
        "approve_label": "取消任务并关闭",
        "cancel_label": "不关闭",
    }
    assert ask("zh-CN", *"abcde")["prompt"] == "有 5 个任务还没有完成：“A”、“B”、“C”，还有 2 个。关闭会取消它们。"
    assert questions.noting({"language": "zh-CN"}, "{x}")["prompt"] == "要为“{x}”记下什么？智能体可以读到。"


def test_a_note_is_a_text_that_fits_its_task() -> None:
    asked = questions.noting({}, "Ship it")
    assert asked["prompt"] == "What should be noted for “Ship it”? The Agent can read it."
    assert asked["fields"][0]["max_length"] == tasks.MAX_NOTE
    assert len(asked["title"]) <= MAX_NAME
