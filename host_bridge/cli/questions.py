"""Put open questions to the person, the oldest first, each once unless asked for again."""

from __future__ import annotations

import math
from typing import Any

from host_bridge.cli.narrator import describe_question
from host_bridge.cli.person import LeftError, Person
from host_bridge.cli.terminal import Terminal
from host_bridge.headless import HeadlessHost


class Questions:
    """What the screen shows and the person has not been asked yet."""

    def __init__(self, host: HeadlessHost, person: Person, terminal: Terminal) -> None:
        self._host = host
        self._person = person
        self._terminal = terminal
        self._put: set[str] = set()

    def next(self) -> dict[str, Any] | None:
        """The oldest question that is shown and was not put."""
        for interaction_id, item in self._host.screen.questions.items():
            if interaction_id not in self._put and item["placement"]["mode"] != "deferred":
                return item
        return None

    async def until_one(self) -> None:
        """Wait until there is one, however long it takes."""
        await self._host.until(lambda _: self.next(), math.inf)

    async def put(self, item: dict[str, Any]) -> None:
        """Ask the person and submit the answer, or send the question away. Raises RpcError."""
        self._put.add(item["record"]["interaction_id"])
        self._terminal.line(f"  ? {describe_question(item)}")
        try:
            result = await self._person.answer(item["record"]["request"])
        except LeftError as left:
            if left.dismissed:
                await self._host.dismiss(item)
        else:
            await self._host.submit(item, result)

    def again(self) -> bool:
        """Put all open questions again; False where there is none."""
        self._put.clear()
        return self.next() is not None
