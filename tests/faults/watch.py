"""What a storm may cost: the memory of the Runtime, and the time that others wait.

The bounds of time are signs of life, no measurements: a Runtime that starves somebody misses them by far.
"""

from __future__ import annotations

import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import anyio

from tests.faults.house import House

MIB = 1024 * 1024
SIGN_OF_LIFE_S = 10.0
"""Within that anybody is answered."""

GROWN = 64 * MIB
"""What a storm may leave behind: allocators keep some, yet no multiple of what passed."""


def resident(pid: int) -> int:
    """The resident bytes of a process."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def forget_peak(pid: int) -> None:
    """Let the peak of a process begin anew."""
    Path(f"/proc/{pid}/clear_refs").write_text("5")


def peak_of(pid: int) -> int:
    """The most resident bytes that a process had."""
    [line] = [one for one in Path(f"/proc/{pid}/status").read_text().splitlines() if one.startswith("VmHWM:")]
    return int(line.split()[1]) * 1024


@asynccontextmanager
async def watched(house: House, grown: int = GROWN) -> AsyncIterator[None]:
    """While the block runs, the Host and a neighbour are answered again and again, and memory stays bounded."""
    await house.others_are_well()
    before = resident(house.sidecar.pid)
    rounds = 0
    forget_peak(house.sidecar.pid)
    over = anyio.Event()

    async def live_on() -> None:
        nonlocal rounds
        while not over.is_set():
            for ask in (partial(house.call, "ping"), partial(house.run, "steady")):
                begun = time.monotonic()
                await ask()
                assert time.monotonic() - begun < SIGN_OF_LIFE_S
            rounds += 1

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(live_on)
        yield
        over.set()
    assert rounds, "nobody else had a turn"
    more = peak_of(house.sidecar.pid) - before
    assert more < grown, f"{more / MIB:.0f} MiB more"
