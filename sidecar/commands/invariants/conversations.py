"""Conversations, their focus stacks, instances and app sessions (RULES 3 and 4)."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from rpc_schema import limits
from sidecar.bundles.manifest import SYSTEM_SCOPE
from sidecar.commands.invariants.fault import Faults, check_rows
from sidecar.commands.invariants.trail import Trail
from sidecar.store import invariants, tables
from sidecar.store.inspection import View


def check_conversations(view: View, trail: Trail) -> int:
    """Each focus stack holds every live instance of its conversation once."""
    live: defaultdict[str, list[str]] = defaultdict(list)
    for row in view.rows(invariants.LIVE_INSTANCES):
        live[row.conversation_id].append(row.instance_id)

    def faults(row: tables.Conversation) -> Iterator[str]:
        yield from _faults_of_stack(row.focus_stack, live.pop(row.conversation_id, []))
        yield from trail.faults(tables.Conversation, (row.conversation_id, row.conversation_id), row)

    return check_rows(view, tables.Conversation, invariants.CONVERSATIONS, faults)


def check_instances(view: View, trail: Trail) -> int:
    """Each bundled instance lives and ends with its app session; Interact has none and never ends."""

    def faults(row: Any) -> Faults:
        yield from _faults_of_instance(row)
        yield from trail.faults(tables.Instance, (row.conversation_id, row.instance_id), row)

    return check_rows(view, tables.Instance, invariants.INSTANCES, faults)


def check_sessions(view: View, trail: Trail) -> int:
    """Each app session is told of by the audit as it is."""

    def faults(row: tables.AppSession) -> Faults:
        return trail.faults(tables.AppSession, (row.conversation_id, row.app_session_id), row)

    return check_rows(view, tables.AppSession, invariants.APP_SESSIONS, faults)


def check_miniapps(view: View, trail: Trail) -> int:
    """Each MiniApp is switched as the audit says."""

    def faults(row: tables.MiniApp) -> Faults:
        told = trail.enabled.pop(row.app_scope, None)
        if row.enabled not in (0, 1):
            yield "it is neither switched on nor off"
        if row.app_scope == SYSTEM_SCOPE:
            yield "the system MiniApp cannot be switched"
        if told is None and not trail.before:
            yield "the audit tells nothing of it"
        if told not in (None, bool(row.enabled)):
            yield f"it is switched {'on' if row.enabled else 'off'}, yet the audit says otherwise"

    return check_rows(view, tables.MiniApp, invariants.MINIAPPS, faults)


def _faults_of_stack(text: str, live: list[str]) -> Faults:
    try:
        stack = json.loads(text)
    except ValueError:
        stack = None
    if not isinstance(stack, list) or not all(isinstance(one, str) for one in stack):
        yield "its focus_stack is no list of instance ids"
        return
    for one in stack:
        if stack.count(one) > 1:
            yield f"its focus_stack lists {one} twice"
        if one not in live:
            yield f"its focus_stack lists {one}, which is no live instance of it"
    for one in live:
        if one not in stack:
            yield f"its live instance {one} is missing from its focus_stack"
    if len(live) > limits.MAX_INSTANCES:
        yield f"it has {len(live)} live instances; at most {limits.MAX_INSTANCES} may live"


def _faults_of_instance(row: Any) -> Faults:
    if row.connected not in (0, 1) or row.restore_focus not in (0, 1):
        yield "its connected or restore_focus is neither 0 nor 1"
    if row.app_scope == SYSTEM_SCOPE:
        if row.status != "live" or row.app_session_id is not None:
            yield "Interact is never closed and has no app session"
        return
    if row.app_session_id is None:
        yield "it has no app session"
    elif (row.status == "live") != (row.session_status == "open"):
        yield f"it is {row.status}, yet its app session {row.app_session_id} is {row.session_status}"
