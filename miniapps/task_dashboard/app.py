"""Task Dashboard's logic: Tools, questions and the view's events; the rules are in ``tasks``.

Each step is durable before the next: the surface's state first, then the call of the task, then the call at hand. A
call or message that comes again finds what was done and goes on from there.
"""

from __future__ import annotations

from miniapps.sdk import (
    JsonObject,
    MiniApp,
    RefusedError,
    StandardInteractionRecord,
    StandardInteractionRequest,
    Start,
    Surface,
    SurfaceEvent,
    ToolCall,
    ToolClosed,
    is_approved,
    is_ended,
)
from miniapps.sdk.shapes import MiniAppToolProgress
from miniapps.task_dashboard import questions, tasks

OPEN, UPDATE = "task-dashboard.open", "task-dashboard.update"
KEY = "tasks"

app = MiniApp()
sdk = app.sdk


def board() -> Surface:
    """The surface; its state holds all that must survive."""
    return sdk.surfaces.opened(KEY)


@app.on_start
def start(begun: Start) -> None:
    """Show what waits already, and settle what happened while this process was away."""
    opens = [(call.input, call.call_id, call.created_at) for call in begun.calls if call.tool_id == OPEN]
    sdk.surfaces.request_open(KEY, "Task Dashboard", initial_state=tasks.first_state(opens))
    running = {call.call_id for call in begun.calls}
    for key, task in tasks.unfinished(board().state).items():
        if task["call_id"] not in running:
            call = sdk.tools.get(task["call_id"])
            board().update(tasks.end_task(key, call["status"] if call else "unknown"))
    adopt(begun.records)


def adopt(records: list[StandardInteractionRecord]) -> None:
    """Match the remembered questions with the real ones: one asked just before a crash may not be remembered.

    It may even be answered by now. What has ended and is older than the last one remembered was dealt with.
    """
    asking = board().state["asking"]
    known = {record["interaction_id"] for record in records}
    board().update({"asking": found} if (found := dict.fromkeys(set(asking) - known)) else {})
    last = board().state.get("last_asked", "")
    for record in records:
        id_ = record["interaction_id"]
        if id_ in asking or (is_ended(record) and id_ <= last):
            continue
        key = tasks.task_of_call(board().state, record["parent_call_id"])
        if record["kind"] == "confirm":
            remember(id_, {"about": "close"})
        elif key is not None:
            remember(id_, {"about": "note", "task": key})
        elif not is_ended(record):
            sdk.ui.cancel(id_)


@app.tool(OPEN)
def open_task(call: ToolCall) -> None:
    """Begin a task; the call stays open until the task has ended."""
    try:
        board().update(tasks.open_task(board().state, call.input, call.call_id, call.created_at))
    except tasks.TaskError as error:
        call.fail(error.code, str(error))
        return
    tell_agent(tasks.key_of(call.input["task_id"]))


@app.tool(UPDATE)
def update_task(call: ToolCall) -> None:
    """Change a task; one that ends it ends its ``open`` too."""
    key = tasks.key_of(call.input["task_id"])
    try:
        board().update(tasks.update_task(board().state, call.input))
    except tasks.TaskError as error:
        call.fail(error.code, str(error))
        return
    tell_agent(key)
    call.complete(tasks.summary(board().state["tasks"][key]))


def tell_agent(key: str) -> None:
    """Report through the task's own call how it stands, or complete that where it has ended."""
    task = board().state["tasks"][key]
    try:
        if tasks.is_finished(task):
            sdk.tools.complete(task["call_id"], {"status": task["state"]})
        else:
            report: MiniAppToolProgress = {"percent": task["progress"], "state": task["state"]}
            if task["note"]:
                report["message"] = task["note"]
            sdk.tools.report_progress(task["call_id"], report)
    except RefusedError as refused:
        if refused.code != "call_already_final":
            raise


@app.on_tool_closed
def end_task(closed: ToolClosed) -> None:
    """A task whose call was taken back or has run out of time ends with it."""
    key = tasks.task_of_call(board().state, closed["call_id"])
    if key in tasks.unfinished(board().state):
        board().update(tasks.end_task(key, closed["status"]))


@app.on_surface_event("close")
def close(_: SurfaceEvent) -> None:
    """Close at once, or ask first where a task is unfinished."""
    if tasks.unfinished(board().state):
        ask_to_close()
    else:
        sdk.lifecycle.request_close("closed by the user")


def ask_to_close() -> None:
    """Ask whether what is unfinished may be cancelled."""
    open_tasks = list(tasks.unfinished(board().state).values())
    ask(questions.closing(board().state, open_tasks), {"about": "close"}, open_tasks[0])


@app.on_surface_event("note")
def note(event: SurfaceEvent) -> None:
    """Ask the user for a note to a task: the one named by ``task``, else the newest."""
    known = board().state["tasks"]
    key = event.payload.get("task", tasks.newest(board().state))
    if not isinstance(key, str) or key not in known:
        board().update({"notice": "no_task"})
        return
    ask(questions.noting(board().state, known[key]["title"]), {"about": "note", "task": key}, known[key])


def ask(question: StandardInteractionRequest, about: JsonObject, task: tasks.Task) -> None:
    """Ask once, and remember what about: the answer may come to another process."""
    if about in board().state["asking"].values():
        return
    parent = None if tasks.is_finished(task) else task["call_id"]
    try:
        asked = sdk.ui.request(question, parent_call_id=parent)
    except RefusedError as refused:
        if refused.code == "context_token_invalid":
            raise
        board().update({"notice": "not_asked"})
        return
    remember(asked["interaction_id"], about)


def remember(interaction_id: str, about: JsonObject) -> None:
    """Keep what a question is about. Ids sort by age, so that the last one tells which are not kept."""
    last = max(interaction_id, board().state.get("last_asked", ""))
    board().update({"asking": {interaction_id: about}, "last_asked": last, "notice": None})


@app.on_interaction
def take_answer(record: StandardInteractionRecord) -> None:
    """Act on an answer that was asked for. Anything but a yes leaves the dashboard open."""
    about = board().state["asking"].get(record["interaction_id"])
    if about is None:
        return
    if about["about"] == "close" and is_approved(record):
        close_as_agreed(record)
        return
    if about["about"] == "note" and record["result"] is not None and about["task"] in board().state["tasks"]:
        board().update(tasks.note_task(about["task"], record["result"]["values"].get("note", "")))
        tell_agent(about["task"])
    board().update({"asking": {record["interaction_id"]: None}})


def close_as_agreed(record: StandardInteractionRecord) -> None:
    """Close, unless the user was not asked about all that is unfinished by now."""
    if tasks.opened_after(board().state, record["created_at"]):
        board().update({"asking": {record["interaction_id"]: None}})
        ask_to_close()
    else:
        cancel_and_close()


def cancel_and_close() -> None:
    """Cancel what is unfinished, tell the Agent, close. Each step may be done again after a restart."""
    board().update(tasks.cancel_all(board().state))
    for key, task in board().state["tasks"].items():
        if task["state"] == "cancelled":
            tell_agent(key)
    sdk.lifecycle.request_close("the user agreed to cancel what was unfinished")
