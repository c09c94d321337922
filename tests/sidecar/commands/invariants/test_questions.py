"""Standard interactions that do not hold (RULES 5)."""

from __future__ import annotations

import pytest

from tests.sidecar.commands.conftest import Tamper

CASES = {
    "an answer is another": (
        """UPDATE interaction SET result = '{"approved":false}' WHERE call_id = 'call-asked'""",
        "its answer is not the result of its call call-asked",
    ),
    "an answer does not fit": (
        """UPDATE interaction SET result = '{"action_ids":["z"]}' WHERE interaction_id = '{answered}'""",
        "interaction interaction_id='{answered}': its answer does not fit the question",
    ),
    "an answer is gone": (
        "UPDATE interaction SET result = NULL WHERE interaction_id = '{answered}'",
        "interaction_id='{answered}': its answer does not fit the question",
    ),
    "an open question has an answer": (
        """UPDATE interaction SET result = '{"values":{}}' WHERE interaction_id = '{open}'""",
        "interaction_id='{open}': it is pending, yet it has an answer or a reason",
    ),
    "a question is none": (
        """UPDATE interaction SET request = '{"kind":"confirm"}' WHERE interaction_id = '{taken_back}'""",
        "interaction_id='{taken_back}': its request is none of the four standard questions",
    ),
    "a question is of another kind": (
        "UPDATE interaction SET kind = 'choice' WHERE interaction_id = '{taken_back}'",
        "interaction_id='{taken_back}': its kind is choice, its request asks a confirm",
    ),
    "a question never expires": (
        "UPDATE interaction SET due_at = NULL WHERE interaction_id = '{open}'",
        "interaction_id='{open}': it would not expire at the time that it says",
    ),
    "a notice expires": (
        "UPDATE interaction SET expires_at = created_at WHERE interaction_id = '{notice}'",
        "interaction_id='{notice}': all but a notice has a time at which it expires",
    ),
    "a question ended for no reason": (
        "UPDATE interaction SET reason = NULL WHERE interaction_id = '{taken_back}'",
        "interaction_id='{taken_back}': it is cancelled, yet nothing says why",
    ),
    "a question expired for another reason": (
        "UPDATE interaction SET reason = 'no_answer' WHERE interaction_id = '{expired}'",
        "interaction_id='{expired}': its reason no_answer does not go with whether it was shown",
    ),
    "an ended question has a draft": (
        """UPDATE interaction SET draft = '{"values":{}}' WHERE interaction_id = '{taken_back}'""",
        "interaction_id='{taken_back}': it is cancelled, yet it has an answer or a draft",
    ),
    "a draft is none": (
        "UPDATE interaction SET draft = '{}' WHERE interaction_id = '{open}'",
        "interaction_id='{open}': it has a draft that it may not have",
    ),
    "an open question was shown": (
        "UPDATE interaction SET presented = 1 WHERE interaction_id = '{open}'",
        "interaction_id='{open}': its status and whether it was shown differ",
    ),
    "a MiniApp's question becomes an Agent's": (
        "UPDATE interaction SET source = 'agent_tool' WHERE interaction_id = '{open}'",
        "interaction_id='{open}': an Agent asked it, yet it belongs to a MiniApp",
    ),
    "an Agent's question becomes a MiniApp's": (
        "UPDATE interaction SET source = 'miniapp_tool' WHERE interaction_id = '{question}'",
        "interaction_id='{question}': a MiniApp asked it, yet it is named as an Agent's call",
    ),
    "a MiniApp's question becomes the policy's": (
        "UPDATE interaction SET source = 'runtime_policy' WHERE interaction_id = '{untaken}'",
        "interaction_id='{untaken}': the policy asked it, yet no capability request is about it",
    ),
    "a question comes from nowhere": (
        "UPDATE interaction SET source = 'a_friend' WHERE interaction_id = '{untaken}'",
        "interaction_id='{untaken}': its source is a_friend, which is none",
    ),
    "a question is taken over from another instance": (
        "UPDATE interaction SET instance_id = '{closed}', app_scope = 'probe-two' WHERE interaction_id = '{open}'",
        "interaction_id='{open}': its parent_call_id 'call-paused' names no toolcall with the same",
    ),
    "an Agent's question and its call differ": (
        "UPDATE interaction SET status = 'submitted' WHERE interaction_id = '{question}'",
        "interaction_id='{question}': it is submitted, yet its call call-asked is completed",
    ),
    "a question is gone": (
        "DELETE FROM interaction WHERE interaction_id = '{taken_back}'",
        "interaction '{taken_back}' of 'conv-main' was made, yet there is no such row",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_it_does_not_hold_that(tamper: Tamper, case: str) -> None:
    sql, words = CASES[case]
    tamper(sql, words)
