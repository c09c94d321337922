"""The person at the terminal: asked line by line for a Tool's input by its schema, and for answers to questions."""

from __future__ import annotations

import json
import math
from collections.abc import Awaitable, Callable
from typing import Any

from host_bridge.cli.terminal import Terminal

Ask = Callable[[str], Awaitable[str | None]]
"""Print a prompt and read a line; None at the end of input."""

YES, NO = ("y", "yes"), ("n", "no")
LATER, DISMISS = "later", "dismiss"


class LeftError(Exception):
    """The person gave no answer: ``dismissed`` sends the question away, else it stays open."""

    def __init__(self, *, dismissed: bool = False) -> None:
        self.dismissed = dismissed
        super().__init__("dismissed" if dismissed else "left open")


class Person:
    """Types values. Of a question, ``later`` leaves it open and ``dismiss`` sends it away."""

    def __init__(self, ask: Ask, terminal: Terminal) -> None:
        self._ask = ask
        self._terminal = terminal
        self._answers = {
            "notice": self._acknowledge,
            "choice": self._choose,
            "confirm": self._confirm,
            "input": self._fill_form,
        }

    async def fill_in(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Type each property of an object schema; an empty line leaves out what may be. Raises LeftError."""
        values = {}
        for name, one in schema.get("properties", {}).items():
            needed = name in schema.get("required", ())
            value = await self._type(describe(name, one, needed), one, needed)
            if value is not None:
                values[name] = value
        return values

    async def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Answer a standard question (PROTOCOL 4.1); the result to submit. Raises LeftError."""
        return await self._answers[request["kind"]](request)

    async def _acknowledge(self, request: dict[str, Any]) -> dict[str, Any]:
        await self._until(f"Enter = {request.get('acknowledge_label', 'seen')}:", str)
        return {"acknowledged": True}

    async def _choose(self, request: dict[str, Any]) -> dict[str, Any]:
        actions = request["actions"]
        for number, action in enumerate(actions, 1):
            self._terminal.line(f"    {number}  {action['label']}  {action.get('description', '')}".rstrip())
        prompt = "numbers, with commas:" if request["mode"] == "multi-choice" else "number:"
        chosen = await self._until(prompt, lambda line: read_numbers(line, len(actions)))
        return {"action_ids": [actions[number - 1]["id"] for number in chosen]}

    async def _confirm(self, request: dict[str, Any]) -> dict[str, Any]:
        prompt = f"y = {request.get('approve_label', 'yes')}, n = {request.get('cancel_label', 'no')}:"
        return {"approved": await self._until(prompt, read_yes)}

    async def _fill_form(self, request: dict[str, Any]) -> dict[str, Any]:
        values = {}
        for field in request["fields"]:
            schema = {"type": "number" if field["type"] == "number" else "string"}
            needed = field.get("required", False)
            value = await self._type(describe(field["label"], schema, needed), schema, needed)
            if value is not None:
                values[field["id"]] = value
        return {"values": values}

    async def _type(self, prompt: str, schema: dict[str, Any], needed: bool) -> Any:
        def read(line: str) -> Any:
            if line:
                return read_value(line, schema)
            if needed:
                raise ValueError("this one is needed")
            return None

        return await self._until(f"{prompt}:", read)

    async def _until(self, prompt: str, read: Callable[[str], Any]) -> Any:
        """Ask again until the line can be read. Raises LeftError."""
        while True:
            line = await self._ask(prompt)
            if line is None or line.strip() in (LATER, DISMISS):
                raise LeftError(dismissed=line is not None and line.strip() == DISMISS)
            try:
                return read(line.strip())
            except ValueError as error:
                self._terminal.bad(str(error))


def describe(name: str, schema: dict[str, Any], needed: bool) -> str:
    """A value as a prompt: what may be typed, and whether it may be left out."""
    kind = " | ".join(map(str, schema["enum"])) if "enum" in schema else schema["type"]
    note = f" {schema['description']}" if "description" in schema else ""
    return f"{name} ({kind}{'' if needed else ', may be left out'}){note}"


def read_value(text: str, schema: dict[str, Any]) -> Any:
    """A typed line as the value that the schema's type wants. Raises ValueError that says what is wanted."""
    if schema["type"] == "string":
        return text
    if schema["type"] == "boolean":
        return read_yes(text)
    if schema["type"] == "number":
        return read_number(text)
    return read_json_value(text, f"type JSON of type {schema['type']}")


def read_json_value(text: str, wanted: str) -> Any:
    """JSON as typed. Raises ValueError with what is wanted."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError(wanted) from None


def read_number(text: str) -> int | float:
    """A finite number as typed. Raises ValueError."""
    value = read_json_value(text, "type a number")
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError("type a number")
    return value


def read_yes(line: str) -> bool:
    """Whether it is a yes. Raises ValueError."""
    if line.lower() not in YES + NO:
        raise ValueError("type y or n")
    return line.lower() in YES


def read_numbers(line: str, count: int) -> list[int]:
    """Numbers from 1 to ``count`` with commas between them. Raises ValueError."""
    parts = [part.strip() for part in line.split(",")]
    if not all(part.isdecimal() and 1 <= int(part) <= count for part in parts):
        raise ValueError(f"type numbers from 1 to {count}")
    return [int(part) for part in parts]
