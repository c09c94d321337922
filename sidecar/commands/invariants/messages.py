"""Inbox, outbox, and the ids that an Agent may not use twice (RULES 1, PROTOCOL 7)."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any, get_args

from pydantic import ValidationError

from rpc_schema.base import Wire
from rpc_schema.envelopes import RUNTIME_ENVELOPES, ControlOutcome, ControlReceipt
from rpc_schema.errors import REFUSAL_CODES
from rpc_schema.inbox import INBOX_PAYLOADS
from sidecar.clock import timestamp
from sidecar.commands.invariants.fault import Faults, Unsound, check_rows
from sidecar.commands.invariants.trail import Trail
from sidecar.services.invoke import ANSWERED_ALONE
from sidecar.store import invariants, tables
from sidecar.store.inspection import View

_PAYLOADS: dict[str, type[Wire]] = {str(type_): model for type_, model in INBOX_PAYLOADS.items()}
_OUTCOMES = get_args(ControlOutcome)


def check_inbox(view: View, trail: Trail) -> int:
    """Each message is of a known type, and the audit knows when it was acknowledged."""

    def faults(row: tables.InboxMessage) -> Faults:
        if not _fits(_PAYLOADS.get(row.type), row.payload):
            yield f"its payload is none of a {row.type}"
        told = trail.inbox_acks.pop(row.message_id, None)
        if row.acked_at is None and told is not None:
            yield f"it is not acknowledged, yet the audit says it was at {told}"
        if row.acked_at is not None and told is None and trail.keeps(row.acked_at):
            yield f"it was acknowledged at {timestamp(row.acked_at)}, yet the audit does not tell of that"

    return check_rows(view, tables.InboxMessage, invariants.INBOX, faults)


def check_outbox(view: View, trail: Trail) -> int:
    """Each row says once what became of its call, and the audit counts the acks of each moment."""
    acks: Counter[int] = Counter()

    def faults(row: Any) -> Faults:
        if row.acked_at is not None:
            acks[row.acked_at] += 1
        type_ = row.type
        if not _fits(RUNTIME_ENVELOPES.get(type_), row.payload):
            yield f"its payload is none of a {type_}"
            return
        payload = json.loads(row.payload)
        if payload.get("call_id") != row.call_id and type_ != "lineup.v1.app.session.opened":
            yield "its payload is about another call than it says"
        if row.unique_key != _key_of(row, payload):
            yield "its unique_key is not the one by which it is said once"
        if type_ == "lineup.v1.tool.result":
            yield from _faults_of_result(row, payload)
        elif type_ == "lineup.v1.tool.rejected" and (row.call_status, row.error_code) != ("rejected", payload["code"]):
            yield f"it says that call {row.call_id} was rejected, which the call does not"
        elif type_ == "lineup.v1.tool.progress" and payload["seq"] > row.progress_seq:
            yield f"it tells more progress than call {row.call_id} has made"

    count = check_rows(view, tables.OutboxRow, invariants.OUTBOX, faults)
    for acked_at, acked in sorted(acks.items()):
        at = timestamp(acked_at)
        if trail.outbox_acks.pop(at, 0) != acked and trail.keeps(at):
            raise Unsound(
                "outboxrow", f"acked_at={acked_at}", f"{acked} rows were acked at {at}, the audit says otherwise"
            )
    return count


def check_deliveries(view: View, _trail: Trail) -> int:
    """Each message id that was seen has an answer that can be given again."""

    def faults(row: tables.Delivery) -> Faults:
        if row.code is not None and (row.code not in REFUSAL_CODES or row.code in ANSWERED_ALONE):
            yield f"its code {row.code} is none that uses a message id up"
        if (row.code is None) != (row.message is None):
            yield "it has a code without a message, or a message without a code"
        if row.receipt is not None and not _fits(ControlReceipt, row.receipt):
            yield "its receipt is none"

    return check_rows(view, tables.Delivery, invariants.DELIVERIES, faults)


def check_receipts(view: View, trail: Trail) -> int:
    """Each receipt says what became of its call."""

    def faults(row: Any) -> Faults:
        if row.outcome not in _OUTCOMES:
            yield f"its outcome {row.outcome} is none"
        if row.outcome == "cancelled" and (row.call_status, row.call_reason) != ("cancelled", "agent_cancelled"):
            yield f"it says that call {row.call_id} was cancelled, which it was not"
        if row.outcome == "dismissed" and (row.question_status, row.question_reason) != ("cancelled", "dismissed"):
            yield f"it says that question {row.call_id} was dismissed, which it was not"
        told = trail.receipts.pop((row.conversation_id, row.control_id), None)
        if told is None and trail.keeps(row.created_at):
            yield "the audit does not tell of it"

    return check_rows(view, tables.Receipt, invariants.RECEIPTS, faults)


def _fits(model: type[Wire] | None, payload: str) -> bool:
    if model is None:
        return False
    try:
        model.model_validate_json(payload)
    except ValidationError:
        return False
    return True


def _key_of(row: Any, payload: dict[str, Any]) -> str | None:
    """What makes a row be said once, by its type; a user's text names its sender, which the payload does not."""
    kind = row.type.removeprefix("lineup.v1.")
    if kind in ("tool.result", "tool.rejected"):
        return f"{kind} {payload['call_id']}"
    if kind in ("app.session.opened", "app.session.closed"):
        return f"{kind} {payload['app_session_id']}"
    if kind == "message":
        sender = (row.unique_key or "").removeprefix("message ").partition(" ")[0]
        return f"message {sender} {payload['client_message_id']}"
    return None


def _faults_of_result(row: Any, payload: dict[str, Any]) -> Faults:
    if row.outcome != payload["status"]:
        yield f"it says that call {row.call_id} {payload['status']}, the call says {row.outcome}"
    for name, text in (("result", row.result), ("error", row.error)):
        if payload.get(name) != (None if text is None else json.loads(text)):
            yield f"its {name} is not that of call {row.call_id}"
    if payload.get("reason") != row.reason:
        yield f"its reason is not that of call {row.call_id}"
