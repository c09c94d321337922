"""A task on Task Dashboard, with the sidecar killed while it runs."""

from __future__ import annotations

import anyio

from host_bridge.agent import Call
from host_bridge.cli.stage import Stage

APP = "task-dashboard"
TASK = "release-7"
OPEN_CALL = "open-release-7"


async def survive_crash(stage: Stage) -> None:
    """Open a task, update it, crash, go on, complete it: one result."""
    task = await stage.invoke("task-dashboard.open", {"task_id": TASK, "title": "Ship release 7"}, call_id=OPEN_CALL)
    board = await stage.host.surface(APP, lambda state: state.get("tasks"))
    stage.check("Task Dashboard came to the front and shows the task", await stage.is_in_front(APP))
    for percent in (20, 45):
        await update(stage, progress=percent)
    stage.check("the task's own call reports the progress", await is_told(task, 45))

    before, state = stage.sidecar.pid, board.state
    await stage.crash()
    stage.check(f"a new process has taken over: {before} is now {stage.sidecar.pid}", stage.sidecar.pid != before)
    board = await stage.host.surface(APP)
    stage.check("the same app is in front", await stage.is_in_front(APP))
    stage.check("its surface has the same state", board.state == state)
    stage.check("the call is still open, and no result was made up", task.outcome is None)

    await update(stage, progress=80, note="two reviews left")
    await update(stage, state="completed")
    result = await task.result()
    stage.check("the task's call is completed", result["result"] == {"status": "completed"})
    await stage.host.settle()
    stage.check("its result came once", len(stage.agent.received("tool.result", OPEN_CALL)) == 1)
    stage.check("the app is still there: done is not closed", await stage.is_in_front(APP))


async def is_told(task: Call, percent: float) -> bool:
    """Whether the Agent hears of that much progress within a few seconds."""
    with anyio.move_on_after(5):
        async for progress in task.updates():
            if progress.get("percent") == percent:
                return True
    return False


async def update(stage: Stage, **change: object) -> None:
    """Update the task and wait for what the Tool says."""
    call = await stage.invoke("task-dashboard.update", {"task_id": TASK, **change})
    await call.result()
    await stage.breathe()
