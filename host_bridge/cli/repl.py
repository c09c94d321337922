"""``lineup-host agent``: be the Agent, and the person whom its Tools ask, one command a line."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from host_bridge.cli.commands import Commands
from host_bridge.cli.lines import LineReader
from host_bridge.cli.narrator import Narrator
from host_bridge.cli.person import LeftError, Person
from host_bridge.cli.questions import Questions
from host_bridge.cli.stage import Stage, set_stage
from host_bridge.cli.terminal import Terminal
from host_bridge.errors import HostError
from host_bridge.race import first_of

PROMPT = "agent>"


class Repl:
    """Reads commands until ``quit`` or the end of input. Questions are put as they come, before the next command.

    What a script says is echoed where it is read, so that the output can be followed.
    """

    def __init__(self, stage: Stage, lines: LineReader, *, typed: bool) -> None:
        self._terminal = stage.terminal
        self._lines = lines
        self._typed = typed
        person = Person(self._ask, stage.terminal)
        self._questions = Questions(stage.host, person, stage.terminal)
        self._commands = Commands(stage, person, self._questions)
        self.failed = False

    async def run(self) -> None:
        """Carry out commands."""
        self._terminal.line("Type help for the commands, tools for what can be called, quit to end.")
        while await self._go_on():
            pass

    async def _go_on(self) -> bool:
        if self._typed:
            self._terminal.ask(PROMPT)
        await first_of(self._lines.available, self._questions.until_one)
        try:
            if item := self._questions.next():
                self._terminal.withdraw()
                await self._questions.put(item)
                return True
            return await self._obey_next()
        except (HostError, TimeoutError, LeftError) as error:
            self.failed = True
            self._terminal.bad(str(error))
            return True

    async def _obey_next(self) -> bool:
        line = await self._lines.next()
        self._terminal.answered(None if self._typed else f"{PROMPT} {line or ''}".rstrip())
        if line is None or line.strip() in ("quit", "exit"):
            return False
        if line.strip():
            await self._commands.obey(line.strip())
        return True

    async def _ask(self, prompt: str) -> str | None:
        self._terminal.ask(prompt)
        line = await self._lines.next()
        self._terminal.answered(None if self._typed else line or "")
        return line


async def be_agent(terminal: Terminal, descriptor: int, database: Path | None, options: Sequence[str]) -> int:
    """Run the commands; 1 where one of a script failed, else 0."""
    typed = os.isatty(descriptor)
    async with set_stage(terminal, database=database, options=options) as stage:
        stop = Narrator(stage, questions=False).listen()
        repl = Repl(stage, LineReader(descriptor), typed=typed)
        await repl.run()
        stop()
    return 1 if repl.failed and not typed else 0
