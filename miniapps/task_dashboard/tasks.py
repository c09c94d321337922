"""The tasks and their rules, without the SDK: states in, merge patches out (RULES 10).

State of the surface: ``tasks`` {key: task}, ``asking`` {interaction_id: what about}, ``last_asked`` (the newest of
these ids), ``notice`` (what the user is to be told, by its name in the view's texts), and ``language``, which the view
keeps.
A task: ``task_id``, ``title``, ``state``, ``progress`` (percent), ``note``, ``ended`` (how somebody else has ended it:
``cancelled``, ``expired``, ``unknown``, else empty), ``call_id`` (its ``task-dashboard.open``), ``opened_at``,
``order`` (the newest has the highest). A key is never one that a merge patch forbids.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rpc_schema.merge_patch import merge

Task = dict[str, Any]
State = dict[str, Any]
Patch = dict[str, Any]

FINISHED = ("completed", "failed", "cancelled")
MAX_UNFINISHED = 50
KEPT_FINISHED = 20
"""With titles of 200 and notes of 500 characters the whole state stays below what the Runtime keeps."""
MAX_NOTE = 500

ENDED_ELSEWHERE = {"cancelled": "cancelled", "expired": "failed"}
"""The state of a task whose call somebody else has ended, by the call's status."""


class TaskError(Exception):
    """A call that asks for what is not possible. ``code`` is for the Agent."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def key_of(task_id: str) -> str:
    """Where a task is kept."""
    return f"task:{task_id}"


def is_finished(task: Task) -> bool:
    """Whether the task has ended; such a task changes no more."""
    return task["state"] in FINISHED


def first_state(opens: Iterable[tuple[dict[str, Any], str, str]]) -> State:
    """The state with the tasks of calls (input, call_id, created_at) that wait already; bad ones are left out."""
    state: State = {"tasks": {}, "asking": {}}
    for given, call_id, at in opens:
        try:
            state = merge(state, open_task(state, given, call_id, at))
        except TaskError:
            continue  # the call itself will be told
    return state


def open_task(state: State, given: dict[str, Any], call_id: str, at: str) -> Patch:
    """Begin a task. The same call again changes nothing; a finished task of that id gives way to the new one.

    Raises:
        TaskError: ``task_exists`` (another call follows it), ``too_many_tasks``.
    """
    key, tasks = key_of(given["task_id"]), state["tasks"]
    if key in tasks:
        if tasks[key]["call_id"] == call_id:
            return {}
        if not is_finished(tasks[key]):
            raise TaskError("task_exists", "A task of that id is open: update it, or choose another task_id.")
    if len(unfinished(state)) >= MAX_UNFINISHED:
        raise TaskError("too_many_tasks", f"{MAX_UNFINISHED} tasks are open: end one before another is opened.")
    begun = given.get("state", "pending")
    task = {
        "task_id": given["task_id"],
        "title": given["title"],
        "state": begun,
        "progress": given.get("progress", 100 if begun == "completed" else 0),
        "note": "",
        "ended": "",
        "call_id": call_id,
        "opened_at": at,
        "order": 1 + max((task["order"] for task in tasks.values()), default=0),
    }
    dropped = _finished_too_many({name: known for name, known in tasks.items() if name != key})
    return {"tasks": {key: task, **dropped}}


def update_task(state: State, given: dict[str, Any]) -> Patch:
    """Change a task. Completion means 100 percent, and progress starts a task that was pending.

    What is so already is no change, so that an update may come twice, also the one that finished the task.

    Raises:
        TaskError: ``task_unknown``, ``task_finished``.
    """
    key = key_of(given["task_id"])
    task = state["tasks"].get(key)
    if task is None:
        raise TaskError("task_unknown", "No task of that id is here: open it with task-dashboard.open.")
    wanted = {field: given[field] for field in ("state", "progress", "note") if field in given}
    if wanted.get("state") == "completed":
        wanted.setdefault("progress", 100)
    if wanted.get("progress", 0) > 0 and task["state"] == "pending":
        wanted.setdefault("state", "running")
    changes = {field: value for field, value in wanted.items() if value != task[field]}
    if changes and is_finished(task):
        raise TaskError("task_finished", f"The task is {task['state']} and changes no more; open it again to go on.")
    return {"tasks": {key: changes}} if changes else {}


def note_task(key: str, text: str) -> Patch:
    """Set a task's note to what the user wrote."""
    return {"tasks": {key: {"note": text[:MAX_NOTE]}}}


def end_task(key: str, status: str) -> Patch:
    """End a task whose call has ended with ``status`` without its doing."""
    ended = status if status in ENDED_ELSEWHERE else "unknown"
    return {"tasks": {key: {"state": ENDED_ELSEWHERE.get(status, "failed"), "ended": ended}}}


def cancel_all(state: State) -> Patch:
    """Cancel every unfinished task."""
    return {"tasks": {key: {"state": "cancelled"} for key in unfinished(state)}}


def unfinished(state: State) -> dict[str, Task]:
    """The unfinished tasks by key, oldest first."""
    tasks: list[tuple[str, Task]] = sorted(state["tasks"].items(), key=_order)
    return {key: task for key, task in tasks if not is_finished(task)}


def opened_after(state: State, at: str) -> bool:
    """Whether an unfinished task is younger than a moment."""
    return any(task["opened_at"] > at for task in unfinished(state).values())


def newest(state: State) -> str | None:
    """The key of the task that was opened last."""
    return max(state["tasks"].items(), key=_order)[0] if state["tasks"] else None


def task_of_call(state: State, call_id: str | None) -> str | None:
    """The key of the task that a ``task-dashboard.open`` follows."""
    return next((key for key, task in state["tasks"].items() if task["call_id"] == call_id), None)


def summary(task: Task) -> dict[str, Any]:
    """What ``task-dashboard.update`` answers."""
    return {field: task[field] for field in ("task_id", "title", "state", "progress", "note")}


def _order(item: tuple[str, Task]) -> int:
    return int(item[1]["order"])


def _finished_too_many(tasks: dict[str, Task]) -> Patch:
    finished = [key for key, task in sorted(tasks.items(), key=_order) if is_finished(task)]
    return dict.fromkeys(finished[: max(0, len(finished) - KEPT_FINISHED)])
