"""The places where a process can be made to die: each a function of the program, by name, and a side of it.

Nothing of this is in the program. ``doomed.py`` is the program with these functions wrapped; ``steady/app.py`` is a
MiniApp that wraps the SDK which it is run by.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

Side = Literal["before", "half", "after"]


class Point(NamedTuple):
    """``target`` is ``module:Class.function``; ``holding`` is a text that its argument must hold to count."""

    target: str
    side: Side
    holding: str = ""


WORKER, SIDECAR, HOST, TREE = "the worker", "the sidecar", "the Host", "the whole tree"
"""Who dies. The whole tree is the Host with all that it has started, and all that this has started."""

STEP, PLACE, MIGRATION = "a request", "a worker", "a migration"
"""What is under way when somebody dies."""

NEWER = "a newer program"
"""What is planted, and is no fault: a program of a later version."""

STEP_MOMENTS: dict[str, Point] = {
    "as it is read": Point("sidecar.rpc.desk:Desk.handle", "before"),
    "changed, not yet audited": Point("sidecar.store.transaction:Transaction._append", "before"),
    "before the commit": Point("sidecar.store.transaction:Transaction.commit", "before"),
    "after the commit": Point("sidecar.store.transaction:Transaction.commit", "after"),
    "before it is sent": Point("sidecar.rpc.stdio:Output.release", "before"),
    "half of it sent": Point("sidecar.rpc.stdio:Output.release", "half"),
    "after it is sent": Point("sidecar.rpc.stdio:Output.release", "after"),
}
"""Where somebody dies in the middle of one request of the Host."""

HALF_ASKED = "half of it asked"
"""Where the Host dies before the sidecar has anything to read."""

UNCOMMITTED = ("as it is read", "changed, not yet audited", "before the commit")
"""The moments at which nothing of a request is in the store."""

ASKED = (
    "ui.subscribe",
    "tools.subscribe",
    "inbox.subscribe",
    "surfaces.requestOpen",
    "surfaces.update",
    "tools.reportProgress",
    "ui.request",
    "inbox.acknowledge",
    "tools.complete",
)
"""What the logic of the story's MiniApp asks of the Runtime."""

TOLD = ("tools.call", "inbox.message", "ui.record", "lifecycle.closing")
"""What it is told unasked."""

WORKER_MOMENTS = ("before it asks", "after it has asked", "after the answer")

_FEED = "sidecar.app:WorkerInlet.feed"
_WRITE = "sidecar.workers.process:WorkerProcess.write"


def _both(target: str, holding: str = "") -> tuple[Point, Point]:
    return Point(target, "before", holding), Point(target, "after", holding)


HAND_OVER: dict[str, tuple[Point, Point]] = {
    "a worker is connected": _both("sidecar.app:WorkerLinks.attach"),
    **{f"a worker asks {name}": _both(_FEED, f'"sdk.{name}"') for name in ASKED},
    **{f"a worker is told {name}": _both(_WRITE, f'"sdk.{name}"') for name in TOLD},
    "a worker is to end": _both("sidecar.workers.pool:WorkerPool.end"),
    "a worker has ended": _both("sidecar.app:WorkerInlet.closed"),
}
"""What passes between the store and a worker; somebody dies before and after each."""

NO_WORKER = ("before a worker has ended", "after a worker has ended")
"""The places at which there is none that could die."""

LAST_WORD = "it hears sdk.lifecycle.closing"
AFTER_LAST_WORD = ("after a worker is told lifecycle.closing", "before a worker is to end", "after a worker is to end")
"""Where a worker must be kept from ending by itself, so that it can be killed."""

HELD = "held at: "
"""What a worker prints before it waits at its place for a death that is not its own."""

START_MOMENTS = ("changed, not yet audited", "before the commit", "after the commit")
"""Where somebody dies while the sidecar recovers from an earlier death."""
