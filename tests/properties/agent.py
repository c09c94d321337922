"""The model: what an Agent's envelope brings about, and what the transport is answered (RULES 1 and 2, PROTOCOL 7)."""

from __future__ import annotations

from typing import Any

from tests.properties.questions import ask, check_room, end_question
from tests.properties.records import Call, Conversation, Delivery, Whatever
from tests.properties.tools import KINDS, TOOLS, Tool, declares, fits, listens, verdict
from tests.properties.world import Refuse, World

ALONE = ("envelope_invalid", "call_id_conflict", "call_already_final", "limit_exceeded")
"""Refusals that leave nothing behind."""


class Duplicate(Exception):  # noqa: N818 - a prediction
    """The same call is open."""


def deliver(world: World, where: Conversation, envelope: dict[str, Any]) -> dict[str, Any]:
    """Carry out a well-formed envelope: status, code and receipt of the answer."""
    if envelope.get("agent_id", where.agent) != where.agent:
        return _answer("rejected", "envelope_invalid")
    seen = where.deliveries.get(envelope["message_id"])
    if seen is not None:
        return _answer("duplicate", seen.code, seen.receipt)
    world.open(where)
    code, receipt, replay = None, None, False
    try:
        receipt, replay = _ACTS[envelope["type"].removeprefix("lineup.v1.")](world, where, envelope)
    except Duplicate:
        replay = True
    except Refuse as refusal:
        if refusal.code in ALONE:
            return _answer("rejected", refusal.code)
        code = refusal.code
    where.deliveries[envelope["message_id"]] = Delivery(code, receipt)
    return _answer("duplicate" if replay else "rejected" if code else "accepted", code, receipt)


def _answer(status: str, code: str | None = None, receipt: dict[str, Any] | None = None) -> dict[str, Any]:
    return {"status": status, "code": code, "message": Whatever() if code else None, "receipt": receipt}


# -- calls


def _invoke(world: World, where: Conversation, envelope: dict[str, Any]) -> tuple[None, bool]:
    payload = envelope["payload"]
    _call(world, where, envelope, payload["tool_id"], payload["input"], payload["inventory_revision"])
    return None, False


def _older_call(world: World, where: Conversation, envelope: dict[str, Any]) -> tuple[None, bool]:
    kind = envelope["payload"]["kind"]
    request = {name: value for name, value in envelope["payload"]["request"].items() if (name, value) != ("kind", kind)}
    _call(world, where, envelope, f"interaction.{kind}", request, None)
    return None, False


def _call(
    world: World,
    where: Conversation,
    envelope: dict[str, Any],
    tool_id: str,
    given: dict[str, Any],
    revision: str | None,
) -> None:
    session = envelope["payload"].get("app_session_context", {}).get("app_session_id")
    call = Call(envelope["payload"]["call_id"], tool_id, given, session, world.now())
    known = where.calls.get(call.id)
    if known is not None:
        if not known.is_open:
            raise Refuse("call_already_final")
        if (known.tool, known.input, known.session) == (call.tool, call.input, call.session):
            raise Duplicate
        raise Refuse("call_id_conflict")
    try:
        if revision not in (None, world.inventory):
            raise Refuse("inventory_revision_mismatch")
        if tool_id.removeprefix("interaction.") in KINDS and tool_id.startswith("interaction."):
            _question(world, where, envelope, call)
        else:
            _route(world, where, envelope, call)
    except Refuse as refusal:
        if refusal.code not in ALONE:
            _reject(world, where, call, refusal.code)
        raise


def _reject(world: World, where: Conversation, call: Call, code: str) -> None:
    call.status, call.input = "rejected", {}
    where.calls[call.id] = call
    gone = call.tool not in TOOLS and not call.tool.startswith("interaction.")
    off = call.tool in TOOLS and not world.enabled[TOOLS[call.tool].app]
    stale = {"tool": None if gone or off else Whatever()} if code == "inventory_revision_mismatch" else {}
    world.say(
        where,
        "tool.rejected",
        call_id=call.id,
        code=code,
        message=Whatever(),
        inventory_revision=world.inventory,
        **stale,
    )


def _route(world: World, where: Conversation, envelope: dict[str, Any], call: Call) -> None:
    tool = _checked(world, envelope, call)
    live = where.live(tool.app)
    if envelope.get("instance_id") not in (None, live.id if live else ""):
        raise Refuse("app_instance_not_found")
    if live is None and tool.handling in ("foreground", "operation"):
        raise Refuse("app_instance_not_found")
    forward = tool.front or tool.handling in ("launch", "foreground")
    owner = live or world.make(where, tool.app, in_front=forward, call_id=call.id)
    if forward:
        world.bring_forward(owner, restore=tool.restore)
    call.owner = owner
    call.deadline = None if tool.timeout is None else call.born + tool.timeout
    where.calls[call.id] = call
    world.hand_over(owner)


