"""The cells in which the sidecar dies in the middle of one request, or of its next start."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, NamedTuple

from tests.properties.wire import Gone, Refused
from tests.reliability.doomed_wire import DoomedWire, Plan
from tests.reliability.judge import Faults, Verdict
from tests.reliability.play import Play, View
from tests.reliability.points import START_MOMENTS, STEP_MOMENTS
from tests.reliability.steps import STEPS, Step
from tests.scenarios.bundles import write_probes

START_AGAIN = "it starts again"
STARTS_AFTER = "a draft is saved"
NAMES = [step.name for step in STEPS]


class Reference(NamedTuple):
    """The story without a death: what was seen before the first step and after each, and every result."""

    views: list[View]
    results: dict[str, list[Any]]


@cache
def probes() -> tuple[str, ...]:
    """Make the MiniApps of the story, once for a process."""
    return tuple(write_probes(Path(mkdtemp(prefix="lineup-story-"))))


@cache
def reference() -> Reference:
    """Play the story to its end."""
    wire = DoomedWire(Path(mkdtemp(prefix="lineup-story-")), probes(), {})
    wire.start()
    play = Play(wire)
    play.begin()
    views = []
    for step in STEPS:
        take(play, step)
        views.append(play.see())
    assert wire.stop() == 0
    assert not play.faults
    return Reference([views[0], *views], play.results())


def take(play: Play, step: Step) -> None:
    """Make a step, which is answered; what it told is heard when this returns."""
    method, params = step.request(play)
    given = play.call(method, **params)
    step.after(play, given)
    play.call("ping")


def die_in_step(folder: Path, name: str, moment: str, faults: tuple[str, ...] = ()) -> Faults:
    """Let the sidecar die at a moment of a step, start it again, and let the story come to its end."""
    place = NAMES.index(name)
    plan = {"point": STEP_MOMENTS[moment], "faults": faults}
    wire = DoomedWire(folder, probes(), plan)
    try:
        return _die_in_step(wire, place)
    finally:
        wire.end()


def die_in_start(folder: Path, moment: str, faults: tuple[str, ...] = ()) -> Faults:
    """Let the sidecar die at rest, and at a moment of its next start; then let the story come to its end."""
    assert moment in START_MOMENTS
    place = NAMES.index(STARTS_AFTER)
    wire = DoomedWire(folder, probes(), _faulty(faults))
    try:
        play = _begin(wire, place)
        wire.kill()
        wire.plan = {"point": STEP_MOMENTS[moment], "armed": True, "faults": faults}
        wire.start()
        assert wire.is_dying(), "the point was not reached"
        return _go_on(wire, play, place, answered=True)
    finally:
        wire.end()


def _faulty(faults: tuple[str, ...]) -> Plan:
    return {"faults": faults} if faults else {}


def _begin(wire: DoomedWire, place: int) -> Play:
    wire.start()
    play = Play(wire)
    play.begin()
    for step in STEPS[: place + 1]:
        take(play, step)
    return play


def _die_in_step(wire: DoomedWire, place: int) -> Faults:
    play = _begin(wire, place - 1)
    step = STEPS[place]
    method, params = step.request(play)
    wire.arm()
    try:
        given = play.call(method, **params)
        step.after(play, given)
        answered = True
    except Gone:
        answered = False
    assert wire.is_dying(), "the point was not reached"
    play.hear()
    return _go_on(wire, play, place, answered=answered)


def _go_on(wire: DoomedWire, play: Play, place: int, *, answered: bool) -> Faults:
    wire.end()
    wire.plan = _faulty(wire.plan["faults"])
    wire.start()
    verdict = Verdict()
    verdict.verify(wire.database, "after the death")
    return finish(wire, play, place, verdict, answered=answered)


def finish(wire: DoomedWire, play: Play, place: int, verdict: Verdict, *, answered: bool) -> Faults:
    """Come back, judge what is left of the step that was on its way, make it again, and play to the end."""
    due, results = reference()
    play.come_back()
    seen = play.see()
    happened = verdict.find_side(seen, due[place], due[place + 1], answered=answered)
    if play.running:
        verdict.blame("state", f"{play.running} still ran after the death")
    lost = [play.rows[one]["type"] for one in play.lost if play.rows[one]["type"] != "tool.progress"]
    if lost and not happened:
        verdict.blame("outbox", f"the Agent was sent {lost}, and now they are not there")
    if not verdict.faults:
        try:
            _play_on(play, place, verdict, happened=happened, answered=answered)
        except (Refused, KeyError, IndexError) as fault:
            verdict.blame("state", f"the story cannot go on: {fault!r}")
    verdict.check_results(play, results) if not verdict.faults else None
    if wire.stop() != 0:
        verdict.blame("state", "it did not end well")
    verdict.verify(wire.database, "at the end")
    return verdict.faults


def _play_on(play: Play, place: int, verdict: Verdict, *, happened: bool, answered: bool) -> None:
    due = reference().views
    if not answered:
        _repeat(play, STEPS[place], happened)
    play.call("ping")
    verdict.hold(play.see(), due[place + 1], "made again")
    for step in STEPS[place + 1 :]:
        take(play, step)
    verdict.hold(play.see(), due[-1], "at the end of the story")


def _repeat(play: Play, step: Step, happened: bool) -> None:
    """Ask again for what was not answered."""
    if happened and step.lasting and step.repeated is None:
        return
    try:
        method, params = step.request(play)
        given = play.call(method, **params)
    except Refused as refused:
        if not happened or refused.code != step.repeated:
            raise
        given = {}
    step.after(play, given)
