"""The stories of an instance of a MiniApp and of its app session (RULES 3 and 4)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from sidecar.bundles.manifest import SYSTEM_SCOPE
from sidecar.commands.stories import question, surface
from sidecar.commands.stories.archive import Archive, Entry
from sidecar.commands.stories.story import Event, Story
from sidecar.commands.stories.text import quote
from sidecar.commands.stories.words import actor, app, because, deed, refused, standing
from sidecar.domain.transitions import CALL_OPEN, CAPABILITY_OPEN, INTERACTION_OPEN
from sidecar.store import tables

_ACTS = {
    "miniapp.background": "sent it one place down",
    "miniapp.foreground": "brought it to the front",
    "miniapp.mount": "gave it its container on the screen",
    "miniapp.open": "opened it",
    "miniapp.unmount": "took its container away",
    "sdk.lifecycle.requestBackground": "went one place down",
    "sdk.lifecycle.requestForeground": "came to the front",
    "worker.failed": "gave it up: its process died three times within a minute",
}


def tell_instance(archive: Archive, row: tables.Instance) -> Story:
    """All about an instance: what it was made for, what it did, what ended with it and what did not."""
    story = Story(f"Instance {quote(row.instance_id)} in conversation {quote(row.conversation_id)}")
    story.about = [f"it is one running copy of {app(row.app_scope)}, version {row.app_version}"]
    if row.app_session_id is not None:
        story.about.append(f"its app session, by which the Agent may speak of it: {row.app_session_id}")
    entries = list(archive.of_instance(row))
    story.events = [*_events(archive, row, entries), *_Work(archive, row, entries).events()]
    story.now = _state(archive, row)
    return story


def _events(archive: Archive, row: tables.Instance, entries: list[Entry]) -> list[Event]:
    told = ((entry, _tell(archive, row, entry)) for entry in entries)
    return [entry.event(text) for entry, text in told if text is not None]


def _tell(archive: Archive, row: tables.Instance, entry: Entry) -> str | None:
    who = actor(entry.row, archive.agent(row.conversation_id))
    if entry.refused:
        about = f" of {quote(entry.row.subject)}" if entry.row.subject else ""
        return f"{who} {deed(entry.row.action)}{about}. The Runtime refused: {refused(entry.row.code, entry.detail)}"
    if entry.row.subject != row.instance_id:
        return None
    if "app_version" in entry.detail:
        return _tell_making(entry, who)
    if entry.detail.get("front"):
        return f"{who} brought it to the front with the Tool call {quote(entry.detail['call_id'])}"
    if entry.status == "closed":
        return _tell_closing(archive, row, entry, who)
    act = _ACTS.get(entry.row.action)
    return None if act is None else f"{who} {act}"


def _tell_making(entry: Entry, who: str) -> str:
    if "call_id" in entry.detail:
        return f"it was made, since {who} asked for a Tool of it (call {quote(entry.detail['call_id'])})"
    return "it was made, as one is in every conversation" if entry.row.app_scope == SYSTEM_SCOPE else f"{who} opened it"


def _tell_closing(archive: Archive, row: tables.Instance, entry: Entry, who: str) -> str:
    reason = entry.detail.get("reason") or ""
    said = "" if reason in ("user", "app") else f" ({because(reason)})"
    cancelled, stayed = _converged(archive, row, entry)
    went = f". With it ended {', '.join(cancelled)}" if cancelled else ". Nothing was open in it"
    kept = f". What stayed: {', '.join(stayed)}" if stayed else ""
    return f"{who} closed it{said}{went}{kept}"


def _converged(archive: Archive, row: tables.Instance, entry: Entry) -> tuple[list[str], list[str]]:
    """What ended with a closed instance, and what did not."""
    ids = {"instance_id": row.instance_id}
    calls = archive.rows(tables.ToolCall, **ids)
    cancelled = [f"the call {quote(call.call_id)}" for call in calls if call.reason == "app_closed"]
    asked = [one for one in archive.rows(tables.Interaction, **ids) if one.reason == "app_closed"]
    cancelled += [question.name_of(one) for one in asked]
    requests = archive.rows(tables.CapabilityRequest, status="cancelled", **ids)
    cancelled += [f"the request for {quote(one.capability)}" for one in requests]
    shown = [one for one in archive.rows(tables.Surface, **ids) if one.updated_at == row.updated_at]
    cancelled += [f"the surface {quote(one.title)}" for one in shown]
    return cancelled, [*_decided_before(row, calls), *_stayed(archive, row, entry)]


def _decided_before(row: tables.Instance, calls: list[tables.ToolCall]) -> list[str]:
    """The calls that were decided when the instance was closed, but not yet confirmed by the Agent's side."""
    return [
        f"the outcome of the call {quote(call.call_id)}"
        for call in calls
        if (call.outcome is not None and call.reason != "app_closed" and call.updated_at > row.updated_at)
        or call.status == "submitted"
    ]


def _stayed(archive: Archive, row: tables.Instance, entry: Entry) -> list[str]:
    """The Agent's questions about the app session that were open then: they are the Agent's, not the app's."""
    told = archive.told(row.conversation_id, f"app.session.closed {row.app_session_id}")
    if told is not None:
        waiting = json.loads(told.payload)["pending_interaction_call_ids"]
    else:
        asked = archive.rows(tables.Interaction, app_session_id=row.app_session_id, source="agent_tool")
        waiting = [one.call_id for one in asked if one.created_at <= entry.at and one.status in INTERACTION_OPEN]
    return [f"the Agent's question {quote(call_id)}" for call_id in waiting]


