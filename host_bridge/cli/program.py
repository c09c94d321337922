"""Run a command to its end, whatever ends it: an error, Ctrl-C or a signal leave nothing behind either."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Awaitable, Callable, Iterator

import anyio

from host_bridge.cli.terminal import Terminal
from host_bridge.errors import HostError

SIGNAL_BASE = 128
"""A program that a signal has ended reports this and the signal's number."""

if sys.platform == "win32":
    SIGNALS: tuple[signal.Signals, ...] = ()
else:
    SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""What ends a program in order. Windows' loop hears none: Ctrl-C is a KeyboardInterrupt there, which does it too."""


def run_program(terminal: Terminal, act: Callable[[], Awaitable[int]]) -> int:
    """Run to the end; the exit code: what ``act`` says, 1 after an error that is told, 128 and more after a signal."""
    try:
        return anyio.run(_run, act)
    except KeyboardInterrupt:
        return SIGNAL_BASE + signal.SIGINT
    except (HostError, TimeoutError, BrokenPipeError, BaseExceptionGroup) as error:
        causes = list(_causes(error))
        if any(isinstance(one, BrokenPipeError) for one in causes):
            return _end_quietly()
        if not all(isinstance(one, HostError | TimeoutError) for one in causes):
            raise
        for one in causes:
            terminal.bad(str(one))
        return 1


async def _run(act: Callable[[], Awaitable[int]]) -> int:
    code = 1
    async with anyio.create_task_group() as tasks:

        async def end_on_signal() -> None:
            nonlocal code
            with anyio.open_signal_receiver(*SIGNALS) as signals:
                async for number in signals:
                    code = SIGNAL_BASE + number
                    tasks.cancel_scope.cancel()

        if SIGNALS:
            tasks.start_soon(end_on_signal)
        code = await act()
        tasks.cancel_scope.cancel()
    return code


def _end_quietly() -> int:
    """Nobody reads what is printed: point it nowhere, so that nothing fails at the exit either."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 1


def _causes(error: BaseException) -> Iterator[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        for one in error.exceptions:
            yield from _causes(one)
    else:
        yield error
