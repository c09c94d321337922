"""What each answer and each notification promises, as rows that a store must have."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

Params = dict[str, Any]

UNRECORDED = ("envelope_invalid", "call_id_conflict", "call_already_final", "limit_exceeded")


class Promise(NamedTuple):
    """``name`` says it in words; ``sql`` finds a row where it is kept. One with the same ``place`` takes its place."""

    name: str
    sql: str
    values: tuple[Any, ...]
    place: str = ""


# -- answers
def _delivered(params: Params, result: Params) -> Iterator[Promise]:
    where, envelope = params["peer"]["conversation_id"], params["envelope"]
    if result["code"] in UNRECORDED:
        return
    message_id, payload = envelope["message_id"], envelope["payload"]
    sql = "SELECT 1 FROM delivery WHERE conversation_id = ? AND message_id = ? AND code IS ? AND message IS ?"
    yield Promise(f"message {message_id} is known", sql, (where, message_id, result["code"], result["message"]))
    if result["receipt"]:
        told = (where, result["receipt"]["control_id"], result["receipt"]["outcome"])
        sql = "SELECT 1 FROM receipt WHERE conversation_id = ? AND control_id = ? AND outcome = ?"
        yield Promise(f"control {told[1]} is {told[2]}", sql, told)
    if result["code"] is None and envelope["type"] in ("lineup.v1.tool.invoke", "lineup.v1.tool.call"):
        sql = "SELECT 1 FROM toolcall WHERE conversation_id = ? AND call_id = ?"
        yield Promise(f"call {payload['call_id']} is taken", sql, (where, payload["call_id"]))
    if result["code"] is None and envelope["type"] == "lineup.v1.message":
        sql = "SELECT 1 FROM inboxmessage WHERE conversation_id = ? AND type = 'agent.message'"
        yield Promise(
            f"message {message_id} is in an Inbox",
            f"{sql} AND json_extract(payload, '$.text') = ?",
            (where, payload["text"]),
        )


def _ended(outcome: str) -> Callable[[Params, Params], Iterator[Promise]]:
    def promise(params: Params, _result: Params) -> Iterator[Promise]:
        named = (params["call_id"], params["instance_id"])
        sql = "SELECT 1 FROM toolcall WHERE call_id = ? AND instance_id = ? AND outcome = ?"
        result = (outcome, json.dumps(params.get("result")))
        yield Promise(f"call {named[0]} has ended: {outcome}", f"{sql} AND same(result, ?)", (*named, *result))
        sql = "SELECT 1 FROM outboxrow JOIN toolcall USING (conversation_id, call_id)"
        yield Promise(
            f"call {named[0]} has its result in the outbox",
            f"{sql} WHERE call_id = ? AND instance_id = ? AND type = 'lineup.v1.tool.result'",
            named,
        )

    return promise


def _asked_person(params: Params, result: Params) -> Iterator[Promise]:
    # SDK requests are kept with the fields that were left out, so the title alone names the content.
    sql = "SELECT 1 FROM interaction WHERE interaction_id = ? AND instance_id = ?"
    named = (result["interaction_id"], params["instance_id"])
    yield Promise(
        f"question {named[0]} is asked",
        f"{sql} AND json_extract(request, '$.title') = ?",
        (*named, params["request"]["title"]),
    )


def _answered(params: Params, _result: Params) -> Iterator[Promise]:
    named = params["interaction_id"]
    sql = "SELECT 1 FROM interaction WHERE interaction_id = ? AND status IN ('submitted', 'completed')"
    yield Promise(f"question {named} is answered", f"{sql} AND same(result, ?)", (named, json.dumps(params["result"])))
    sql = "SELECT 1 FROM interaction AS asked LEFT JOIN outboxrow AS told USING (conversation_id, call_id)"
    yield Promise(
        f"the answer to question {named} is in the outbox",
        f"{sql} WHERE interaction_id = ? AND (asked.call_id IS NULL OR told.type = 'lineup.v1.tool.result')",
        (named,),
    )


def _question(status: str) -> Callable[[Params, Params], Iterator[Promise]]:
    def promise(params: Params, _result: Params) -> Iterator[Promise]:
        sql = " AND ".join(("SELECT 1 FROM interaction WHERE interaction_id = ?", status))
        yield Promise(f"question {params['interaction_id']}: {status}", sql, (params["interaction_id"],))

    return promise


def _opened(params: Params, result: Params) -> Iterator[Promise]:
    sql = "SELECT 1 FROM surface WHERE surface_id = ? AND instance_id = ? AND revision >= ?"
    yield Promise(
        f"surface {result['surface_id']} is open",
        sql,
        (result["surface_id"], params["instance_id"], result["revision"]),
    )


def _updated(params: Params, result: Params) -> Iterator[Promise]:
    named = (params["surface_id"], result["revision"])
    sql = "SELECT 1 FROM surface WHERE surface_id = ? AND revision >= ?"
    yield Promise(f"surface {named[0]} has revision {named[1]}", sql, named)


def _surface_read(params: Params, result: Params) -> Iterator[Promise]:
    named = (params["surface_id"], result["revision"], result["revision"])
    sql = "SELECT 1 FROM surface WHERE surface_id = ? AND (revision > ? OR revision = ? AND same(state, ?))"
    yield Promise(f"surface {named[0]} shows revision {named[1]}", sql, (*named, json.dumps(result["state"])))


def _handed_in(params: Params, result: Params) -> Iterator[Promise]:
    given = params["artifact"]
    named = (result["artifact_id"], given["name"], given["byte_size"], given["sha256"])
    sql = "SELECT 1 FROM artifact WHERE artifact_id = ? AND name = ? AND length(content) = ? AND sha256(content) = ?"
    yield Promise(f"artifact {given['name']} is kept", sql, named)


def _acknowledged(params: Params, _result: Params) -> Iterator[Promise]:
    sql = "SELECT 1 FROM inboxmessage WHERE message_id = ? AND acked_at IS NOT NULL"
    yield Promise(f"Inbox message {params['message_id']} is acknowledged", sql, (params["message_id"],))


def _acked(params: Params, result: Params) -> Iterator[Promise]:
    for named in params["outbox_ids"] if result["acked"] else ():
        sql = "SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM outboxrow WHERE outbox_id = ? AND acked_at IS NULL)"
        yield Promise(f"row {named} is acked", sql, (named,))


def _messages(_params: Params, result: Params) -> Iterator[Promise]:
    for message in result["messages"]:
        yield from _message({"message": message})


def _wanted(params: Params, result: Params) -> Iterator[Promise]:
    named = (result["request_id"], params["capability"])
    sql = "SELECT 1 FROM capabilityrequest WHERE request_id = ? AND capability = ?"
    yield Promise(f"capability request {named[0]} is made", sql, named)


def _resolved(params: Params, _result: Params) -> Iterator[Promise]:
    named = (params["request_id"], params["outcome"])
    sql = "SELECT 1 FROM capabilityrequest WHERE request_id = ? AND status = ?"
    yield Promise(f"capability request {named[0]} is {named[1]}", sql, named)


def _said(params: Params, _result: Params) -> Iterator[Promise]:
    named = (params["client_message_id"], params["text"])
    sql = "SELECT 1 FROM outboxrow WHERE json_extract(payload, '$.client_message_id') = ?"
    yield Promise(f"text {named[0]} is said", f"{sql} AND json_extract(payload, '$.text') = ?", named)


def _workspace(params: Params, result: Params) -> Iterator[Promise]:
    named = (params["conversation_id"], result["revision"])
    sql = "SELECT 1 FROM conversation WHERE conversation_id = ? AND revision >= ?"
    yield Promise(f"workspace {named[0]} has revision {named[1]}", sql, named)
    for one in result["instances"]:
        yield from _made({}, one)


def _made(_params: Params, result: Params) -> Iterator[Promise]:
    sql = "SELECT 1 FROM instance WHERE instance_id = ?"
    yield Promise(f"instance {result['instance_id']} is made", sql, (result["instance_id"],))


def _closed(params: Params, _result: Params) -> Iterator[Promise]:
    sql = "SELECT 1 FROM instance WHERE instance_id = ? AND status = 'closed'"
    yield Promise(f"instance {params['instance_id']} is closed", sql, (params["instance_id"],))


ANSWERS: dict[str, Callable[[Params, Any], Iterator[Promise]]] = {
    "transport.deliver": _delivered,
    "transport.ack": _acked,
    "sdk.tools.complete": _ended("completed"),
    "sdk.tools.fail": _ended("failed"),
    "sdk.tools.cancel": _ended("cancelled"),
    "sdk.ui.request": _asked_person,
    "sdk.ui.cancel": _question("status = 'cancelled'"),
    "renderer.submit": _answered,
    "renderer.cancel": _question("status = 'cancelled'"),
    "renderer.presented": _question("presented = 1"),
    "sdk.surfaces.requestOpen": _opened,
    "sdk.surfaces.update": _updated,
    "sdk.surfaces.get": _surface_read,
    "sdk.surfaces.submit": _handed_in,
    "sdk.inbox.acknowledge": _acknowledged,
    "sdk.inbox.list": _messages,
    "sdk.inbox.subscribe": _messages,
    "sdk.capabilities.request": _wanted,
    "capability.resolve": _resolved,
    "sdk.conversation.sendText": _said,
    "workspace.open": _workspace,
    "miniapp.open": _made,
    "miniapp.close": _closed,
    "sdk.lifecycle.requestClose": _closed,
}

REPLACED = {
    "renderer.saveDraft": (
        "the draft",
        "interaction_id",
        "draft",
        "SELECT 1 FROM interaction WHERE interaction_id = ?1"
        " AND (status NOT IN ('pending', 'presented') OR one_of(draft, ?2))",
    ),
    "miniapp.setEnabled": (
        "the switch",
        "app_scope",
        "enabled",
        "SELECT 1 WHERE one_of(iif((SELECT enabled FROM miniapp WHERE app_scope = ?1) IS 0, 'false', 'true'), ?2)",
    ),
}
"""What the promise is about, what names it, what it promises, and how it is found."""


# -- notifications
def _message(params: Params) -> Iterator[Promise]:
    message = params["message"]
    sql = "SELECT 1 FROM inboxmessage WHERE message_id = ? AND type = ? AND same(payload, ?)"
    named = (message["message_id"], message["type"], json.dumps(message["payload"]))
    yield Promise(f"Inbox message {named[0]} is there", sql, named)


def _sent(params: Params) -> Iterator[Promise]:
    envelope = params["envelope"]
    if envelope["type"] == "lineup.v1.tool.progress":  # a newer one or the result takes its place
        return
    named = (params["outbox_id"], envelope["type"], json.dumps(envelope["payload"]))
    sql = "SELECT 1 FROM outboxrow WHERE outbox_id = ? AND type = ? AND same(payload, ?)"
    yield Promise(f"row {named[0]}, {named[1]}, is in the outbox", sql, named)


def _handed(params: Params) -> Iterator[Promise]:
    named = (params["call"]["call_id"], params["instance_id"])
    sql = "SELECT 1 FROM toolcall WHERE call_id = ? AND instance_id = ? AND handed > 0"
    yield Promise(f"call {named[0]} was handed over", sql, named)


def _shown(params: Params) -> Iterator[Promise]:
    named = params["item"]["record"]["interaction_id"]
    yield Promise(f"question {named} is there", "SELECT 1 FROM interaction WHERE interaction_id = ?", (named,))


def _retracted(params: Params) -> Iterator[Promise]:
    named = (params["interaction_id"], params["status"])
    sql = "SELECT 1 FROM interaction WHERE interaction_id = ? AND status NOT IN ('pending', 'presented')"
    yield Promise(f"question {named[0]} is {named[1]}", sql, named[:1])


NEWS: dict[str, Callable[[Params], Iterator[Promise]]] = {
    "transport.send": _sent,
    "sdk.inbox.message": _message,
    "sdk.tools.call": _handed,
    "renderer.present": _shown,
    "renderer.retract": _retracted,
}
