"""Standard interactions: what each status says of answer, reason, draft and owner (RULES 5)."""

from __future__ import annotations

import json
from typing import Any

from pydantic import ValidationError

from rpc_schema import limits
from rpc_schema.interactions import InputDraft
from sidecar.bundles.manifest import SYSTEM_SCOPE
from sidecar.commands.invariants.fault import Faults, check_rows, object_of
from sidecar.commands.invariants.trail import Trail
from sidecar.domain.answer import check_answer
from sidecar.domain.interactive import kind_of
from sidecar.domain.refusal import Refusal
from sidecar.domain.transitions import INTERACTION_OPEN
from sidecar.services.invoke import QUESTION
from sidecar.store import invariants, tables
from sidecar.store.inspection import View

_CALL_STATUSES = {
    "pending": ("waiting_for_app",),
    "presented": ("waiting_for_app",),
    "submitted": ("submitted",),
    "completed": ("completed",),
    "cancelled": ("cancelled",),
    "expired": ("expired",),
}
_NOTICE_STATUSES = {
    "pending": ("waiting_for_app",),
    "presented": ("submitted", "completed"),
    "completed": ("submitted", "completed"),
    "cancelled": ("submitted", "completed", "cancelled"),
    "expired": ("expired",),
}
"""What an Agent's call may be while its question is that; a notice completes its call as soon as it was shown."""


def check_questions(view: View, trail: Trail) -> int:
    """Each question's columns, owner and audit entries agree with its status."""

    def faults(row: Any) -> Faults:
        yield from _faults_of_request(row)
        yield from _faults_of_owner(row)
        if row.status in INTERACTION_OPEN:
            yield from _faults_of_open(row)
        elif row.status in ("submitted", "completed"):
            yield from _faults_of_answered(row)
        else:
            yield from _faults_of_unanswered(row)
        yield from trail.faults(tables.Interaction, (row.conversation_id, row.interaction_id), row)

    return check_rows(view, tables.Interaction, invariants.INTERACTIONS, faults)


def _faults_of_request(row: Any) -> Faults:
    request = object_of(row.request)
    try:
        QUESTION.validate_python(request)
    except ValidationError:
        yield "its request is none of the four standard questions"
        return
    if request is not None and request["kind"] != row.kind:
        yield f"its kind is {row.kind}, its request asks a {request['kind']}"
    if (row.expires_at is None) != (row.kind == "notice"):
        yield "all but a notice has a time at which it expires, a notice has none"


def _faults_of_owner(row: Any) -> Faults:
    if row.source == "agent_tool":
        yield from _faults_of_agents(row)
    elif row.source == "miniapp_tool":
        if row.call_id is not None:
            yield "a MiniApp asked it, yet it is named as an Agent's call"
    elif row.source != "runtime_policy":
        yield f"its source is {row.source}, which is none"
    elif row.kind != "confirm" or row.request_status is None:
        yield "the policy asked it, yet no capability request is about it"


def _faults_of_agents(row: Any) -> Faults:
    if row.app_scope != SYSTEM_SCOPE or row.parent_call_id is not None or row.surface_id is not None:
        yield "an Agent asked it, yet it belongs to a MiniApp"
    if row.call_id is None or kind_of(row.tool_id or "") != row.kind:
        yield "an Agent asked it, yet no call of that kind is behind it"
        return
    allowed = _NOTICE_STATUSES if row.kind == "notice" else _CALL_STATUSES
    if row.call_status not in allowed.get(row.status, ()):
        yield f"it is {row.status}, yet its call {row.call_id} is {row.call_status}"
    if row.kind != "notice" and row.call_result != row.result:
        yield f"its answer is not the result of its call {row.call_id}"


def _faults_of_open(row: Any) -> Faults:
    if row.result is not None or row.reason is not None:
        yield f"it is {row.status}, yet it has an answer or a reason"
    if row.source != "agent_tool" and row.instance_status != "live":
        yield f"it is {row.status}, yet its instance {row.instance_id} is closed"
    if (row.status == "presented") != bool(row.presented):
        yield "its status and whether it was shown differ"
    if row.kind != "notice" and row.due_at != row.expires_at:
        yield "it would not expire at the time that it says"
    if row.source == "runtime_policy" and row.request_status != "asking":
        yield f"it is {row.status}, yet the capability request that it is about is {row.request_status}"
    if row.draft is not None and not _is_draft(row):
        yield "it has a draft that it may not have"


def _is_draft(row: Any) -> bool:
    try:
        InputDraft.model_validate_json(row.draft)
    except ValidationError:
        return False
    return row.kind == "input" and len(row.draft.encode()) <= limits.MAX_DRAFT


def _faults_of_answered(row: Any) -> Faults:
    if row.reason is not None or row.draft is not None or row.due_at is not None or not row.presented:
        yield f"it is {row.status}, yet it has a reason or a draft, is due, or was never shown"
    result = object_of(row.result)
    try:
        fitting = check_answer(row.kind, row.request, result)
    except Refusal:
        fitting = None
    if fitting is None or json.dumps(fitting) != json.dumps(result):
        yield "its answer does not fit the question"


def _faults_of_unanswered(row: Any) -> Faults:
    if row.result is not None or row.draft is not None or row.due_at is not None:
        yield f"it is {row.status}, yet it has an answer or a draft, or is due"
    if row.reason is None:
        yield f"it is {row.status}, yet nothing says why"
    if row.status == "expired" and row.reason != ("no_answer" if row.presented else "never_presented"):
        yield f"its reason {row.reason} does not go with whether it was shown"
