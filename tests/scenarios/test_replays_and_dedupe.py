"""What is said again: ids, duplicates, conflicts, receipts, and refusals that use no id up (RULES 1 and 2)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from host_bridge.errors import RpcError
from tests import stored
from tests.scenarios.conftest import OpenStage
from tests.scenarios.stage import CONFIRM, Stage

requirement = pytest.mark.requirement


async def invocation(stage: Stage, tool_id: str, call_id: str, given: dict[str, Any] | None = None) -> dict[str, Any]:
    """The payload of an invoke by the latest inventory."""
    revision = await stage.revision()
    return {"call_id": call_id, "tool_id": tool_id, "inventory_revision": revision, "input": given or {"n": 1}}


async def rows(stage: Stage) -> int:
    """How many rows the Agent was sent."""
    await stage.settle()
    return len({one["outbox_id"] for one in await stage.heard("transport.send", peer=stage.agent.peer)})


# -- a message id that was seen before


@requirement("R1-duplicate-repeats")
async def test_an_accepted_message_is_accepted_once(stage: Stage) -> None:
    app, _ = await stage.launch()
    answers = [await stage.say("once", message_id="same") for _ in range(3)]
    assert [one["status"] for one in answers] == ["accepted", "duplicate", "duplicate"]
    assert answers[1] == {"status": "duplicate", "code": None, "message": None, "receipt": None}
    assert len(await app.messages()) == 1


@requirement("R1-duplicate-repeats")
@pytest.mark.parametrize(
    ("type_", "payload", "code"),
    [
        ("tool.invoke", {"tool_id": "probe.nothing"}, "tool_not_advertised"),
        ("tool.invoke", {"inventory_revision": "inv_0000000000000000"}, "inventory_revision_mismatch"),
        ("tool.invoke", {"input": {"n": -1}}, "tool_input_invalid"),
        ("tool.call", {"kind": "confirm", "request": {"title": ""}}, "tool_input_invalid"),
        ("message", {"text": "x"}, "app_instance_not_found"),
    ],
)
async def test_a_replay_of_a_refusal_repeats_its_code_and_message(
    stage: Stage, type_: str, payload: dict[str, Any], code: str
) -> None:
    if type_ == "tool.invoke":
        payload = {**await invocation(stage, "probe.launch", "c"), **payload}
    if type_ == "tool.call":
        payload = {"call_id": "c", **payload}
    scope = {"app_scope": "probe"} if type_ == "message" else {}
    first = await stage.deliver(type_, payload, message_id="same", **scope)
    before = await rows(stage)
    again = await stage.deliver(type_, payload, message_id="same", **scope)
    assert (first["status"], first["code"], again["status"]) == ("rejected", code, "duplicate")
    assert (again["code"], again["message"], again["receipt"]) == (code, first["message"], None)
    assert await rows(stage) == before


@requirement("R1-duplicate-repeats")
async def test_a_replay_does_nothing_even_where_it_would_be_accepted_now(stage: Stage) -> None:
    payload = await invocation(stage, "probe.work", "c")
    assert (await stage.deliver("tool.invoke", payload, message_id="m"))["code"] == "app_instance_not_found"
    await stage.invoke("probe.launch")
    assert (await stage.deliver("tool.invoke", payload, message_id="m"))["code"] == "app_instance_not_found"
    assert len((await stage.open())["tool_calls"]) == 1


@requirement("R1-duplicate-repeats")
async def test_a_known_message_id_hides_whatever_else_it_carries(stage: Stage) -> None:
    await stage.invoke("probe.launch")
    await stage.say("first", message_id="m")
    answer = await stage.deliver("tool.invoke", await invocation(stage, "probe.launch", "new"), message_id="m")
    assert answer["status"] == "duplicate"
    app = await stage.mount("probe")
    assert len(await app.take_calls()) == 1


@requirement("R1-duplicate-repeats", "R5-dismiss-receipt", "P1-2")
async def test_a_replay_of_a_control_repeats_its_receipt(stage: Stage) -> None:
    call_id, _ = await stage.ask("confirm")
    control = {"control_id": "k", "call_id": call_id}
    first = await stage.deliver("interaction.dismiss", control, message_id="m")
    assert first["receipt"] == {**control, "outcome": "dismissed"}
    by_message = await stage.deliver("interaction.dismiss", control, message_id="m")
    by_control = await stage.deliver("interaction.dismiss", control, message_id="other")
    by_both = await stage.deliver("interaction.dismiss", control, message_id="other")
    expected = {"status": "duplicate", "code": None, "message": None, "receipt": first["receipt"]}
    assert by_message == by_control == by_both == expected
    assert len(await stage.sent("tool.result", call_id)) == 1


@requirement("R2-cancel-receipt", "R1-ids-of-a-peer")
async def test_a_control_id_stands_for_its_first_request(stage: Stage) -> None:
    app, call_id = await stage.launch()
    other = await stage.invoke("probe.work")
    receipt = await stage.agent.cancel(call_id, control_id="k")
    assert await stage.agent.cancel(other, control_id="k") == receipt
    assert await stage.agent.dismiss(other, control_id="k") == receipt
    assert (await app.get_call(other))["status"] == "running"


@requirement("R2-cancel-receipt", "P1-2")
@pytest.mark.parametrize("type_", ["tool.cancel", "interaction.dismiss"])
async def test_not_found_is_a_receipt_too_and_stays_the_answer(stage: Stage, type_: str) -> None:
    control = {"control_id": "k", "call_id": "later"}
    first = await stage.deliver(type_, control)
    assert (first["status"], first["receipt"]["outcome"]) == ("accepted", "not_found")
    tool_id = "probe.launch" if type_ == "tool.cancel" else "interaction.confirm"
    await stage.invoke(tool_id, {"n": 1} if type_ == "tool.cancel" else CONFIRM, call_id="later")
    again = await stage.deliver(type_, control)
    assert (again["status"], again["receipt"]["outcome"]) == ("duplicate", "not_found")
    assert await stage.result("later") is None
    assert (await stage.deliver(type_, {**control, "control_id": "k2"}))["receipt"]["outcome"] != "not_found"


# -- a call id that was seen before


@requirement("R2-known-call")
async def test_the_same_call_again_is_a_duplicate_while_it_is_open(stage: Stage) -> None:
    payload = await invocation(stage, "probe.launch", "c", {"n": 1, "tag": "a"})
    assert (await stage.deliver("tool.invoke", payload))["status"] == "accepted"
    turned = {**payload, "input": {"tag": "a", "n": 1.0}}
    assert (await stage.deliver("tool.invoke", turned))["status"] == "duplicate"
    app = await stage.mount("probe")
    assert len(await app.take_calls()) == 1


@requirement("R2-known-call")
@pytest.mark.parametrize(
    "change", [{"input": {"n": 2}}, {"tool_id": "probe.direct"}, {"tool_id": "interaction.notice"}]
)
async def test_other_content_is_a_conflict(stage: Stage, change: dict[str, Any]) -> None:
    payload = await invocation(stage, "probe.launch", "c")
    await stage.deliver("tool.invoke", payload)
    before = await rows(stage)
    answer = await stage.deliver("tool.invoke", {**payload, **change})
    assert (answer["status"], answer["code"]) == ("rejected", "call_id_conflict")
    assert await rows(stage) == before


@requirement("R2-known-call")
async def test_another_context_is_other_content(stage: Stage) -> None:
    await stage.start()
    session = (await stage.sent("app.session.opened"))[0]["app_session_id"]
    payload = await invocation(stage, "interaction.confirm", "c", CONFIRM)
    await stage.deliver("tool.invoke", payload)
    context = {"app_session_context": {"app_session_id": session}}
    assert (await stage.deliver("tool.invoke", {**payload, **context}))["code"] == "call_id_conflict"
    assert (await stage.deliver("tool.invoke", payload))["status"] == "duplicate"


@requirement("R2-known-call", "C-older-call")
async def test_both_forms_of_a_question_are_the_same_call(stage: Stage) -> None:
    payload = await invocation(stage, "interaction.confirm", "c", CONFIRM)
    assert (await stage.deliver("tool.invoke", payload))["status"] == "accepted"
    for request in (CONFIRM, {"kind": "confirm", **CONFIRM}):
        older = {"call_id": "c", "kind": "confirm", "request": request}
        assert (await stage.deliver("tool.call", older))["status"] == "duplicate"
    changed = {"call_id": "c", "kind": "confirm", "request": {**CONFIRM, "title": "Other"}}
    assert (await stage.deliver("tool.call", changed))["code"] == "call_id_conflict"
    assert len(await stage.items()) == 1


@requirement("R2-known-call", "R2-rejected-is-final", "A5")
async def test_an_ended_call_id_is_final_whatever_comes_with_it(stage: Stage) -> None:
    app, call_id = await stage.launch()
    await app.complete(call_id)
    rejected = "rejected"
    await stage.reject("probe.nothing", call_id=rejected)
    before = await rows(stage)
    for known in (call_id, rejected):
        for tool_id, given in (("probe.launch", {"n": 1}), ("probe.launch", {"n": 2}), ("probe.other", {})):
            assert await stage.reject(tool_id, given, call_id=known) == "call_already_final"
    assert await rows(stage) == before


# -- refusals that are answered alone


async def free(stage: Stage, call_id: str, message_id: str, tool_id: str = "probe.launch", **given: Any) -> None:
    """Neither id is used up: an invoke under both is accepted."""
    payload = await invocation(stage, tool_id, call_id, given or {"n": 1})
    assert (await stage.deliver("tool.invoke", payload, message_id=message_id))["status"] == "accepted"


@requirement("R1-answered-alone", "R1-refused-is-audited")
@pytest.mark.parametrize(
    "whole",
    [
        {"type": "lineup.v1.nonsense"},
        {"agent_id": "somebody"},
        {"conversation_id": "elsewhere"},
        {"extra": 1},
        {"app_scope": None},
        {"payload": {}},
        {"payload": {"call_id": "c"}},
        {"payload": []},
        {"message_id": ""},
        {"message_id": "m" * 129},
        {"message_id": 1},
        {"sent_at": 1},
    ],
    ids=lambda whole: str(whole)[:40],
)
async def test_a_malformed_envelope_leaves_nothing_behind(stage: Stage, whole: dict[str, Any]) -> None:
    sound = {
        "type": "lineup.v1.tool.invoke",
        "message_id": "m",
        "payload": await invocation(stage, "probe.launch", "c"),
    }
    before = await rows(stage)
    params = {"peer": stage.agent.peer, "envelope": {**sound, **whole}}
    answer = await stage.sidecar.request("transport.deliver", params)
    assert (answer["status"], answer["code"]) == ("rejected", "envelope_invalid")
    assert await rows(stage) == before
    assert [one["code"] for one in await stage.audit()][-1] == "envelope_invalid"
    await free(stage, "c", "m")


@requirement("R1-answered-alone")
async def test_a_malformed_envelope_opens_no_conversation(stage: Stage) -> None:
    peer = {"agent_id": "a", "conversation_id": f"{stage.conversation_id}-never"}
    answer = await stage.call("transport.deliver", peer=peer, envelope={"type": "x", "message_id": "m", "payload": {}})
    assert answer["code"] == "envelope_invalid"
    snapshot = await stage.call("workspace.open", **{**peer, "agent_id": "other"})
    assert snapshot["agent_id"] == "other"


@requirement("R1-answered-alone")
async def test_a_conflict_uses_no_message_id_up(stage: Stage) -> None:
    await free(stage, "c", "m1")
    other = await invocation(stage, "probe.launch", "c", {"n": 2})
    assert (await stage.deliver("tool.invoke", other, message_id="m2"))["code"] == "call_id_conflict"
    await free(stage, "d", "m2")


@requirement("R1-answered-alone")
async def test_an_ended_call_uses_no_message_id_up(stage: Stage) -> None:
    await stage.reject("probe.nothing", call_id="c")
    answer = await stage.deliver("tool.invoke", await invocation(stage, "probe.launch", "c"), message_id="m")
    assert answer["code"] == "call_already_final"
    await free(stage, "d", "m")


@requirement("R1-answered-alone", "R6-bound-calls")
async def test_a_bound_of_calls_uses_no_id_up(stage: Stage) -> None:
    app, first = await stage.launch()
    await stage.invoke_many("probe.work", [{"n": n} for n in range(99)])
    before = await rows(stage)
    answer = await stage.deliver("tool.invoke", await invocation(stage, "probe.launch", "c"), message_id="m")
    assert (answer["status"], answer["code"]) == ("rejected", "limit_exceeded")
    assert await rows(stage) == before
    assert [one["detail"] for one in await stage.audit() if one["code"] == "limit_exceeded"] != [None]
    await app.complete(first)
    await free(stage, "c", "m")


@requirement("R1-answered-alone", "R6-bound-questions")
async def test_a_bound_of_questions_uses_no_id_up(stage: Stage) -> None:
    calls = await stage.invoke_many("interaction.confirm", [CONFIRM] * 50)
    older = {"call_id": "c", "kind": "confirm", "request": CONFIRM}
    assert (await stage.deliver("tool.call", older, message_id="m"))["code"] == "limit_exceeded"
    await stage.agent.dismiss(calls[0])
    await free(stage, "c", "m", "interaction.confirm", **CONFIRM)


@requirement("R1-answered-alone", "R6-bound-inbox")
async def test_a_full_inbox_is_told_to_the_sender_and_uses_no_id_up(stage: Stage) -> None:
    app, _ = await stage.launch()
    envelope = {"type": "lineup.v1.message", "payload": {"text": "x"}, "app_scope": "probe"}
    calls = [
        ("transport.deliver", {"peer": stage.agent.peer, "envelope": {**envelope, "message_id": f"m{n}"}})
        for n in range(1_000)
    ]
    answers = await stage.sidecar.batch(calls)
    assert {one["status"] for one in answers} == {"accepted"}
    answer = await stage.say("too many", message_id="m")
    assert (answer["status"], answer["code"]) == ("rejected", "limit_exceeded")
    await app.sdk("inbox.acknowledge", message_id=(await app.messages())[0]["message_id"])
    assert (await stage.say("now", message_id="m"))["status"] == "accepted"


# -- whose ids they are


@requirement("R1-ids-of-a-peer")
async def test_ids_are_the_conversations_own(stage: Stage, open_stage: OpenStage) -> None:
    other = await open_stage(stage.sidecar, agent_id="agent-2")
    for one in (stage, other):
        app, _ = await one.launch()
        await free(one, "c", "m", "probe.work")
        assert (await one.say("hello", message_id="n"))["status"] == "accepted"
        assert len(await app.messages()) == 1
    assert (await stage.agent.cancel("c", control_id="k"))["outcome"] == "cancelled"
    assert (await other.agent.cancel("c", control_id="k"))["outcome"] == "cancelled"
    for one in (stage, other):
        assert (await one.result("c") or {})["reason"] == "agent_cancelled"


@requirement("R1-ids-of-a-peer")
async def test_ids_that_read_alike_in_a_row_are_different_ones(stage: Stage, open_stage: OpenStage) -> None:
    name = stage.conversation_id
    for conversation_id, call_id in ((f"{name} a", "b c"), (f"{name} a b", "c"), (f"{name} a ", " b c")):
        other = await open_stage(stage.sidecar, conversation_id)
        app, _ = await other.launch()
        await free(other, call_id, "m", "probe.work")
        await app.complete(call_id)
        assert (await other.result(call_id) or {})["status"] == "completed"
        assert await other.reject("probe.nothing", call_id=f"{call_id} again") == "tool_not_advertised"


@requirement("R1-speaker-then-right")
async def test_another_agent_has_no_say_in_the_conversation(stage: Stage) -> None:
    call_id = await stage.invoke("probe.launch")
    peer = {**stage.agent.peer, "agent_id": "impostor"}
    for type_, payload in [
        ("message", {"text": "x"}),
        ("tool.cancel", {"control_id": "k", "call_id": call_id}),
        ("tool.invoke", await invocation(stage, "probe.launch", "c")),
    ]:
        envelope = {"type": f"lineup.v1.{type_}", "message_id": "m", "payload": payload}
        answer = await stage.call("transport.deliver", peer=peer, envelope=envelope)
        assert (answer["status"], answer["code"]) == ("rejected", "envelope_invalid")
    with pytest.raises(RpcError) as caught:
        await stage.call("workspace.open", **peer)
    assert caught.value.refusal == "envelope_invalid"
    assert len((await stage.open())["tool_calls"]) == 1
    await free(stage, "c", "m")


@requirement("R1-duplicate-repeats", "R1-unique-in-the-store")
async def test_of_equal_envelopes_that_arrive_together_one_counts(stage: Stage) -> None:
    app, _ = await stage.launch()
    envelope = {"type": "lineup.v1.message", "payload": {"text": "x"}, "app_scope": "probe", "message_id": "m"}
    call = ("transport.deliver", {"peer": stage.agent.peer, "envelope": envelope})
    answers = await stage.sidecar.batch([call] * 20)
    assert [one["status"] for one in answers] == ["accepted", *["duplicate"] * 19]
    assert len(await app.messages()) == 1


@requirement("R1-unique-in-the-store")
async def test_the_store_itself_holds_what_may_be_there_once(alone: Stage, lineup_database: Path) -> None:
    app, call_id = await alone.launch()
    await app.complete(call_id)
    await alone.agent.cancel(call_id, control_id="k")
    await alone.sidecar.kill()
    copies = [
        "INSERT INTO receipt (conversation_id, control_id, call_id, outcome, created_at)"
        " SELECT conversation_id, control_id, call_id, outcome, created_at FROM receipt",
        "INSERT INTO delivery (conversation_id, message_id, created_at)"
        " SELECT conversation_id, message_id, created_at FROM delivery",
        "INSERT INTO outboxrow (outbox_id, conversation_id, type, payload, unique_key, created_at)"
        " SELECT 'another', conversation_id, type, payload, unique_key, created_at FROM outboxrow"
        " WHERE type = 'lineup.v1.tool.result'",
    ]
    for copy in copies:
        with pytest.raises(stored.Duplicate, match=r"(?i)unique"):
            stored.change(lineup_database, copy)
