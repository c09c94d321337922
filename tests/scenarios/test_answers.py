"""What may be asked and what may be answered; what has ended stays so (RULES 5, PROTOCOL 4.1)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from host_bridge.errors import RpcError
from tests.scenarios.stage import (
    ANSWERS,
    CHOICE,
    CONFIRM,
    DAY,
    FORM,
    MINUTE,
    NOTICE,
    QUESTIONS,
    Stage,
    refused,
)

requirement = pytest.mark.requirement

ANSWERABLE = ["choice", "confirm", "input"]


def lifetime_ms(record: dict[str, Any]) -> float:
    """How long a record's question may be answered, in milliseconds."""
    created, expires = (datetime.fromisoformat(record[name]) for name in ("created_at", "expires_at"))
    return (expires - created).total_seconds() * 1_000


async def present(stage: Stage, interaction_id: str) -> str:
    """The user sees it; its status."""
    status: str = (await stage.call("renderer.presented", interaction_id=interaction_id))["status"]
    return status


# -- what may be asked and answered


@requirement("P3-1", "C-expires-in-ms")
@pytest.mark.parametrize("kind", ANSWERABLE)
@pytest.mark.parametrize(("asked_for", "lives"), [(None, 900_000), (60_000, 60_000), (86_400_000, 86_400_000)])
async def test_the_expiry_is_the_runtimes(stage: Stage, kind: str, asked_for: int | None, lives: int) -> None:
    given = {} if asked_for is None else {"expires_in_ms": asked_for}
    _, asked = await stage.ask(kind, {**QUESTIONS[kind], **given})
    assert lifetime_ms((await stage.item(asked))["record"]) == lives
    app = await stage.start()
    receipt = await app.sdk("ui.request", request={"kind": kind, **QUESTIONS[kind], **given})
    record = await app.record(receipt["interaction_id"])
    assert (receipt["status"], receipt["expires_at"]) == ("pending", record["expires_at"])
    assert lifetime_ms(record) == lives


LONG = "x" * 201
ACTION = {"id": "a", "label": "A"}
FIELD = {"id": "f", "label": "F", "type": "text"}
NUMBER = {"id": "f", "label": "F", "type": "number"}
UNSOUND = [
    ("notice", {**NOTICE, "expires_in_ms": MINUTE}),
    ("notice", {**NOTICE, "prompt": "p"}),
    ("notice", {"title": "t"}),
    ("notice", {**NOTICE, "acknowledge_label": ""}),
    ("confirm", {**CONFIRM, "expires_in_ms": MINUTE - 1}),
    ("confirm", {**CONFIRM, "expires_in_ms": DAY + 1}),
    ("confirm", {**CONFIRM, "expires_in_ms": MINUTE + 0.5}),
    ("confirm", {**CONFIRM, "expires_in_ms": "60000"}),
    ("confirm", {**CONFIRM, "expires_in_ms": None}),
    ("confirm", {**CONFIRM, "expires_at": "2030-01-01T00:00:00.000Z"}),
    ("confirm", {**CONFIRM, "title": LONG}),
    ("confirm", {**CONFIRM, "prompt": "x" * 4_001}),
    ("confirm", {**CONFIRM, "approve_label": LONG}),
    ("confirm", {"prompt": "p"}),
    ("choice", {**CHOICE, "prompts": ["p"]}),
    ("choice", {name: CHOICE[name] for name in ("title", "mode", "actions")}),
    ("choice", {**CHOICE, "mode": "radio"}),
    ("choice", {**CHOICE, "actions": []}),
    ("choice", {**CHOICE, "actions": [ACTION, ACTION]}),
    ("choice", {**CHOICE, "actions": [{"id": f"{n}", "label": "L"} for n in range(51)]}),
    ("choice", {**CHOICE, "actions": [{"id": "a"}]}),
    ("choice", {**CHOICE, "actions": [{**ACTION, "url": "https://example.org"}]}),
    ("input", {**FORM, "fields": []}),
    ("input", {**FORM, "fields": [FIELD, FIELD]}),
    ("input", {**FORM, "fields": [{**FIELD, "id": f"{n}"} for n in range(21)]}),
    ("input", {**FORM, "fields": [{**FIELD, "type": "password"}]}),
    ("input", {**FORM, "fields": [{**FIELD, "minimum": 1}]}),
    ("input", {**FORM, "fields": [{**NUMBER, "max_length": 1}]}),
    ("input", {**FORM, "fields": [{**FIELD, "min_length": 3, "max_length": 2}]}),
    ("input", {**FORM, "fields": [{**NUMBER, "minimum": 3, "maximum": 2.5}]}),
    ("input", {**FORM, "fields": [{**FIELD, "min_length": -1}]}),
    ("input", {**FORM, "fields": [{**FIELD, "required": "yes"}]}),
]


