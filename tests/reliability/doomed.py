"""The sidecar, doomed: the program itself, with a function wrapped from outside that kills it at its n-th call.

``python doomed.py PLAN ARGUMENTS…``. PLAN is JSON: ``point`` (a row of ``points.py``) with ``nth``; ``armed`` says that
calls count from the start, else from a SIGUSR1 on; ``faults`` names what of ``planted.py`` the program suffers from.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable
from importlib import import_module
from inspect import iscoroutinefunction
from pathlib import Path
from typing import Any, NoReturn

sys.path[0] = str(Path(__file__).parents[2])


class Doom:
    """When this process dies."""

    def __init__(self, *, nth: int = 1, armed: bool = True) -> None:
        self._left = nth
        self._armed = armed

    def arm(self, *_signal: object) -> None:
        """Count from now on."""
        self._armed = True

    def is_due(self) -> bool:
        """Count a call; whether it is the last."""
        self._left -= self._armed
        return self._armed and self._left == 0

    def fall(self) -> NoReturn:
        """Die at once, as by ``kill -9``."""
        os.kill(os.getpid(), signal.SIGKILL)
        raise SystemExit  # never reached


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
    """Let the process die on that side of that function."""

    def make(inner: Callable[..., Any]) -> Callable[..., Any]:
        def is_due(args: tuple[Any, ...]) -> bool:
            due = _counts(point, args) and doom.is_due()
            if due and point.side == "before":
                doom.fall()
            return due

        def outer(*args: Any, **kwargs: Any) -> Any:
            due = is_due(args)
            if due and point.side == "half":
                _write_half(args[0])
                doom.fall()
            given = inner(*args, **kwargs)
            if due:
                doom.fall()
            return given

        async def outer_async(*args: Any, **kwargs: Any) -> Any:
            due = is_due(args)
            if due and point.side == "half":
                await inner(args[0], args[1][: len(args[1]) // 2])
                doom.fall()
            given = await inner(*args, **kwargs)
            if due:
                doom.fall()
            return given

        return outer_async if iscoroutinefunction(inner) else outer

    wrap(point.target, make)


def _counts(point: Any, args: tuple[Any, ...]) -> bool:
    """Whether a call is one of those that are meant: an empty commit, or an empty queue, is none."""
    if point.target.endswith("Transaction.commit"):
        return bool(args[0]._open)
    if point.target.endswith("Output.release"):
        return bool(args[0].queued_bytes)
    return not point.holding or f'"sdk.{point.holding}"'.encode() in args[1]


def _write_half(output: Any) -> None:
    waiting = b"".join(output._queue)
    os.write(output._descriptor, waiting[: len(waiting) // 2])


def main() -> int:
    """Wrap, and be the sidecar."""
    plan = json.loads(sys.argv.pop(1))
    os.environ["PYDANTIC_DISABLE_PLUGINS"] = "__all__"
    from tests.reliability import planted
    from tests.reliability.points import Point

    for fault in plan.get("faults", []):
        planted.FAULTS[fault].plant()
    if "point" in plan:
        doom = Doom(nth=plan.get("nth", 1), armed=plan.get("armed", False))
        signal.signal(signal.SIGUSR1, doom.arm)
        doom_at(Point(*plan["point"]), doom)
    from sidecar.__main__ import main as serve

    return serve()


if __name__ == "__main__":
    sys.exit(main())
