"""Saying something to an Agent: a row in the outbox, sent after the commit (RULES 1, PROTOCOL 7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rpc_schema import limits
from rpc_schema.base import Wire
from rpc_schema.envelopes import (
    ClientInventoryPayload,
    ToolRejectedPayload,
    ToolResultPayload,
    TransportAckParams,
    TransportAckResult,
    TransportSetOnlineParams,
    TransportSetOnlineResult,
)
from rpc_schema.inbox import OutboxDeliveredPayload
from sidecar.domain.refusal import over
from sidecar.services import inbox
from sidecar.services.unit import Unit
from sidecar.store import conversations, interactions, outbox, tool_calls
from sidecar.store.interactions import INTERACTION
from sidecar.store.tool_calls import TOOL_CALL

if TYPE_CHECKING:
    from sidecar.store import tables


def say(
    unit: Unit,
    conversation_id: str,
    type_: str,
    payload: Wire,
    *,
    call_id: str | None = None,
    unique_key: str | None = None,
) -> None:
    """Write an envelope for the Agent of a conversation."""
    outbox.add(
        unit.tx,
        outbox_id=unit.new_id(),
        conversation_id=conversation_id,
        type=f"lineup.v1.{type_}",
        payload=payload.model_dump_json(),
        call_id=call_id,
        unique_key=unique_key,
        created_at=unit.now,
    )
    unit.lanes.add(conversation_id)


def say_result(unit: Unit, call: tables.ToolCall, payload: ToolResultPayload) -> None:
    """Tell the one ending of a call; its progress that was not sent yet is taken out."""
    drop_unsent_progress(unit, call)
    key = f"tool.result {call.call_id}"
    say(unit, call.conversation_id, "tool.result", payload, call_id=call.call_id, unique_key=key)


def say_rejected(unit: Unit, conversation_id: str, payload: ToolRejectedPayload) -> None:
    """Tell that an invoke was refused."""
    key = f"tool.rejected {payload.call_id}"
    say(unit, conversation_id, "tool.rejected", payload, call_id=payload.call_id, unique_key=key)


def say_inventory(unit: Unit, conversation: tables.Conversation) -> None:
    """Tell the inventory, if this conversation was not told this one last."""
    inventory: ClientInventoryPayload = unit.apps.inventory
    if conversation.inventory_told != inventory.revision:
        say(unit, conversation.conversation_id, "client.inventory", inventory)
        conversations.set_told(unit.tx, conversation.conversation_id, inventory.revision)


def drop_unsent_progress(unit: Unit, call: tables.ToolCall) -> None:
    """Take out a call's progress row that no transport was given yet."""
    if call.progress_seq:
        sent_to = unit.live.lane(call.conversation_id).sent_to
        outbox.drop_unsent_progress(unit.tx, call.conversation_id, call.call_id, after=sent_to)


def check_room(unit: Unit, conversation_id: str) -> None:
    """Whether the outbox may take more of what can be refused.

    Raises:
        Refusal: ``limit_exceeded``.
    """
    pending = outbox.count_in(unit.tx, conversation_id)
    if pending >= limits.MAX_OUTBOX_PENDING:
        raise over("outbox_pending", limits.MAX_OUTBOX_PENDING, pending)


def ack(unit: Unit, params: TransportAckParams) -> TransportAckResult:
    """The Agent's side has these rows: what they told is final now (RULES 2 and 5)."""
    acked = 0
    for outbox_id in params.outbox_ids:
        row = outbox.get(unit.tx, outbox_id)
        if row is None or not outbox.acknowledge(unit.tx, outbox_id, unit.now):
            continue
        acked += 1
        lane = unit.live.lane(row.conversation_id)
        if len(lane.unacked) >= limits.OUTBOX_WINDOW or outbox_id not in lane.unacked:
            unit.lanes.add(row.conversation_id)  # else everything was sent when it came
        lane.unacked.discard(outbox_id)
        _settle(unit, row)
    if acked:
        unit.note(acked=acked)
    return TransportAckResult(acked=acked)


def set_online(unit: Unit, params: TransportSetOnlineParams) -> TransportSetOnlineResult:
    """Open or close the way to the Agents; opened again, un-acked rows are sent again in order."""
    unit.live.changing().online = params.online
    unit.live.lanes.clear()
    if params.online:
        unit.lanes.update(outbox.waiting(unit.tx))
    unit.note(online=params.online)
    return TransportSetOnlineResult(pending=outbox.count(unit.tx))


def _settle(unit: Unit, row: tables.OutboxRow) -> None:
    if row.type == "lineup.v1.tool.result" and row.call_id is not None:
        call = tool_calls.get(unit.tx, row.conversation_id, row.call_id)
        if call is not None and call.status == "submitted":
            act = unit.act(call.call_id, of=call)
            unit.tx.move(TOOL_CALL, call, f"ack_{call.outcome}", act, now=unit.now)
        ordinary = call is not None and call.instance_id is not None
        asked = None if ordinary else interactions.of_call(unit.tx, row.conversation_id, row.call_id)
        if asked is not None and asked.status == "submitted":
            act = unit.act(asked.interaction_id, of=asked)
            unit.tx.move(INTERACTION, asked, "hand_over", act, now=unit.now)
    elif row.type == "lineup.v1.message" and row.unique_key is not None:
        instance_id, client_message_id = row.unique_key.removeprefix("message ").split(" ", 1)
        payload = OutboxDeliveredPayload(client_message_id=client_message_id)
        inbox.put(unit, instance_id, "outbox.delivered", payload)