@requirement("P3-1", "C-one-prompt", "A4", "A5")
@pytest.mark.parametrize(("kind", "request_"), UNSOUND)
async def test_a_question_that_is_not_allowed_is_not_asked(stage: Stage, kind: str, request_: dict[str, Any]) -> None:
    app = await stage.start()
    assert await stage.reject(f"interaction.{kind}", request_) == "tool_input_invalid"
    older = {"call_id": "older", "kind": kind, "request": request_}
    assert (await stage.deliver("tool.call", older))["code"] == "tool_input_invalid"
    with refused("interaction_request_invalid"):
        await app.ask(kind, request_)
    assert await stage.items() == []


@pytest.mark.parametrize("request_", [None, [], "confirm", {}, {"kind": "video", **CONFIRM}, {"kind": None}], ids=str)
async def test_a_request_of_no_kind_is_a_refusal_too(stage: Stage, request_: object) -> None:
    app = await stage.start()
    with refused("interaction_request_invalid"):
        await app.sdk("ui.request", request=request_)


FIELDS = [
    {"id": "name", "label": "Name", "type": "text", "required": True, "min_length": 2, "max_length": 5},
    {"id": "age", "label": "Age", "type": "number", "minimum": 0, "maximum": 150.5},
    {"id": "note", "label": "Note", "type": "textarea"},
]
FULL_FORM = {"title": "Form", "prompt": "Fill in", "fields": FIELDS}
SINGLE = {**CHOICE, "mode": "single-choice"}
BUTTON = {**CHOICE, "mode": "button"}


@requirement("A6")
@pytest.mark.parametrize(
    ("kind", "request_", "given", "kept"),
    [
        ("choice", CHOICE, {"action_ids": ["c", "a", "c"]}, {"action_ids": ["c", "a"]}),
        ("choice", SINGLE, {"action_ids": ["b", "b"]}, {"action_ids": ["b"]}),
        ("choice", BUTTON, {"action_ids": ["b"]}, {"action_ids": ["b"]}),
        ("confirm", CONFIRM, {"approved": False}, {"approved": False}),
        ("input", FULL_FORM, {"values": {"name": "汉字𝄞𝄞𝄞"}}, {"values": {"name": "汉字𝄞𝄞𝄞"}}),
        ("input", FULL_FORM, {"values": {"age": 150.5, "name": "ab"}}, {"values": {"name": "ab", "age": 150.5}}),
        ("input", FULL_FORM, {"values": {"name": "ab", "note": ""}}, {"values": {"name": "ab", "note": ""}}),
    ],
)
async def test_an_answer_is_kept_in_its_final_form(
    stage: Stage, kind: str, request_: dict[str, Any], given: dict[str, Any], kept: dict[str, Any]
) -> None:
    call_id, asked = await stage.ask(kind, request_)
    await stage.answer(asked, given)
    assert (await stage.result(call_id) or {})["result"] == kept


@requirement("A5", "R1-refused-reaches-nobody")
@pytest.mark.parametrize(
    ("kind", "request_", "given"),
    [
        ("notice", NOTICE, {"acknowledged": False}),
        ("notice", NOTICE, {"acknowledged": 1}),
        ("notice", NOTICE, {}),
        ("choice", CHOICE, {"action_ids": []}),
        ("choice", CHOICE, {"action_ids": ["a", "z"]}),
        ("choice", CHOICE, {"action_ids": "a"}),
        ("choice", CHOICE, {"action_ids": [1]}),
        ("choice", SINGLE, {"action_ids": ["a", "b"]}),
        ("choice", BUTTON, {"action_ids": ["a", "b"]}),
        ("choice", CHOICE, {"action_ids": ["a"], "more": 1}),
        ("confirm", CONFIRM, {"approved": None}),
        ("confirm", CONFIRM, {"approved": 1}),
        ("confirm", CONFIRM, {"approved": "true"}),
        ("confirm", CONFIRM, {"action_ids": ["a"]}),
        ("confirm", CONFIRM, []),
        ("confirm", CONFIRM, None),
        ("input", FULL_FORM, {"values": {}}),
        ("input", FULL_FORM, {"values": {"name": "x"}}),
        ("input", FULL_FORM, {"values": {"name": "𝄞𝄞𝄞𝄞𝄞𝄞"}}),
        ("input", FULL_FORM, {"values": {"name": None}}),
        ("input", FULL_FORM, {"values": {"name": 5}}),
        ("input", FULL_FORM, {"values": {"name": "abc", "age": "7"}}),
        ("input", FULL_FORM, {"values": {"name": "abc", "age": True}}),
        ("input", FULL_FORM, {"values": {"name": "abc", "age": 150.6}}),
        ("input", FULL_FORM, {"values": {"name": "abc", "age": -0.1}}),
        ("input", FULL_FORM, {"values": {"name": "abc", "other": "x"}}),
        ("input", FULL_FORM, {"values": [["name", "abc"]]}),
    ],
)
async def test_an_answer_that_does_not_fit_leaves_the_question_as_it_was(
    stage: Stage, kind: str, request_: dict[str, Any], given: Any
) -> None:
    call_id, asked = await stage.ask(kind, request_)
    before = await stage.items()
    with refused("interaction_result_invalid"):
        await stage.answer(asked, given)
    assert await stage.items() == before
    assert await stage.result(call_id) is None
    assert await stage.heard("renderer.retract") == []


