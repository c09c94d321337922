"""The commands of ``lineup-host agent``: those of the Agent, and those of the person in front of the Host."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from host_bridge.agent import Call
from host_bridge.cli.narrator import shorten
from host_bridge.cli.person import Person, describe, read_json_value
from host_bridge.cli.questions import Questions
from host_bridge.cli.stage import Stage
from host_bridge.errors import HostError
from host_bridge.mirror import ShownSurface
from host_bridge.race import first_of

INTERACTIVE = "interaction."
USAGE_WIDTH = 22
SURFACE_SECONDS = 2.0
"""How long an app that was just opened may take to show its surface."""


class WrongCommandError(HostError):
    """A command that cannot be carried out as it was typed; the text says what to type instead."""


class Commands:
    """Carries out one line at a time and remembers the calls that were made."""

    def __init__(self, stage: Stage, person: Person, questions: Questions) -> None:
        self._stage = stage
        self._terminal = stage.terminal
        self._person = person
        self._questions = questions
        self._calls: list[Call] = []
        self._table: list[tuple[str, str, Callable[[str], Awaitable[None]]]] = [
            ("help", "list the commands", self._help),
            ("tools", "list the Tools of the inventory and their input", self._list_tools),
            ("call TOOL [JSON]", "invoke a Tool; without JSON each field is asked for", self._call),
            ("calls", "list the calls that were made here", self._list_calls),
            ("wait [NUMBER]", "wait for a call, or for all, or for the next question", self._wait),
            ("cancel [NUMBER]", "give a call up, the newest open one if none is named", self._cancel),
            ("dismiss [NUMBER]", "take a question back, the newest open one if none is named", self._dismiss),
            ("message TEXT", "say something to the user, in Markdown", self._message),
            ("say TEXT", "as the user, say something to the Agent", self._say),
            ("emit APP EVENT [JSON]", "as the user, do something in a MiniApp's surface", self._emit),
            ("answer", "as the user, answer the questions that were left open", self._answer),
            ("open APP", "as the user, open a MiniApp", self._open),
            ("close APP", "as the user, close a MiniApp", self._close),
            ("explain [NUMBER]", "tell a call's story, the newest one's if none is named", self._explain),
        ]

    async def obey(self, line: str) -> None:
        """Carry out one command. Raises HostError, TimeoutError, LeftError."""
        name, _, rest = line.partition(" ")
        for usage, _what, act in self._table:
            if usage.split()[0] == name:
                await act(rest.strip())
                return
        raise WrongCommandError(f"no such command: {name}; type help")

    # -- what there is
    async def _help(self, _: str) -> None:
        for usage, what, _act in self._table:
            self._terminal.line(f"  {usage:<{USAGE_WIDTH}} {what}")
        self._terminal.line(f"  {'quit':<{USAGE_WIDTH}} end, and leave nothing running")

    async def _list_tools(self, _: str) -> None:
        await self._stage.agent.revision()
        for tool_id, tool in sorted(self._stage.agent.tools.items()):
            self._terminal.line(f"  {tool_id}  {tool.get('description', '')}".rstrip())
            schema = tool["input_schema"]
            for name, one in schema.get("properties", {}).items():
                self._terminal.line(f"      {describe(name, one, name in schema.get('required', ()))}")

    async def _list_calls(self, _: str) -> None:
        for number, call in enumerate(self._calls, 1):
            self._terminal.line(f"  #{number} {call.tool_id}  {shorten(call.outcome) if call.outcome else 'open'}")

    async def _explain(self, rest: str) -> None:
        self._terminal.line(await self._stage.tell("explain", self._find(rest, self._calls).call_id))

    # -- the Agent
    async def _call(self, rest: str) -> None:
        tool_id, _, text = rest.partition(" ")
        await self._stage.agent.revision()
        tool = self._stage.agent.tools.get(tool_id)
        if tool is None:
            raise WrongCommandError(f"no such Tool: {tool_id or '(none named)'}; type tools")
        arguments = _read_object(text) if text else await self._person.fill_in(tool["input_schema"])
        call = await self._stage.agent.invoke(tool_id, arguments)
        self._calls.append(call)
        self._terminal.line(f"  #{len(self._calls)} {tool_id} is {call.call_id}")
        if tool_id.startswith(INTERACTIVE):
            await self._until_over_or_asked([call])

    async def _wait(self, rest: str) -> None:
        await self._until_over_or_asked([self._find(rest, self._calls)] if rest else self._calls)

    async def _cancel(self, rest: str) -> None:
        self._terminal.line(f"  {shorten(await self._stage.agent.cancel(self._find(rest, self._open_calls)))}")

    async def _dismiss(self, rest: str) -> None:
        self._terminal.line(f"  {shorten(await self._stage.agent.dismiss(self._find(rest, self._open_calls)))}")

    async def _message(self, rest: str) -> None:
        await self._stage.agent.say(_needed(rest, "message TEXT"))

    # -- the person
    async def _say(self, rest: str) -> None:
        text = _needed(rest, "say TEXT")
        await self._stage.host.view(await self._surface("chat"), "emit", event="send_text", payload={"text": text})
        await self._stage.agent.receive("message", lambda told: told["text"] == text)

    async def _emit(self, rest: str) -> None:
        app_scope, event, text = [*_needed(rest, "emit APP EVENT [JSON]").split(" ", 2), "", ""][:3]
        _needed(event, "emit APP EVENT [JSON]")
        payload = {"payload": _read_object(text)} if text else {}
        await self._stage.host.view(await self._surface(app_scope), "emit", event=event, **payload)

    async def _answer(self, _: str) -> None:
        if not self._questions.again():
            raise WrongCommandError("no question is open")

    async def _open(self, rest: str) -> None:
        app_scope, conversation_id = _needed(rest, "open APP"), self._stage.agent.conversation_id
        await self._stage.sidecar.call("miniapp.open", conversation_id=conversation_id, app_scope=app_scope)

    async def _close(self, rest: str) -> None:
        workspace = self._stage.host.screen.workspaces[self._stage.agent.conversation_id]
        instance = workspace.find(_needed(rest, "close APP"))
        if instance is None:
            raise WrongCommandError(f"{rest} is not open")
        await self._stage.sidecar.call("miniapp.close", instance_id=instance["instance_id"])

    # -- what they share
    @property
    def _open_calls(self) -> list[Call]:
        return [call for call in self._calls if call.outcome is None]

    def _find(self, text: str, otherwise: list[Call]) -> Call:
        """The call of that number, or the newest of those given."""
        number = text.removeprefix("#")
        if number.isdecimal() and 1 <= int(number) <= len(self._calls):
            return self._calls[int(number) - 1]
        if text or not otherwise:
            raise WrongCommandError(f"no such call{': ' + text if text else ''}; type calls")
        return otherwise[-1]

    async def _surface(self, app_scope: str) -> ShownSurface:
        try:
            return await self._stage.host.surface(app_scope, timeout=SURFACE_SECONDS)
        except TimeoutError:
            raise WrongCommandError(f"{app_scope} shows no surface") from None

    async def _until_over_or_asked(self, calls: list[Call]) -> None:
        async def over() -> None:
            for call in calls:
                await call.ended()

        await first_of(over, self._questions.until_one)


def _needed(text: str, usage: str) -> str:
    if not text:
        raise WrongCommandError(f"type {usage}")
    return text


def _read_object(text: str) -> dict[str, Any]:
    try:
        value = read_json_value(text, "")
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise WrongCommandError('type a JSON object, such as {"name": "value"}')
    return value
