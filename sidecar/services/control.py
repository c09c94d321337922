"""An Agent gives a call up or takes a question back; the receipt is stored before it is answered (RULES 2 and 5)."""

from __future__ import annotations

from typing import cast

from rpc_schema.envelopes import ControlOutcome, ControlPayload, ControlReceipt
from sidecar.domain.interactive import kind_of
from sidecar.services import calls, interactions
from sidecar.services.unit import Unit
from sidecar.store import interactions as interaction_rows
from sidecar.store import outbox, tool_calls


def cancel(unit: Unit, conversation_id: str, payload: ControlPayload) -> tuple[ControlReceipt, bool]:
    """``lineup.v1.tool.cancel``: ordinary Tools only. The receipt, and whether it is a replay."""
    known = _known(unit, conversation_id, payload)
    if known is not None:
        return known, True
    call = tool_calls.get(unit.tx, conversation_id, payload.call_id)
    outcome: ControlOutcome
    if call is None or kind_of(call.tool_id) is not None:
        outcome = "not_found"
    elif not calls.is_open(call):
        outcome = "already_final"
    else:
        calls.end(unit, call, "cancel", reason="agent_cancelled", message=payload.reason)
        outcome = "cancelled"
    return _receipt(unit, conversation_id, payload, outcome), False


def dismiss(unit: Unit, conversation_id: str, payload: ControlPayload) -> tuple[ControlReceipt, bool]:
    """``lineup.v1.interaction.dismiss``: interactive Tools only. The receipt, and whether it is a replay."""
    known = _known(unit, conversation_id, payload)
    if known is not None:
        return known, True
    asked = interaction_rows.of_call(unit.tx, conversation_id, payload.call_id)
    outcome: ControlOutcome
    if asked is None:
        call = tool_calls.get(unit.tx, conversation_id, payload.call_id)
        outcome = "not_found" if call is None or kind_of(call.tool_id) is None else "already_final"
    elif not interactions.is_open(asked):
        outcome = "already_final"
    else:
        interactions.end(unit, asked, "cancel", "dismissed", message=payload.reason)
        outcome = "dismissed"
    return _receipt(unit, conversation_id, payload, outcome), False


def _known(unit: Unit, conversation_id: str, payload: ControlPayload) -> ControlReceipt | None:
    row = outbox.receipt(unit.tx, conversation_id, payload.control_id)
    if row is None:
        return None
    return ControlReceipt(control_id=row.control_id, call_id=row.call_id, outcome=cast("ControlOutcome", row.outcome))


def _receipt(unit: Unit, conversation_id: str, payload: ControlPayload, outcome: ControlOutcome) -> ControlReceipt:
    outbox.add_receipt(
        unit.tx,
        conversation_id=conversation_id,
        control_id=payload.control_id,
        call_id=payload.call_id,
        outcome=outcome,
        created_at=unit.now,
    )
    unit.note(payload.call_id, control_id=payload.control_id, outcome=outcome)
    return ControlReceipt(control_id=payload.control_id, call_id=payload.call_id, outcome=outcome)
