"""``lineup-host agent`` on a real terminal: prompts, colours, and questions that come while a prompt waits."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import anyio
import anyio.to_thread
import pytest


class TypedProgram:
    """A program on a pseudo-terminal: what it shows, and a keyboard."""

    def __init__(self, master: int) -> None:
        self._master = master
        self.shown = ""

    def type(self, line: str) -> None:
        """Type a line."""
        os.write(self._master, line.encode() + b"\n")

    async def until(self, text: str) -> None:
        """Wait until it shows that text, after what was waited for before."""
        with anyio.fail_after(30):
            while text not in self.shown:
                await anyio.wait_readable(self._master)
                self.shown += os.read(self._master, 65536).decode()
        self.shown = self.shown.split(text, 1)[1]

    async def to_the_end(self) -> None:
        """Read what is left, so that nothing blocks."""
        with suppress(OSError):
            while True:
                await anyio.wait_readable(self._master)
                os.read(self._master, 65536)


@pytest.fixture
def terminal() -> Iterator[tuple[int, int]]:
    master, slave = os.openpty()
    yield master, slave
    os.close(master)


async def test_a_question_that_comes_while_a_prompt_waits_is_put_at_once(
    terminal: tuple[int, int], tmp_path: Path
) -> None:
    master, slave = terminal
    env = {name: value for name, value in os.environ.items() if name != "NO_COLOR"} | {"TMPDIR": str(tmp_path)}
    program = [sys.executable, "-m", "host_bridge", "agent"]
    process = await anyio.open_process(program, stdin=slave, stdout=slave, stderr=slave, env=env)
    os.close(slave)
    typed = TypedProgram(master)
    async with process, anyio.create_task_group() as tasks:
        await typed.until("\x1b[1;33magent>\x1b[0m ")
        typed.type('call interaction.confirm {"title": "T", "prompt": "p"}')
        await typed.until('? the Agent asks (confirm) "T": p')
        await typed.until("y = yes, n = no:")
        typed.type("maybe")
        await typed.until("type y or n")
        typed.type("y")
        await typed.until('{"approved": true}')
        typed.type('call task-dashboard.open {"task_id": "t", "title": "Ship it"}')
        await typed.until("0 %")
        typed.type("emit task-dashboard close")
        await typed.until("\r\x1b[K  ? task-dashboard asks (confirm)")
        await typed.until("n = Keep open:")
        typed.type("later")
        typed.type("jump")
        await typed.until("no such command: jump")
        typed.type("quit")
        tasks.start_soon(typed.to_the_end)
        with anyio.fail_after(30):
            assert await process.wait() == 0, "at a terminal a wrong command is no failure"
        tasks.cancel_scope.cancel()
    assert list(tmp_path.iterdir()) == []
    assert not re.search("Traceback", typed.shown)
