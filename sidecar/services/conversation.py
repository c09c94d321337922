"""The user's words to the Agent, through Interact alone (PROTOCOL 4)."""

from __future__ import annotations

from rpc_schema.envelopes import UserMessagePayload
from rpc_schema.sdk import SdkConversationSendTextParams
from rpc_schema.workspace import CommandReceipt
from sidecar.services import inbox, outbox
from sidecar.services.unit import Unit
from sidecar.store import outbox as rows


def send_text(unit: Unit, params: SdkConversationSendTextParams) -> CommandReceipt:
    """``sdk.conversation.sendText``: a known ``client_message_id`` is accepted and writes no second row."""
    caller = unit.caller
    key = f"message {caller.instance_id} {params.client_message_id}"
    if rows.of_key(unit.tx, caller.conversation_id, key) is None:
        outbox.check_room(unit, caller.conversation_id)
        inbox.check_room(unit, caller.instance_id)  # the Agent's ack comes back as a message
        payload = UserMessagePayload(text=params.text, format="markdown", client_message_id=params.client_message_id)
        outbox.say(unit, caller.conversation_id, "message", payload, unique_key=key)
        unit.note(params.client_message_id)
    return CommandReceipt(command_id=unit.new_id())