@requirement("R5-host-answers-alone")
async def test_no_token_answers(stage: Stage) -> None:
    app = await stage.start()
    asked = await app.ask()
    answer = {"interaction_id": asked, "result": {"approved": True}}
    with pytest.raises(RpcError) as caught:
        await stage.sidecar.request("renderer.submit", {**answer, "context_token": app.token})
    assert caught.value.code == -32602
    for method in ("sdk.renderer.submit", "sdk.renderer.presented", "sdk.ui.submit", "sdk.ui.answer", "sdk.ui.present"):
        with pytest.raises(RpcError) as caught:
            await stage.sidecar.request(method, {**answer, "context_token": app.token})
        assert caught.value.code == -32601
    assert (await app.record(asked))["status"] == "pending"


@requirement("R1-first-ending-wins", "R1-submitted-is-final", "A5")
@pytest.mark.parametrize("ending", ["submit", "cancel", "dismiss", "expire"])
async def test_an_ended_question_stays_as_it_ended(stage: Stage, ending: str) -> None:
    call_id, asked = await stage.ask("input")
    match ending:
        case "submit":
            await stage.answer(asked, ANSWERS["input"])
        case "cancel":
            await stage.call("renderer.cancel", interaction_id=asked)
        case "dismiss":
            await stage.agent.dismiss(call_id)
        case "expire":
            await stage.advance(15 * MINUTE)
    before = await stage.result(call_id)
    status = {"submit": "submitted", "cancel": "cancelled", "dismiss": "cancelled", "expire": "expired"}[ending]
    for method, params in [
        ("submit", {"result": {"values": {"name": "Late"}}}),
        ("submit", {"result": {"unsound": True}}),
        ("cancel", {}),
        ("presented", {}),
        ("saveDraft", {"draft": {"values": {}}}),
    ]:
        with refused("interaction_already_final", status=status):
            await stage.call(f"renderer.{method}", interaction_id=asked, **params)
    assert await stage.result(call_id) == before
    assert len(await stage.heard("renderer.retract", interaction_id=asked)) == 1


async def test_an_unknown_question_is_not_found(stage: Stage) -> None:
    for method, params in [
        ("submit", {"result": {}}),
        ("cancel", {}),
        ("presented", {}),
        ("saveDraft", {"draft": {"values": {}}}),
    ]:
        with refused("interaction_not_found"):
            await stage.call(f"renderer.{method}", interaction_id="nothing", **params)
    assert (await stage.call("renderer.list", conversation_id="no-such-conversation"))["items"] == []


@requirement("R6-bound-questions")
async def test_questions_of_an_instance_and_of_a_conversation_are_bounded(stage: Stage) -> None:
    app, other = await stage.start(), await stage.start("probe-two")
    await app.want("probe.asked")
    own = [await app.ask() for _ in range(7)]
    for again in range(2):
        with refused("limit_exceeded", limit="open_interactions_of_instance", bound=8, actual=8):
            await (app.ask() if again else app.want("probe.asked"))
    await stage.invoke_many("interaction.confirm", [CONFIRM] * 42)
    for one in (app, other):
        with refused("limit_exceeded", limit="open_interactions", bound=50, actual=50):
            await one.ask()
    await stage.answer(own[0], {"approved": True})
    await other.ask()


# -- what is wrong with a question


@pytest.mark.parametrize(
    ("question", "path"),
    [
        ({"kind": "confirm", **CONFIRM, "expires_in_ms": 1}, "expires_in_ms"),
        ({"kind": "input", **FORM, "fields": [{"id": "a", "label": "A", "type": "secret-kind"}]}, "fields.0.type"),
        ({"kind": "secret-kind", **CONFIRM}, "kind"),
        ({"kind": ["secret-kind"], **CONFIRM}, "kind"),
        (CONFIRM, "kind"),
        ("secret-kind", ""),
    ],
    ids=["bound", "field", "kind", "kind's type", "no kind", "no object"],
)
async def test_a_fault_of_a_question_is_named_by_its_place_and_repeats_nothing(
    stage: Stage, question: Any, path: str
) -> None:
    app, _ = await stage.launch()
    with pytest.raises(RpcError) as caught:
        await app.sdk("ui.request", request=question)
    assert caught.value.refusal == "interaction_request_invalid"
    assert [error["path"] for error in caught.value.data["errors"]] == [path]
    assert "secret-kind" not in str(caught.value.data)
