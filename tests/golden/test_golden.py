"""Each golden transcript, asked of the real sidecar again: every answer and notification is as it was, whole."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from host_bridge.client import Sidecar
from host_bridge.errors import RpcError
from host_bridge.record import Notification
from tests.golden.transcript import Names, Step, read, write
from tests.requirements import REQUIREMENTS
from tests.scenarios.stage import begin, start_again

FILES = sorted(Path(__file__).parent.glob("*.json"))
AGENT = "agent-1"


class Player:
    """Plays one transcript in a conversation of its own."""

    def __init__(self, sidecar: Sidecar, conversation_id: str) -> None:
        self.sidecar = sidecar
        self.peer = {"agent_id": AGENT, "conversation_id": conversation_id}
        self.names = Names()
        self.heard: list[Notification] = []

    async def open(self) -> None:
        """Open the conversation; its inventory is acked before the transcript begins."""
        end = self.sidecar.listen(self.heard.append)
        snapshot = await self.sidecar.call("workspace.open", **self.peer)
        self.names.name(snapshot["foreground"], "instance_id")
        await self.sidecar.call("ping")
        told = [one.params for one in self.heard if one.params.get("peer") == self.peer]
        self.names.name([one["envelope"]["payload"]["revision"] for one in told])
        await self.sidecar.call("transport.ack", outbox_ids=[one["outbox_id"] for one in told])
        end()

    async def play(self, step: Step) -> Step:
        """Ask what a step asks; the step with what came of it."""
        self.heard.clear()
        end = self.sidecar.listen(self.heard.append)
        if "restart" in step:
            await start_again(self.sidecar)
        answer = await self._ask(step["ask"], self.names.value(step["params"]))
        await self.sidecar.call("ping")
        end()
        news = [self._told(one) for one in self.heard if self._is_ours(one.params)]
        return {**step, "answer": self.names.name(answer), "news": self.names.name(news)}

    async def _ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        try:
            return {"result": await self.sidecar.request(method, params)}
        except RpcError as error:
            return {"error": {"code": error.code, "message": error.message, "data": error.data}}

    def _is_ours(self, params: dict[str, Any]) -> bool:
        return f"'{self.peer['conversation_id']}'" in str(params) or self.names.knows(params)

    @staticmethod
    def _told(one: Notification) -> dict[str, Any]:
        return {"method": one.method, "params": one.params}


async def replay(player: Player, file: Path, anew: bool) -> None:
    """Play a transcript and compare, or record it anew."""
    transcript = read(file)
    await player.open()
    for number, step in enumerate(transcript["steps"]):
        played = await player.play(step)
        if anew:
            transcript["steps"][number] = played
        else:
            assert played == step, f"{file.name}, step {number + 1}: {step['ask']}"
    if anew:
        write(file, transcript)


@pytest.mark.requirement("A3", "A4", "A5", "A6", "A7", "A10", "A11", "P1-1", "P1-2", "P1-3", "P3-1", "P3-2")
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
async def test_a_transcript_is_as_it_was(file: Path, request: pytest.FixtureRequest, shared: Sidecar) -> None:
    await replay(Player(shared, f"golden {file.stem}"), file, request.config.getoption("--write-golden"))


def test_each_transcript_says_what_it_shows() -> None:
    for file in FILES:
        transcript = read(file)
        assert set(transcript) == {"about", "requirements", "steps"}
        assert transcript["about"].endswith(".")
        assert set(transcript["requirements"]) <= set(REQUIREMENTS)


def test_all_that_the_definition_wants_as_golden_messages_is_there() -> None:
    stems = {file.stem for file in FILES}
    assert stems >= {
        "cancel",
        "illegal_schema",
        "legal",
        "miniapp_choice",
        "miniapp_confirm",
        "miniapp_input",
        "notice",
        "owner_injection",
        "repeated",
        "repeated_final",
        "restart",
        "stale_revision",
        "timeout",
        "wrong_scope",
    }


async def test_a_session_begins_anew_with_the_same_answer(shared: Sidecar) -> None:
    first, second = await begin(shared), await begin(shared)
    first.pop("session_id")
    second.pop("session_id")
    assert first == second