class _Work:
    """What an instance was given and what it asked, showed and handed in: from the rows, numbered by the audit."""

    def __init__(self, archive: Archive, row: tables.Instance, entries: list[Entry]) -> None:
        self._archive = archive
        self._ids = {"instance_id": row.instance_id}
        accepted = [entry for entry in entries if not entry.refused and entry.row.subject is not None]
        self._made = {entry.row.subject: entry.row.seq for entry in reversed(accepted)}
        self._moved = {entry.row.subject: entry.row.seq for entry in accepted if entry.status is not None}

    def events(self) -> list[Event]:
        """All of it."""
        return [*self._calls(), *self._questions(), *self._things()]

    def _calls(self) -> Iterator[Event]:
        for call in self._archive.rows(tables.ToolCall, **self._ids):
            name = f"the call {quote(call.call_id)}"
            yield self._begun(call, call.call_id, f"it was given {name}: {call.tool_id}")
            if call.status == "submitted":
                yield self._ended(call, call.call_id, f"{name} was decided: {call.outcome}")
            elif call.status not in CALL_OPEN:
                why = f", since {because(call.reason)}" if call.reason else ""
                yield self._ended(call, call.call_id, f"{name} ended: {call.status}{why}")

    def _questions(self) -> Iterator[Event]:
        for asked in self._archive.rows(tables.Interaction, **self._ids):
            if asked.source == "agent_tool":
                continue
            name, subject = question.name_of(asked), asked.interaction_id
            yield self._begun(asked, subject, f"{name} was put to the user ({subject})")
            if asked.status not in INTERACTION_OPEN:
                how = f"{asked.status}, {because(asked.reason)}" if asked.result is None else question.answer_of(asked)
                yield self._ended(asked, subject, f"{name} ended: {how}")

    def _things(self) -> Iterator[Event]:
        for shown in self._archive.rows(tables.Surface, **self._ids):
            yield self._begun(
                shown, shown.surface_id, f"it opened the surface {quote(shown.title)} ({shown.surface_id})"
            )
        for made in self._archive.rows(tables.Artifact, **self._ids):
            yield self._begun(made, made.artifact_id, f"it handed in {surface.describe_artifact(made)}")
        for wish in self._archive.rows(tables.CapabilityRequest, **self._ids):
            text = f"it asked for {quote(wish.capability)} (request {wish.request_id})"
            yield self._begun(wish, wish.request_id, text)
            if wish.status not in CAPABILITY_OPEN:
                ended = f"its request for {quote(wish.capability)} ended: {wish.status}"
                yield self._ended(wish, wish.request_id, ended)

    def _begun(self, row: Any, subject: str, text: str) -> Event:
        return Event(row.created_at, text, self._made.get(subject))

    def _ended(self, row: Any, subject: str, text: str) -> Event:
        return Event(row.updated_at, text, self._moved.get(subject))


# -- where it stands


def _state(archive: Archive, row: tables.Instance) -> list[str]:
    if row.status == "closed":
        return ["it is closed and does not come back; the next one will be another instance"]
    conversation = archive.row(tables.Conversation, conversation_id=row.conversation_id)
    stack = json.loads(conversation.focus_stack)
    place = "in front" if stack[-1:] == [row.instance_id] else "in the background"
    began = "" if row.connected else "; its logic has never run yet"
    lines = [f"it lives, {place}{began}"]
    if archive.is_off(row.app_scope):
        lines.append("it is switched off: nothing reaches it until the user switches it on")
    return [*lines, *_open_in(archive, row)]


def _open_in(archive: Archive, row: tables.Instance) -> list[str]:
    ids = {"instance_id": row.instance_id}
    calls = [call for call in archive.rows(tables.ToolCall, **ids) if call.status in CALL_OPEN]
    asked = [one for one in archive.rows(tables.Interaction, **ids) if one.status in INTERACTION_OPEN]
    waiting = archive.rows(tables.InboxMessage, acked_at=None, **ids) if row.status == "live" else []
    lines = [f"it has the call {quote(call.call_id)} ({call.tool_id}): {standing(call)}" for call in calls]
    lines += [f"{question.name_of(one)} is open: {one.status}" for one in asked]
    return [*lines, f"{len(waiting)} messages wait in its Inbox"] if waiting else lines


# -- app sessions


def tell_session(archive: Archive, row: tables.AppSession) -> Story:
    """All about an app session."""
    story = Story(f"App session {quote(row.app_session_id)} in conversation {quote(row.conversation_id)}")
    story.about = [
        f"it is what passes between the user and {archive.agent(row.conversation_id)} about {app(row.app_scope)}",
        f"it lives and ends with the instance {row.instance_id}",
    ]
    story.events = [Event(row.created_at, f"it was opened together with {app(row.app_scope)}")]
    for type_ in ("opened", "closed"):
        told = archive.told(row.conversation_id, f"app.session.{type_} {row.app_session_id}")
        if told is not None and told.acked_at is not None:
            text = f"the Agent's side confirmed that it knows that it was {type_}"
            story.events.append(Event(told.acked_at, text))
    for asked in archive.rows(tables.Interaction, app_session_id=row.app_session_id, source="agent_tool"):
        story.events += question.events_of_question(archive, asked)
    if row.status == "closed":
        story.events.append(Event(row.updated_at, "it was closed together with its instance"))
    story.now = [_state_of_session(row)]
    return story


def _state_of_session(row: tables.AppSession) -> str:
    if row.status == "open":
        return "it is open as long as its instance lives"
    return "it is closed; the Agent may still name it, as history"