def _checked(world: World, envelope: dict[str, Any], call: Call) -> Tool:
    tool = TOOLS.get(call.tool)
    if tool is None:
        raise Refuse("tool_not_advertised")
    if not world.enabled[tool.app]:
        raise Refuse("app_disabled")
    if not fits(call.input):
        raise Refuse("tool_input_invalid")
    if envelope.get("app_scope") not in (None, tool.app):
        raise Refuse("app_scope_mismatch")
    if call.session is not None:
        raise Refuse("app_session_invalid")
    if any(not declares(tool.app, one) or verdict(one) == "deny" for one in tool.permissions):
        raise Refuse("capability_denied")
    return tool


def _question(world: World, where: Conversation, envelope: dict[str, Any], call: Call) -> None:
    chat = where.live("chat")
    assert chat is not None
    if not call.input.get("title"):
        raise Refuse("tool_input_invalid")
    if envelope.get("app_scope") not in (None, "chat"):
        raise Refuse("app_scope_mismatch")
    sessions = [one.session for one in where.instances if one.session]
    if call.session is not None and call.session not in sessions:
        raise Refuse("app_session_invalid")
    if envelope.get("instance_id") not in (None, chat.id):
        raise Refuse("app_instance_not_found")
    check_room(world, "agent_tool", chat)
    where.calls[call.id] = call
    kind = call.tool.removeprefix("interaction.")
    ask(world, "agent_tool", chat, {**call.input, "kind": kind}, call=call, session=call.session)


# -- messages and controls


def _message(world: World, where: Conversation, envelope: dict[str, Any]) -> tuple[None, bool]:
    app, payload = envelope.get("app_scope", "chat"), envelope["payload"]
    if app not in world.enabled:
        raise Refuse("app_scope_mismatch")
    if not world.enabled[app]:
        raise Refuse("app_disabled")
    if not listens(app):
        raise Refuse("permission_denied")
    live = where.live(app)
    if live is None or envelope.get("instance_id") not in (None, live.id):
        raise Refuse("app_instance_not_found")
    world.put(live, "agent.message", text=payload["text"], format=payload.get("format", "markdown"))
    return None, False


def _cancel(world: World, where: Conversation, envelope: dict[str, Any]) -> tuple[dict[str, Any], bool]:
    payload = envelope["payload"]
    if payload["control_id"] in where.receipts:
        return where.receipts[payload["control_id"]], True
    call = where.calls.get(payload["call_id"])
    outcome = "not_found"
    if call is not None and not call.tool.startswith("interaction."):
        outcome = "cancelled" if call.is_open else "already_final"
        if call.is_open:
            world.end_call(where, call, "cancelled", "agent_cancelled", payload.get("reason", ""))
    return _receipt(where, payload, outcome), False


def _dismiss(world: World, where: Conversation, envelope: dict[str, Any]) -> tuple[dict[str, Any], bool]:
    payload = envelope["payload"]
    if payload["control_id"] in where.receipts:
        return where.receipts[payload["control_id"]], True
    call = where.calls.get(payload["call_id"])
    question = next((one for one in where.questions if call is not None and one.call is call), None)
    outcome = "not_found"
    if call is not None and call.tool.startswith("interaction."):
        outcome = "dismissed" if question is not None and question.is_open else "already_final"
        if question is not None and question.is_open:
            end_question(world, question, "cancelled", "dismissed", message=payload.get("reason", ""))
    return _receipt(where, payload, outcome), False


def _receipt(where: Conversation, payload: dict[str, Any], outcome: str) -> dict[str, Any]:
    receipt = {"control_id": payload["control_id"], "call_id": payload["call_id"], "outcome": outcome}
    where.receipts[payload["control_id"]] = receipt
    return receipt


_ACTS = {
    "tool.invoke": _invoke,
    "tool.call": _older_call,
    "message": _message,
    "tool.cancel": _cancel,
    "interaction.dismiss": _dismiss,
}


# -- the transport's acks


def acknowledge(world: World, where: Conversation, ids: list[str]) -> int:
    """The Agent's side has these rows; how many were open."""
    acked = 0
    for row in where.rows:
        if row.id in ids and row.id and not row.acked:
            row.acked = row.sent = True
            acked += 1
            _settle(world, where, row.type, row.payload)
    return acked


def _settle(world: World, where: Conversation, type_: str, payload: dict[str, Any]) -> None:
    if type_ == "tool.result":
        call = where.calls[payload["call_id"]]
        if call.status == "submitted":
            call.status = call.outcome
        for question in where.questions:
            if question.call is call and question.status == "submitted":
                question.complete(world.now())
    elif type_ == "message":
        chat = where.live("chat")
        assert chat is not None
        world.put(chat, "outbox.delivered", client_message_id=payload["client_message_id"])
