"""What the logic asks the user, in the language that the view speaks: it says so in the state's ``language``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from miniapps.sdk import StandardInteractionRequest
from miniapps.task_dashboard.tasks import MAX_NOTE, State, Task

NAMED_TITLES = 3


class _Words(NamedTuple):
    close: str
    approve: str
    keep: str
    one: str
    many: str
    more: str
    comma: str
    note: str
    prompt: str
    save: str


_ENGLISH: Final = _Words(
    close="Close Task Dashboard?",
    approve="Cancel and close",
    keep="Keep open",
    one="{titles} is not finished. Closing cancels it.",
    many="{n} tasks are not finished: {titles}{more}. Closing cancels them.",
    more=" and {n} more",
    comma=", ",
    note="Note",
    prompt="What should be noted for “{title}”? The Agent can read it.",
    save="Save note",
)
_CHINESE: Final = _Words(
    close="关闭任务面板？",
    approve="取消任务并关闭",
    keep="不关闭",
    one="{titles}还没有完成，关闭会取消它。",
    many="有 {n} 个任务还没有完成：{titles}{more}。关闭会取消它们。",
    more="，还有 {n} 个",
    comma="、",
    note="备注",
    prompt="要为“{title}”记下什么？智能体可以读到。",
    save="保存备注",
)


def closing(state: State, open_tasks: Iterable[Task]) -> StandardInteractionRequest:
    """Ask whether what is unfinished may be cancelled."""
    words = _words(state)
    titles = [f"“{task['title']}”" for task in open_tasks]
    hidden = len(titles) - NAMED_TITLES
    more = words.more.format(n=hidden) if hidden > 0 else ""
    named = words.comma.join(titles[:NAMED_TITLES])
    prompt = (words.one if len(titles) == 1 else words.many).format(n=len(titles), titles=named, more=more)
    return {
        "kind": "confirm",
        "title": words.close,
        "prompt": prompt,
        "approve_label": words.approve,
        "cancel_label": words.keep,
    }


def noting(state: State, title: str) -> StandardInteractionRequest:
    """Ask for a task's note."""
    words = _words(state)
    return {
        "kind": "input",
        "title": words.note,
        "prompt": words.prompt.format(title=title),
        "fields": [{"id": "note", "label": words.note, "type": "textarea", "required": True, "max_length": MAX_NOTE}],
        "submit_label": words.save,
    }


def _words(state: State) -> _Words:
    return _CHINESE if state.get("language") == "zh-CN" else _ENGLISH
