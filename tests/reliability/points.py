"""The places where a process can be made to die: each a function of the program, by name, and a side of it.

Nothing of this is in the program. ``doomed.py`` is the program with these functions wrapped; ``steady/app.py`` is a
MiniApp that wraps the SDK which it is run by.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

Side = Literal["before", "half", "after"]


class Point(NamedTuple):
    """``target`` is ``module:Class.function``; ``holding`` is a text that its first arguments must hold to count."""

    target: str
    side: Side
    holding: str = ""


STEP_MOMENTS: dict[str, Point] = {
    "as it is read": Point("sidecar.rpc.desk:Desk.handle", "before"),
    "changed, not yet audited": Point("sidecar.store.transaction:Transaction._append", "before"),
    "before the commit": Point("sidecar.store.transaction:Transaction.commit", "before"),
    "after the commit": Point("sidecar.store.transaction:Transaction.commit", "after"),
    "before it is sent": Point("sidecar.rpc.stdio:Output.release", "before"),
    "half of it sent": Point("sidecar.rpc.stdio:Output.release", "half"),
    "after it is sent": Point("sidecar.rpc.stdio:Output.release", "after"),
}
"""Where the sidecar dies in the middle of one request of the Host."""

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

HAND_OVER: dict[str, tuple[Point, Point]] = {
    "a worker is connected": (
        Point("sidecar.app:WorkerLinks.attach", "before"),
        Point("sidecar.app:WorkerLinks.attach", "after"),
    ),
    **{f"a worker asks {name}": (Point(_FEED, "before", name), Point(_FEED, "after", name)) for name in ASKED},
    **{f"a worker is told {name}": (Point(_WRITE, "before", name), Point(_WRITE, "after", name)) for name in TOLD},
    "a worker is to end": (
        Point("sidecar.workers.pool:WorkerPool.end", "before"),
        Point("sidecar.workers.pool:WorkerPool.end", "after"),
    ),
    "a worker has ended": (
        Point("sidecar.app:WorkerInlet.closed", "before"),
        Point("sidecar.app:WorkerInlet.closed", "after"),
    ),
}
"""Where the sidecar dies between the store and a worker: before and after each."""

START_MOMENTS = ("changed, not yet audited", "before the commit", "after the commit")
"""Where it dies while it recovers from an earlier death."""
