"""The stories of a surface and of an artifact (PROTOCOL 5)."""

from __future__ import annotations

import json
from typing import Any

from sidecar.commands.stories.archive import Archive, Entry
from sidecar.commands.stories.story import Event, Story
from sidecar.commands.stories.text import quote, show_json, when
from sidecar.commands.stories.words import CONTAINERS, actor, app, because, deed, refused
from sidecar.store import tables


def tell_surface(archive: Archive, row: tables.Surface) -> Story:
    """All about a surface: who opened it, who changed it, what came out of it."""
    owner = archive.row(tables.Instance, instance_id=row.instance_id)
    name = app(None if owner is None else owner.app_scope)
    story = Story(f"Surface {quote(row.surface_id)} in conversation {quote(row.conversation_id)}")
    story.about = [
        f"it is what {name} (its instance {row.instance_id}) shows under the title {quote(row.title)}",
        f"its name among the surfaces of that instance: {quote(row.key)}",
        f"it is {CONTAINERS.get(row.container, row.container)}",
    ]
    story.events = [*_events(archive, row), *_artifacts(archive, row), *_failures(archive, row)]
    story.now = _state(row, name)
    return story


def _events(archive: Archive, row: tables.Surface) -> list[Event]:
    found = []
    for entry in archive.about(row.surface_id, row.conversation_id):
        text = _tell(archive, row, entry)
        if text is not None:
            found.append(entry.event(text, _repeat(entry)))
    return found


def _repeat(entry: Entry) -> str:
    if "revision" in entry.detail:
        return f"revision by {entry.row.actor}"
    return f"event {entry.detail['event']}" if "event" in entry.detail else ""


def _tell(archive: Archive, row: tables.Surface, entry: Entry) -> str | None:
    detail, who = entry.detail, actor(entry.row, archive.agent(row.conversation_id))
    if entry.refused:
        return f"{who} {deed(entry.row.action)}. The Runtime refused: {refused(entry.row.code, detail)}"
    if "container" in detail:
        return f"{who} opened it"
    if "revision" in detail:
        return f"{who} changed what it shows, to revision {detail['revision']}"
    if "event" in detail:
        return f"{who} reported {quote(detail['event'])}, which went into the MiniApp's Inbox"
    if entry.status == "closed":
        return f"it was closed: {because(detail.get('reason'))}"
    if entry.status == "failed":
        failed = entry.row.action == "surface.fail"
        return "the Host could not show it" if failed else f"it failed: {because('app_crashed')}"
    if entry.status == "open":
        return "it opened again after it had failed"
    return {"surface.attach": "the Host shows it", "surface.detach": "the Host shows it no more"}.get(entry.row.action)


def _artifacts(archive: Archive, row: tables.Surface) -> list[Event]:
    found = []
    for one in archive.rows(tables.Artifact, instance_id=row.instance_id, surface_id=row.surface_id):
        noted = next(
            (entry for entry in archive.about(one.artifact_id, row.conversation_id) if not entry.refused), None
        )
        text = f"it handed in {describe_artifact(one)}"
        found.append(Event(one.created_at, text) if noted is None else noted.event(text))
    return found


def _failures(archive: Archive, row: tables.Surface) -> list[Event]:
    """What the Host said when it could not show it, while the message to the MiniApp is kept."""
    found = archive.rows(tables.InboxMessage, instance_id=row.instance_id, type="surface.failed")
    said = [(one.created_at, json.loads(one.payload)) for one in found]
    own = [(at, payload["message"]) for at, payload in said if payload["surface_id"] == row.surface_id]
    failed = [entry for entry in archive.about(row.surface_id, row.conversation_id) if entry.status == "failed"]
    return [Event(at, f"the Host's words: {quote(message)}", _seq_at(failed, at)) for at, message in own]


def _seq_at(entries: list[Entry], at: int) -> int | None:
    """The number of the first entry of that moment, which is taken out of the list."""
    found = next((entry for entry in entries if entry.at == at), None)
    if found is None:
        return None
    entries.remove(found)
    return int(found.row.seq)


def _state(row: tables.Surface, name: str) -> list[str]:
    state = f"its state, at revision {row.revision}: {show_json(row.state)}"
    if row.status == "closed":
        return ["it is closed and does not come back", state]
    if row.status == "failed":
        return ["it is not shown, since it failed; it opens again when the Host attaches it", state]
    return [f"it is open until {name} closes it or is closed itself", state]


# -- artifacts


def describe_artifact(row: Any) -> str:
    """An artifact in a few words."""
    return f"{quote(row.name)} ({row.media_type}, {row.byte_size} bytes), kept as the artifact {row.artifact_id}"


def tell_artifact(archive: Archive, row: tables.Artifact) -> Story:
    """All about an artifact."""
    owner = archive.row(tables.Instance, instance_id=row.instance_id)
    name = app(None if owner is None else owner.app_scope)
    story = Story(f"Artifact {quote(row.artifact_id)} in conversation {quote(row.conversation_id)}")
    story.about = [
        f"{name} handed it in: {describe_artifact(row)}",
        f"it came from the surface {row.surface_id} of the instance {row.instance_id}",
        f"its SHA-256: {row.sha256}",
    ]
    story.events = [Event(row.created_at, "it was handed in, its size and hash were checked, and it was stored")]
    for entry in archive.about(row.artifact_id):
        if entry.refused:
            who = actor(entry.row, archive.agent(row.conversation_id))
            why = refused(entry.row.code, entry.detail)
            story.events.append(entry.event(f"{who} {deed(entry.row.action)}. The Runtime refused: {why}"))
    story.now = [f"it is kept as it was handed in at {when(row.created_at)}; nothing changes an artifact"]
    return story
