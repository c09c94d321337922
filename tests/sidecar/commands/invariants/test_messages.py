"""Inbox, outbox, deliveries and receipts that do not hold (RULES 1, PROTOCOL 7)."""

from __future__ import annotations

import pytest

from tests.sidecar.commands.conftest import Tamper

CASES = {
    "an Agent is told nothing of an ending": (
        "DELETE FROM outboxrow WHERE call_id = 'call-undelivered'",
        "call_id='call-undelivered': it is submitted, yet the outbox has no tool.result of it",
    ),
    "an Agent is told nothing of a refusal": (
        "DELETE FROM outboxrow WHERE call_id = 'call-stale'",
        "call_id='call-stale': it is rejected, yet the outbox has no tool.rejected of it",
    ),
    "an ack is taken back": (
        "UPDATE outboxrow SET acked_at = NULL WHERE call_id = 'call-done' AND type LIKE '%result'",
        "call_id='call-done': it is completed, yet its Agent has not acked the result",
    ),
    "an ack is made up": (
        "UPDATE outboxrow SET acked_at = created_at WHERE call_id = 'call-undelivered'",
        "call_id='call-undelivered': its Agent has the result",
    ),
    "an acked row is gone": (
        "DELETE FROM outboxrow WHERE type LIKE '%progress'",
        "rows were acked at",
    ),
    "a payload is another": (
        "UPDATE outboxrow SET payload = replace(payload, 'completed', 'failed') WHERE call_id = 'call-undelivered'",
        "it says that call call-undelivered failed, the call says completed",
    ),
    "a payload fits no type": (
        """UPDATE outboxrow SET payload = '{"x":1}' WHERE call_id = 'call-undelivered'""",
        "its payload is none of a lineup.v1.tool.result",
    ),
    "a payload is about another call": (
        "UPDATE outboxrow SET payload = replace(payload, 'call-undelivered', 'call-done') WHERE "
        "call_id = 'call-undelivered'",
        "its payload is about another call than it says",
    ),
    "a type is unknown": (
        "UPDATE outboxrow SET type = 'lineup.v1.rumour' WHERE call_id = 'call-undelivered'",
        "its payload is none of a lineup.v1.rumour",
    ),
    "something may be said twice": (
        "UPDATE outboxrow SET unique_key = NULL WHERE type LIKE '%app.session.opened'",
        "its unique_key is not the one by which it is said once",
    ),
    "a refusal is told with another code": (
        "UPDATE outboxrow SET payload = replace(payload, 'tool_input_invalid', 'app_disabled') WHERE "
        "call_id = 'call-unfit'",
        "it says that call call-unfit was rejected, which the call does not",
    ),
    "a message is acknowledged behind the Runtime's back": (
        "UPDATE inboxmessage SET acked_at = created_at WHERE acked_at IS NULL AND type = 'agent.message'",
        "yet the audit does not tell of that",
    ),
    "a message is not acknowledged any more": (
        "UPDATE inboxmessage SET acked_at = NULL",
        "inboxmessage message_id='{inbox}': it is not acknowledged, yet the audit says it was at",
    ),
    "an acknowledged message is gone": (
        "DELETE FROM inboxmessage WHERE message_id = '{inbox}'",
        "inboxmessage '{inbox}' was acknowledged at",
    ),
    "a message fits no type": (
        "UPDATE inboxmessage SET type = 'agent.whisper' WHERE message_id = '{inbox}'",
        "message_id='{inbox}': its payload is none of a agent.whisper",
    ),
    "a delivery was answered with no known code": (
        "UPDATE delivery SET code = 'dislike', message = 'No.' WHERE message_id = 'message-1'",
        "delivery conversation_id='conv-main' message_id='message-1': its code dislike is none",
    ),
    "a delivery was answered by half": (
        "UPDATE delivery SET code = 'app_disabled' WHERE message_id = 'message-1'",
        "message_id='message-1': it has a code without a message",
    ),
    "a delivery has a receipt that is none": (
        "UPDATE delivery SET receipt = '{}' WHERE receipt IS NOT NULL",
        "its receipt is none",
    ),
    "a receipt says another outcome": (
        "UPDATE receipt SET outcome = 'dismissed' WHERE control_id = 'control-1'",
        "receipt conversation_id='conv-main' control_id='control-1': it says that question call-given-up was dismissed",
    ),
    "a receipt says of a call that it was cancelled": (
        "UPDATE receipt SET outcome = 'cancelled' WHERE control_id = 'control-2'",
        "control_id='control-2': it says that call call-dismissed was cancelled",
    ),
    "a receipt says nothing known": (
        "UPDATE receipt SET outcome = 'forgiven' WHERE control_id = 'control-1'",
        "control_id='control-1': its outcome forgiven is none",
    ),
    "a receipt is gone": (
        "DELETE FROM receipt WHERE control_id = 'control-2'",
        "receipt 'control-2' was written at",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_it_does_not_hold_that(tamper: Tamper, case: str) -> None:
    sql, words = CASES[case]
    tamper(sql, words)
