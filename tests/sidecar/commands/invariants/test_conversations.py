"""Conversations, instances and app sessions that do not hold (RULES 3 and 4)."""

from __future__ import annotations

import pytest

from tests.sidecar.commands.conftest import Tamper

CASES = {
    "a focus stack names an instance twice": (
        """UPDATE conversation SET focus_stack = replace(focus_stack, ']', ', "' || (SELECT """
        """instance_id FROM instance WHERE app_scope = 'probe') || '"]') WHERE conversation_id = """
        "'conv-main'",
        "conversation conversation_id='conv-main': its focus_stack lists",
    ),
    "a focus stack is empty": (
        "UPDATE conversation SET focus_stack = '[]' WHERE conversation_id = 'conv-other'",
        "conversation_id='conv-other': its live instance",
    ),
    "a focus stack is none": (
        "UPDATE conversation SET focus_stack = 'top' WHERE conversation_id = 'conv-other'",
        "conversation_id='conv-other': its focus_stack is no list of instance ids",
    ),
    "an instance is closed behind the Runtime's back": (
        "UPDATE instance SET status = 'closed' WHERE app_scope = 'probe'",
        "which is no live instance of it",
    ),
    "an app session is closed alone": (
        "UPDATE appsession SET status = 'closed' WHERE app_scope = 'probe'",
        "it is live, yet its app session",
    ),
    "an instance has no app session": (
        "UPDATE instance SET app_session_id = NULL WHERE app_scope = 'probe-two'",
        "names no instance with the same conversation_id and app_scope and app_session_id",
    ),
    "an instance is connected by half": (
        "UPDATE instance SET connected = 2 WHERE app_scope = 'probe'",
        "its connected or restore_focus is neither 0 nor 1",
    ),
    "an instance is of another conversation": (
        "UPDATE instance SET conversation_id = 'conv-other' WHERE app_scope = 'probe-two'",
        "names no",
    ),
    "a conversation is gone": (
        "DELETE FROM conversation WHERE conversation_id = 'conv-other'",
        "its conversation_id 'conv-other' names no conversation",
    ),
    "a MiniApp is switched on": (
        "UPDATE miniapp SET enabled = 1",
        "miniapp app_scope='probe-three': it is switched on, yet the audit says otherwise",
    ),
    "a MiniApp is switched on and forgotten": (
        "DELETE FROM miniapp",
        "miniapp 'probe-three' was switched, yet there is no such row",
    ),
    "the system MiniApp is switched off": (
        "INSERT INTO miniapp VALUES ('chat', 0)",
        "miniapp app_scope='chat': the system MiniApp cannot be switched",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_it_does_not_hold_that(tamper: Tamper, case: str) -> None:
    sql, words = CASES[case]
    tamper(sql, words)
