"""Tell in one line each what happens: what reaches the Agent and what the person would see."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

from host_bridge.cli.stage import Stage
from host_bridge.record import Notification

SHORT = 160


class Narrator:
    """Prints what happens while it listens. Where ``questions`` is False, somebody else tells of these."""

    def __init__(self, stage: Stage, *, questions: bool = True) -> None:
        self._stage = stage
        self._terminal = stage.terminal
        self._foreground: str | None = None
        self._host = _HOST if questions else {name: told for name, told in _HOST.items() if name != "renderer.present"}

    def listen(self) -> Callable[[], None]:
        """Begin to tell; the result ends it."""
        ends = ExitStack()
        ends.callback(self._stage.agent.listen(self._tell_agent))
        ends.callback(self._stage.sidecar.listen(self._tell_host))
        return ends.close

    def _tell_agent(self, row: Notification) -> None:
        told = _AGENT.get(row.method)
        if told:
            self._terminal.say("agent", told(self, row.params), "agent")

    def _tell_host(self, news: Notification) -> None:
        told = self._host.get(news.method)
        text = told(self, news.params) if told else None
        if text:
            self._terminal.say("host", text, "app")

    def name_call(self, call_id: str) -> str:
        """A call by its Tool, where this Agent knows it."""
        call = self._stage.agent.calls.get(call_id)
        return call.tool_id if call else call_id

    def _progress(self, payload: dict[str, Any]) -> str:
        progress = payload["progress"]
        parts = [self._terminal.bar(progress["percent"])] if "percent" in progress else []
        parts += [progress[name] for name in ("state", "message") if name in progress]
        return f"{self.name_call(payload['call_id'])}  {'  '.join(parts)}"

    def _result(self, payload: dict[str, Any]) -> str:
        rest = {name: value for name, value in payload.items() if name not in ("call_id", "status")}
        return f"{self.name_call(payload['call_id'])}: {payload['status']}  {shorten(rest) if rest else ''}".rstrip()

    def _foreground_changed(self, news: dict[str, Any]) -> str | None:
        if news["foreground"] == self._foreground:
            return None
        self._foreground = news["foreground"]
        names = {one["instance_id"]: one["app_scope"] for one in news["instances"]}
        return f"in front: {names.get(news['foreground'], 'nothing')}"


def shorten(value: Any) -> str:
    """JSON in one line of bounded length."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= SHORT else text[: SHORT - 1] + "…"


def describe_question(item: dict[str, Any]) -> str:
    """A question in one line: who asks, and what."""
    record = item["record"]
    asker = "the Agent" if record["owner"]["source"] == "agent_tool" else record["owner"]["app_scope"]
    request = record["request"]
    return f'{asker} asks ({record["kind"]}) "{request["title"]}": {request.get("prompt", request.get("message"))}'


_AGENT: dict[str, Callable[[Narrator, dict[str, Any]], str]] = {
    "client.inventory": lambda _, told: f"inventory {told['revision']}: {len(told['tools'])} Tools",
    "message": lambda _, told: f"the user says: {told['text']}",
    "tool.progress": Narrator._progress,
    "tool.result": Narrator._result,
    "tool.rejected": lambda it, told: f"{it.name_call(told['call_id'])} rejected, {told['code']}: {told['message']}",
    "app.session.opened": lambda _, told: f"an app session with {told['app_scope']} begins",
    "app.session.closed": lambda _, told: f"the app session with {told['app_scope']} ends: {told['reason']}",
}

_HOST: dict[str, Callable[[Narrator, dict[str, Any]], str | None]] = {
    "workspace.changed": Narrator._foreground_changed,
    "surface.opened": lambda _, told: f"surface opened: {told['surface']['title']}",
    "surface.closed": lambda _, told: f"surface closed: {told['reason']}",
    "renderer.present": lambda _, told: describe_question(told["item"]),
    "renderer.retract": lambda _, told: f"the question is {told['status']}",
    "miniapp.failed": lambda _, told: f"{told['app_scope']} failed: {told['message']}",
}
