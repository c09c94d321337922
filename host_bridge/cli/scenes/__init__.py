"""What ``lineup-host demo`` shows, in order. A scene that returns has checked all that it claims."""

from __future__ import annotations

from dataclasses import dataclass

from host_bridge.cli.scenes import board, crash, ending, talk
from host_bridge.cli.stage import Play


@dataclass(frozen=True)
class Scene:
    """A heading and what is played under it."""

    title: str
    play: Play


SCENES = (
    Scene("An Agent opens a task; the sidecar is killed in the middle of it", crash.survive_crash),
    Scene("Agent and user talk, in Markdown", talk.talk),
    Scene("The Agent offers a choice", talk.choose),
    Scene("The Agent asks for a yes", talk.confirm),
    Scene("A half-filled form survives a crash", talk.fill_form),
    Scene("The Agent takes a question back", talk.take_back),
    Scene("The user draws, the Agent gets an SVG", board.draw),
    Scene("The user closes an app while its Tool runs", board.close_while_running),
    Scene("The sidecar ends, and the store tells the story", ending.tell_story),
)
