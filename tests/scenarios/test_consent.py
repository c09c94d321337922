"""Consent: nothing but a person's yes, to what they were shown, has an effect, and the first answer is the only one."""

from __future__ import annotations

from typing import Any

import pytest

from host_bridge.client import Sidecar
from host_bridge.errors import RpcError
from tests.scenarios.conftest import OpenStage
from tests.scenarios.stage import MINUTE, App, Stage, begin, refused, restart

requirement = pytest.mark.requirement


async def want(app: App, **more: Any) -> tuple[str, str]:
    """Ask for what the policy asks the user about: the request, and the question."""
    request_id = await app.want("probe.asked", **more)
    asked = [one for one in await app.stage.items() if one["record"]["owner"]["source"] == "runtime_policy"]
    return request_id, asked[-1]["record"]["interaction_id"]


async def effects(stage: Stage) -> list[str]:
    """What the Host was told to do."""
    return [one["request_id"] for one in await stage.heard("capability.requested")]


@requirement("R8-chain", "A5")
@pytest.mark.parametrize(
    "given",
    [
        *({"approved": False}, {}, {"approved": None}, {"approved": "yes"}, {"approved": 1}),
        *({"confirm": True}, {"action": "ok"}, {"approved": True, "more": 1}, [], None, "approved"),
    ],
    ids=str,
)
async def test_only_a_sound_yes_has_an_effect(stage: Stage, given: Any) -> None:
    app = await stage.start()
    request_id, asked = await want(app)
    if given == {"approved": False}:
        assert await stage.answer(asked, given) == "submitted"
    else:
        with refused("interaction_result_invalid"):
            await stage.answer(asked, given)
        assert (await stage.item(asked))["record"]["status"] == "pending"
    assert await effects(stage) == []
    if given != {"approved": False}:
        await stage.answer(asked, {"approved": True})
        assert await effects(stage) == [request_id]


@requirement("R8-reasons")
async def test_a_host_that_shows_no_questions_agrees_to_nothing(own: Sidecar, open_stage: OpenStage) -> None:
    await begin(own, renderers=["im-card"])
    stage = await open_stage(own)
    app = await stage.start()
    with pytest.raises(RpcError):
        await app.want("probe.asked")
    assert await effects(stage) == []


@requirement("R6-tokens-void", "R8-chain")
async def test_a_host_that_has_gone_has_agreed_to_nothing(own: Sidecar, open_stage: OpenStage) -> None:
    stage = await open_stage(own)
    _, asked = await want(await stage.start())
    await stage.call("renderer.presented", interaction_id=asked)
    await restart(own)
    await stage.open()
    assert (await stage.item(asked))["record"]["status"] == "presented"
    assert await effects(stage) == []


async def test_leftovers_of_an_answer_do_not_go_with_a_dismissal(stage: Stage) -> None:
    call_id, asked = await stage.ask("input")
    for leftover in ({"result": {"values": {"name": "Ada"}}}, {"content": None}, {"values": {}}):
        with pytest.raises(RpcError) as caught:
            await stage.sidecar.request("renderer.cancel", {"interaction_id": asked, **leftover})
        assert caught.value.code == -32602
    assert (await stage.item(asked))["record"]["status"] == "pending"
    await stage.call("renderer.cancel", interaction_id=asked)
    ended = await stage.result(call_id) or {}
    assert (ended["status"], ended["reason"], "result" in ended) == ("cancelled", "user_cancelled", False)


@requirement("R1-first-ending-wins", "R1-submitted-is-final")
@pytest.mark.parametrize("first", [True, False], ids=["yes", "no"])
async def test_the_first_of_two_answers_in_one_write_is_the_answer(stage: Stage, first: bool) -> None:
    call_id, asked = await stage.ask("confirm")
    answers = [{"interaction_id": asked, "result": {"approved": yes}} for yes in (first, not first, first)]
    statuses = await stage.sidecar.batch([("renderer.submit", answer) for answer in answers])
    assert statuses[0] == {"status": "submitted"}
    for late in statuses[1:]:
        assert isinstance(late, RpcError)
        assert (late.refusal, late.data["status"]) == ("interaction_already_final", "submitted")
    [told] = await stage.sent("tool.result", call_id)
    assert told["result"] == {"approved": first}


@requirement("R1-first-ending-wins")
async def test_an_answer_stands_after_a_restart(own: Sidecar, open_stage: OpenStage) -> None:
    stage = await open_stage(own)
    call_id, asked = await stage.ask("confirm")
    await stage.answer(asked, {"approved": False})
    await restart(own)
    await stage.open()
    with refused("interaction_already_final"):
        await stage.answer(asked, {"approved": True})
    assert (await stage.result(call_id) or {})["result"] == {"approved": False}


@requirement("R8-chain", "R5-policys-question")
async def test_a_yes_is_for_one_request_with_the_arguments_that_it_came_with(stage: Stage) -> None:
    app = await stage.start()
    first, asked = await want(app, arguments={"path": "a"})
    second, other = await want(app, arguments={"path": "b"})
    assert asked != other
    await stage.answer(asked, {"approved": True})
    [told] = await stage.heard("capability.requested")
    assert (told["request_id"], told["arguments"]) == (first, {"path": "a"})
    await stage.advance(MINUTE)
    third, again = await want(app, arguments={"path": "a"})
    assert len({asked, other, again}) == 3  # a yes is not remembered
    await stage.answer(other, {"approved": False})
    assert second not in await effects(stage)
    assert third not in await effects(stage)
