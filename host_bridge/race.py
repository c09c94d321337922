"""Do several things at once until one of them is done."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

import anyio

Outcome = TypeVar("Outcome")


async def first_of(*acts: Callable[[], Awaitable[Outcome]]) -> Outcome:
    """The outcome of whichever is done first; the others are cancelled."""
    outcomes: list[Outcome] = []

    async def run(act: Callable[[], Awaitable[Outcome]]) -> None:
        outcomes.append(await act())
        tasks.cancel_scope.cancel()

    async with anyio.create_task_group() as tasks:
        for act in acts:
            tasks.start_soon(run, act)
    return outcomes[0]
