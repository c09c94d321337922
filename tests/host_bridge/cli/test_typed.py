"""``lineup-host agent`` on a real terminal: prompts, colours, and questions that come while a prompt waits."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import anyio
import pytest
from anyio.abc import Process

SECONDS = 30


class TypedProgram:
    """A program on a pseudo-terminal: what it shows, and a keyboard."""

    def __init__(self, master: int, process: Process) -> None:
        self._master = master
        self._process = process
        self.shown = ""

    def type(self, line: str) -> None:
        """Type a line."""
        os.write(self._master, line.encode() + b"\n")

    async def until(self, text: str) -> None:
        """Wait until it shows that text, after what was waited for before."""
        with anyio.move_on_after(SECONDS):
            while text not in self.shown:
                await self._look()
        assert text in self.shown
        self.shown = self.shown.split(text, 1)[1]

    async def end(self) -> int:
        """Read until it has ended; the exit code."""
        with anyio.move_on_after(SECONDS), suppress(OSError):
            while True:
                await self._look()
        with anyio.fail_after(SECONDS):
            return await self._process.wait()

    async def _look(self) -> None:
        await anyio.wait_readable(self._master)
        self.shown += os.read(self._master, 65536).decode()


@pytest.fixture
async def program(tmp_path: Path) -> AsyncIterator[TypedProgram]:
    """``lineup-host agent`` on a terminal, whose temporary folder is the test's own."""
    master, slave = os.openpty()
    env = {name: value for name, value in os.environ.items() if name != "NO_COLOR"} | {"TMPDIR": str(tmp_path)}
    command = [sys.executable, "-m", "host_bridge", "agent"]
    async with await anyio.open_process(command, stdin=slave, stdout=slave, stderr=slave, env=env) as process:
        os.close(slave)
        yield TypedProgram(master, process)
        if process.returncode is None:
            process.terminate()
    os.close(master)


async def test_questions_are_put_at_once_and_anything_can_be_typed(program: TypedProgram, tmp_path: Path) -> None:
    await program.until("\x1b[1;33magent>\x1b[0m ")
    program.type('call interaction.confirm {"title": "T", "prompt": "p"}')
    await program.until('? the Agent asks (confirm) "T": p')
    await program.until("y = yes, n = no:")
    program.type("maybe")
    await program.until("type y or n")
    program.type("y")
    await program.until('{"approved": true}')
    program.type('call task-dashboard.open {"task_id": "t", "title": "Ship it"}')
    await program.until("0 %")
    program.type("emit task-dashboard close")
    await program.until("\r\x1b[K  ? task-dashboard asks (confirm)")
    await program.until("n = Keep open:")
    program.type("later")
    program.type("jump")
    await program.until("no such command: jump")
    program.type("quit")
    assert await program.end() == 0, "at a terminal a wrong command is no failure"
    assert list(tmp_path.iterdir()) == []
