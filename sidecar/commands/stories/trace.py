"""The story of an id that has no row of its own, or not any more: what the audit alone tells."""

from __future__ import annotations

from sidecar.commands.stories.archive import Archive, Entry
from sidecar.commands.stories.story import Story
from sidecar.commands.stories.text import quote
from sidecar.commands.stories.words import actor, deed, refused


def tell_trace(archive: Archive, subject: str, entries: list[Entry]) -> Story:
    """What was asked about an id."""
    story = Story(f"{quote(subject)}, as the audit knows it")
    story.about = ["nothing is stored under this id itself; requests named it"]
    for entry in entries:
        who = actor(entry.row, archive.agent(entry.row.conversation_id))
        why = f". The Runtime refused: {refused(entry.row.code, entry.detail)}" if entry.refused else ", which was done"
        story.events.append(entry.event(f"{who} {deed(entry.row.action)}{why}"))
    story.now = ["nothing more is known of it"]
    return story
