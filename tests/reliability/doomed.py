"""The sidecar, doomed: the program itself, with a function wrapped from outside at whose call somebody dies.

``python doomed.py PLAN ARGUMENTS…``. PLAN is JSON: ``point`` (a row of ``points.py``); ``armed`` says that calls count
from the start, else from a SIGUSR1 on; ``faults`` names what of ``planted.py`` the program suffers from. The sidecar
dies, or its ``workers``, or at a ``meeting`` (a folder) its Host.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

sys.path[0] = str(Path(__file__).parents[2])

from tests.reliability import meeting, processes  # noqa: E402 - they are found from now on

FELLED = "doomed: the workers were killed"


class Doom:
    """When somebody dies, once."""

    def __init__(self, fall: Callable[[], object], *, armed: bool) -> None:
        self.fall = fall
        self._armed = armed

    def arm(self, *_signal: object) -> None:
        """Count from now on."""
        self._armed = True

    def is_due(self) -> bool:
        """Whether a call is the one."""
        due, self._armed = self._armed, False
        return due


def fall() -> None:
    """Die at once, as by ``kill -9``."""
    os.kill(os.getpid(), signal.SIGKILL)


def fell_workers() -> None:
    """Kill the workers, and go on."""
    if processes.kill_below():
        sys.stderr.write(FELLED + "\n")


def find(target: str) -> tuple[Any, str]:
    """The owner of a function and its name there."""
    module, path = target.split(":")
    *owners, name = path.split(".")
    owner: Any = import_module(module)
    for one in owners:
        owner = getattr(owner, one)
    return owner, name


def wrap(target: str, make: Callable[[Callable[..., Any]], Callable[..., Any]]) -> None:
    """Put another function in the place of one; ``make`` is given the one that was there."""
    owner, name = find(target)
    setattr(owner, name, make(getattr(owner, name)))


def doom_at(point: Any, doom: Doom) -> None:
    """Let somebody die on that side of that function."""

    def make(inner: Callable[..., Any]) -> Callable[..., Any]:
        def outer(*args: Any, **kwargs: Any) -> Any:
            due = _counts(point, args) and doom.is_due()
            if due and point.side == "half":
                _write_half(args[0])
            if due and point.side != "after":
                doom.fall()
            given = inner(*args, **kwargs)
            if due and point.side == "after":
                doom.fall()
            return given

        return outer

    wrap(point.target, make)


def _counts(point: Any, args: tuple[Any, ...]) -> bool:
    """Whether a call is one of those that are meant: an empty commit, or an empty queue, is none."""
    if point.target.endswith("Transaction.commit"):
        return bool(args[0]._open)
    if point.target.endswith("Output.release"):
        return bool(args[0].queued_bytes)
    return not point.holding or point.holding in (
        args[1] if isinstance(args[1], str) else bytes(args[1]).decode(errors="replace")
    )


def _write_half(output: Any) -> None:
    waiting = b"".join(output._queue)
    os.write(output._descriptor, waiting[: len(waiting) // 2])


def _fate(plan: dict[str, Any]) -> Callable[[], object]:
    if "meeting" in plan:
        return partial(meeting.await_death, Path(plan["meeting"]))
    return fell_workers if plan.get("workers") else fall


def main() -> int:
    """Wrap, and be the sidecar."""
    plan = json.loads(sys.argv.pop(1))
    os.environ["PYDANTIC_DISABLE_PLUGINS"] = "__all__"
    from tests.reliability import planted
    from tests.reliability.points import Point

    for fault in plan.get("faults", []):
        planted.FAULTS[fault].plant()
    if "point" in plan:
        doom = Doom(_fate(plan), armed=plan.get("armed", False))
        signal.signal(signal.SIGUSR1, doom.arm)
        doom_at(Point(*plan["point"]), doom)
    from sidecar.__main__ import main as serve

    return serve()


if __name__ == "__main__":
    sys.exit(main())
