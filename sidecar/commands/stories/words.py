"""The plain words for statuses, reasons and refusals."""

from __future__ import annotations

from typing import Any

from rpc_schema.errors import REFUSALS
from rpc_schema.methods import METHODS
from sidecar.bundles.manifest import SYSTEM_SCOPE
from sidecar.commands.stories.text import quote
from sidecar.domain.interactive import kind_of
from sidecar.store import tables

REASONS = {
    "agent_cancelled": "the Agent gave it up",
    "app_cancelled": "the MiniApp took it back",
    "app_closed": "the MiniApp was closed",
    "app_crashed": "the MiniApp stopped working, again and again",
    "app_disabled": "the MiniApp was switched off",
    "dismissed": "the Agent took it back",
    "host_denied": "the Host said no",
    "host_failed": "the Host tried and failed",
    "host_unsupported": "the Host has nothing that provides it",
    "never_presented": "it was never shown to the user while there was time",
    "no_answer": "nobody answered it in time",
    "not_declared": "the MiniApp's manifest does not ask for it",
    "policy": "the policy of this Runtime, or the MiniApp's being switched off, forbids it",
    "requested": "that was asked for",
    "timeout": "its time ran out",
    "user_cancelled": "the user dismissed it",
    "user_denied": "the user did not agree",
}
"""Why something ended, by the stable word."""

RECEIPTS = {
    "already_final": "it had already ended, so nothing changed",
    "cancelled": "it was cancelled",
    "dismissed": "the question was taken back",
    "not_found": "there was no such call, so nothing changed",
}
"""What an Agent was told about a cancel or a dismiss."""

_CALLS = {
    "received": "coming in",
    "routing": "on its way to its MiniApp",
    "waiting_for_app": "waiting to be taken",
    "running": "being worked on",
    "submitted": "decided; the Agent's side has yet to confirm that it knows",
    "completed": "completed",
    "failed": "failed",
    "cancelled": "cancelled",
    "expired": "expired",
    "rejected": "refused",
}
"""How a Tool call stands."""

CONTAINERS = {
    "sandboxed-iframe": "a page that is shut in: it reaches nothing but its own MiniApp",
    "trusted-dom": "a part of the Host's own page, as only Interact may be",
}

_REFUSALS: dict[str, str] = dict(REFUSALS.items())
"""By a code as the store has it, which may be one that this version does not know."""

_USERS = (
    "miniapp.open",
    "miniapp.foreground",
    "miniapp.background",
    "miniapp.close",
    "miniapp.setEnabled",
    "renderer.submit",
    "renderer.cancel",
    "renderer.saveDraft",
)
"""What the Host says for its user."""


def standing(call: tables.ToolCall) -> str:
    """How a Tool call stands."""
    if call.status == "waiting_for_app" and kind_of(call.tool_id) is not None:
        return "waiting for the user"
    return _CALLS[call.status]


def deed(action: str) -> str:
    """What somebody wanted who asked for that method, or sent that envelope."""
    method = METHODS.get(action)
    return f"asked for {action}" if method is None else f"asked for {action} ({method.summary.rstrip('.')})"


def because(reason: str | None) -> str:
    """A reason in words; one that somebody gave in words of their own is quoted."""
    if not reason:
        return "no reason was given"
    return REASONS.get(reason) or f"the reason given was {quote(reason)}"


def refused(code: str, detail: dict[str, Any]) -> str:
    """Why something was refused, with what the audit kept of it."""
    words = [detail.get("message") or _REFUSALS.get(code, "It was refused.")]
    if "reason" in detail:
        named = f"{detail['capability']}: " if "capability" in detail else ""
        words.append(f"Here: {named}{because(detail['reason'])}.")
    words += [f"Here: {error['path'] or 'the whole'}: {error['message']}." for error in detail.get("errors", [])]
    if "limit" in detail:
        counts = f", {detail['actual']} there" if "actual" in detail else ""
        words.append(f"The limit is {detail['limit']}: {detail.get('bound')} allowed{counts}.")
    return f"{' '.join(words)} [{code}]"


def app(scope: str | None) -> str:
    """A MiniApp as a person knows it."""
    if scope is None:
        return "a MiniApp"
    return "Interact" if scope == SYSTEM_SCOPE else f"the MiniApp {scope}"


def actor(entry: Any, agent: str) -> str:
    """Who did what an audit entry tells."""
    if entry.actor == "host":
        return "the user" if entry.action in _USERS else "the Host"
    if entry.actor == "agent":
        return agent
    if entry.actor == "surface":
        return f"the page of {app(entry.app_scope)}"
    return app(entry.app_scope) if entry.actor == "miniapp" else "the Runtime"
