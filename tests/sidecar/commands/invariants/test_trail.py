"""An audit whose chain holds, yet which does not tell what the rows do: an entry left out, a past made up."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import stored
from tests.sidecar.commands.conftest import Run, Tamper, rehash

LEAVE_OUT = """
    CREATE TEMP TABLE gone AS SELECT max(seq) AS seq FROM audit WHERE {};
    DELETE FROM audit WHERE seq = (SELECT seq FROM gone);
    UPDATE audit SET seq = seq - 1 WHERE seq > (SELECT seq FROM gone);
    {forget}
"""
"""Take out the last entry that fits, close the gap, and make the database forget it."""

FORGET = (
    "UPDATE storekeeping SET value = value - 1 WHERE name = 'audit'"
    if stored.IN_POSTGRESQL
    else "UPDATE sqlite_sequence SET seq = seq - 1 WHERE name = 'audit'"
)

LEFT_OUT = {
    "a surface was changed": (
        "subject = '{surface}' AND detail LIKE '%revision%'",
        "its revision is 4, yet the audit says 3",
    ),
    "an artifact was handed in": ("subject = '{artifact}'", "artifact_id='{artifact}': the audit tells nothing of it"),
    "a message was acknowledged": ("subject = '{inbox}'", "message_id='{inbox}': it was acknowledged at"),
    "a control was answered": ("detail LIKE '%control-2%'", "control_id='control-2': the audit does not tell of it"),
    "rows were acked": ("action = 'transport.ack' AND subject IS NULL", "rows were acked at"),
    "a MiniApp was switched off": (
        "action = 'miniapp.setEnabled'",
        "miniapp app_scope='probe-three': the audit tells nothing of it",
    ),
    "a call was refused": ("code = 'tool_not_advertised'", "call_id='call-done': the audit tells nothing of it"),
    "a conversation was opened": ("subject = 'conv-other'", "conversation_id='conv-other': the audit tells nothing"),
    "a call was decided": (
        "subject = 'call-undelivered' AND decision = 'accepted'",
        "call_id='call-undelivered': its status is submitted, yet the audit says running",
    ),
    "a call was made": ("subject = 'call-waiting'", "call_id='call-waiting': the audit tells nothing of it"),
    "a capability was asked for": ("subject = '{asking}'", "request_id='{asking}': the audit tells nothing of it"),
    "a question was asked": ("subject = '{open}' AND detail LIKE '%source%'", "='{open}': the audit tells nothing"),
}

CHANGES = {
    "a call was made for nobody": (
        "UPDATE audit SET detail = '{\"tool_id\":\"probe.launch\"}', subject = 'call-ghost' WHERE seq = 1",
        "toolcall 'call-ghost' of",
    ),
    "a status is left out": (
        "UPDATE audit SET detail = NULL WHERE subject = 'call-done' AND action = 'transport.ack'",
        "call_id='call-done': its status is completed, yet the audit says submitted",
    ),
    "an ack counts more": (
        "UPDATE audit SET detail = replace(detail, ':', ':1') WHERE action = 'transport.ack' AND detail LIKE '%acked%'",
        "rows were acked at",
    ),
    "an acknowledgement is left out": (
        "UPDATE audit SET action = 'sdk.inbox.list' WHERE action = 'sdk.inbox.acknowledge'",
        "inboxmessage message_id='{inbox}': it was acknowledged at",
    ),
    "a refusal had another reason": (
        "UPDATE audit SET decision = 'accepted', code = NULL WHERE subject = 'call-unfit'",
        "call_id='call-unfit': the audit tells nothing of it",
    ),
    "an entry has no actor": ("UPDATE audit SET actor = 'nobody' WHERE seq = 9", "audit seq=9: its actor or its time"),
    "an entry has no time": ("UPDATE audit SET at = 'noon' WHERE seq = 9", "audit seq=9: its actor or its time"),
    "an accepted entry has a code": (
        "UPDATE audit SET code = 'app_disabled' WHERE seq = 9",
        "audit seq=9: its code does not fit its decision",
    ),
    "a sweep is made up": (
        'UPDATE audit SET action = \'sweep\', detail = \'{"rows":1,"before":"2020-01-01T00:00:00.000Z",'
        '"audit_from":4}\' WHERE seq = 9',
        "audit seq=4: the entry is missing: the chain begins with 1",
    ),
    "a sweep says nothing": (
        "UPDATE audit SET action = 'sweep', detail = '{}' WHERE seq = 9",
        "audit seq=9: its detail is none that the Runtime writes",
    ),
}


@pytest.mark.parametrize("case", LEFT_OUT)
def test_an_entry_that_is_left_out_shows_by_the_rows_although_the_chain_holds(tamper: Tamper, case: str) -> None:
    condition, words = LEFT_OUT[case]
    tamper(LEAVE_OUT.replace("{}", condition).replace("{forget}", FORGET), words, rehashed=True)


@pytest.mark.parametrize("case", CHANGES)
def test_a_past_that_is_made_up_shows_although_the_chain_holds(tamper: Tamper, case: str) -> None:
    sql, words = CHANGES[case]
    tamper(sql, words, rehashed=True)


def test_a_chain_that_is_made_anew_from_the_same_entries_holds(run: Run, copy: Path) -> None:
    rehash(copy)
    assert run("verify", "--database", copy).code == 0
