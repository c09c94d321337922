"""Tool calls that do not hold (RULES 2)."""

from __future__ import annotations

import pytest

from tests.sidecar.commands.conftest import Tamper

CASES = {
    "a call is said to be done": (
        "UPDATE toolcall SET status = 'submitted', outcome = 'completed', result = '{}', due_at = "
        "NULL WHERE call_id = 'call-running'",
        "toolcall conversation_id='conv-main' call_id='call-running': it is submitted, yet the "
        "outbox has no tool.result",
    ),
    "an outcome is another": (
        "UPDATE toolcall SET outcome = 'failed' WHERE call_id = 'call-done'",
        "call_id='call-done': it is completed, yet its outcome is failed",
    ),
    "a result is another": (
        """UPDATE toolcall SET result = '{"ok":false}' WHERE call_id = 'call-done'""",
        "its result is not that of call call-done",
    ),
    "a result is gone": (
        "UPDATE toolcall SET result = NULL WHERE call_id = 'call-done'",
        "call_id='call-done': its outcome is completed, which does not go with its result",
    ),
    "a failure is gone": (
        "UPDATE toolcall SET error = NULL WHERE call_id = 'call-failed'",
        "call_id='call-failed': its outcome is failed, which does not go with its error",
    ),
    "a failure has another code": (
        "UPDATE toolcall SET error_code = 'other' WHERE call_id = 'call-failed'",
        "call_id='call-failed': its error_code is not the code of its error",
    ),
    "a reason is gone": (
        "UPDATE toolcall SET reason = NULL WHERE call_id = 'call-timeout'",
        "call_id='call-timeout': its outcome is expired, which does not go with its reason",
    ),
    "a refusal has no known code": (
        "UPDATE toolcall SET error_code = 'dislike' WHERE call_id = 'call-unfit'",
        "call_id='call-unfit': it was rejected, yet its error_code is no refusal",
    ),
    "a refused call has an instance": (
        "UPDATE toolcall SET instance_id = (SELECT instance_id FROM instance WHERE app_scope = "
        "'probe') WHERE call_id = 'call-unfit'",
        "call_id='call-unfit': it was rejected, yet it has an instance",
    ),
    "an open call has a reason": (
        "UPDATE toolcall SET reason = 'timeout' WHERE call_id = 'call-running'",
        "call_id='call-running': it is running, yet it has an outcome",
    ),
    "an open call has nobody to do it": (
        "UPDATE toolcall SET instance_id = NULL WHERE call_id = 'call-waiting'",
        "call_id='call-waiting': it is waiting_for_app, yet no instance is to do it",
    ),
    "a question is given to a MiniApp": (
        "UPDATE toolcall SET instance_id = (SELECT instance_id FROM instance WHERE app_scope = "
        "'probe'), app_scope = 'probe' WHERE call_id = 'call-stays'",
        "call_id='call-stays': it is a question to the user, yet a MiniApp has it",
    ),
    "a running call was never handed over": (
        "UPDATE toolcall SET handed = 0 WHERE call_id = 'call-running'",
        "call_id='call-running': it is running, yet it was never handed over",
    ),
    "hand-overs are counted otherwise": (
        "UPDATE toolcall SET handed = 7 WHERE call_id = 'call-running'",
        "call_id='call-running': its handed is 7, yet the audit says 2",
    ),
    "progress is counted otherwise": (
        "UPDATE toolcall SET progress_seq = 9 WHERE call_id = 'call-done'",
        "call_id='call-done': its progress_seq is 9, yet the audit says 2",
    ),
    "a call is due another time": (
        "UPDATE toolcall SET due_at = due_at + 1 WHERE call_id = 'call-running'",
        "call_id='call-running': its due_at is not what its deadline and its creation say",
    ),
    "an ended call is still due": (
        "UPDATE toolcall SET due_at = 1 WHERE call_id = 'call-done'",
        "call_id='call-done': it is completed, yet it is still due",
    ),
    "a clock runs while the user is asked": (
        "UPDATE toolcall SET paused_at = NULL, due_at = deadline_at WHERE call_id = 'call-paused'",
        "call_id='call-paused': its clock runs, yet a question is open for it",
    ),
    "a clock stands still for nobody": (
        "UPDATE toolcall SET paused_at = created_at WHERE call_id = 'call-running'",
        "call_id='call-running': its clock stands still, yet it has no deadline",
    ),
    "an input is no object": (
        "UPDATE toolcall SET input = '[1]' WHERE call_id = 'call-running'",
        "call_id='call-running': its input is no JSON object",
    ),
    "an input is no JSON": (
        "UPDATE toolcall SET input = '{' WHERE call_id = 'call-running'",
        "call_id='call-running': its input is no JSON object",
    ),
    "a call goes back to waiting": (
        "UPDATE toolcall SET status = 'waiting_for_app' WHERE call_id = 'call-running'",
        "call_id='call-running': its status is waiting_for_app, yet the audit says running",
    ),
    "a call changed at another time": (
        "UPDATE toolcall SET updated_at = updated_at + 1 WHERE call_id = 'call-done'",
        "call_id='call-done': it says that it changed at",
    ),
    "a call is gone": (
        "DELETE FROM toolcall WHERE call_id = 'call-waiting'",
        "toolcall 'call-waiting' of 'conv-main' was made, yet there is no such row",
    ),
    "a refused call is gone": (
        "DELETE FROM outboxrow WHERE type LIKE '%rejected' AND acked_at IS NULL;"
        "DELETE FROM toolcall WHERE conversation_id = 'conv-other'",
        "toolcall 'call-done' of 'conv-other' was made, yet there is no such row",
    ),
    "a call appears from nowhere": (
        "INSERT INTO toolcall (conversation_id, call_id, tool_id, inventory_revision, app_scope, instance_id, "
        "app_session_id, status, outcome, input, result, error, error_code, reason, message, progress_seq, handed, "
        "created_at, updated_at, deadline_at, paused_at, due_at) "
        "SELECT conversation_id, 'call-new', tool_id, inventory_revision, app_scope, instance_id, "
        "app_session_id, status, outcome, input, result, error, error_code, "
        "reason, message, progress_seq, handed, created_at, updated_at, deadline_at, paused_at, "
        "due_at FROM toolcall WHERE call_id = 'call-waiting'",
        "call_id='call-new': the audit tells nothing of it",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_it_does_not_hold_that(tamper: Tamper, case: str) -> None:
    sql, words = CASES[case]
    tamper(sql, words)


@pytest.mark.sqlite
def test_a_column_that_holds_another_kind_of_value_does_not_hold(tamper: Tamper) -> None:
    tamper(
        "UPDATE toolcall SET handed = 'twice' WHERE call_id = 'call-running'",
        "call_id='call-running': its handed holds a value of another kind than it may",
    )
