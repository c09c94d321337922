"""The cells in which somebody dies in the middle of one request, or of the next start."""

from __future__ import annotations

from functools import cache, partial
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, NamedTuple

from tests.properties.wire import Gone, Refused
from tests.reliability.doomed_wire import DoomedWire
from tests.reliability.dying_host import DyingHost, let_die
from tests.reliability.judge import Faults, Verdict
from tests.reliability.play import Play, View
from tests.reliability.points import HALF_ASKED, HOST, SIDECAR, STEP_MOMENTS, UNCOMMITTED, Point
from tests.reliability.steps import STEPS, Step
from tests.scenarios.bundles import write_probes

STARTS_AFTER = "a draft is saved"
STARTS = {"it starts again": STARTS_AFTER, "it starts again, and time has passed": "time ends it"}
"""The starts at which somebody dies, and the last step that has happened when it is done."""
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


def die_in_step(folder: Path, name: str, moment: str, victim: str, faults: tuple[str, ...] = ()) -> Faults:
    """Let somebody die at a moment of a step, start again what died, and let the story come to its end."""
    place = NAMES.index(name)
    wire = DoomedWire(folder, probes(), {"faults": faults})
    verdict = Verdict()
    try:
        if victim == SIDECAR:
            play, answered = _kill_in_step(wire, place, moment)
        else:
            play, answered = _leave_in_step(wire, place, moment, victim, verdict)
        due = _due(STEPS[place], moment, victim, answered)
        return go_on(wire, play, place, verdict, due=due, answered=answered)
    finally:
        wire.end()


def die_in_start(folder: Path, row: str, moment: str, victim: str, faults: tuple[str, ...] = ()) -> Faults:
    """Let the sidecar die at rest, and somebody at a moment of its next start; then let the story come to its end."""
    wire = DoomedWire(folder, probes(), {"faults": faults})
    verdict = Verdict()
    try:
        play, place = stop_at_rest(wire, STARTS[row])
        die_starting(wire, STEP_MOMENTS[moment], victim, verdict)
        return go_on(wire, play, place, verdict, due=True, answered=True)
    finally:
        wire.end()


def stop_at_rest(wire: DoomedWire, name: str) -> tuple[Play, int]:
    """Play up to a step, and let the sidecar die; a step that happens whoever dies is left to the next start."""
    place = NAMES.index(name)
    step = STEPS[place]
    play = _begin(wire, place - step.certain)
    if step.certain:
        step.request(play)
    wire.kill()
    return play, place


def die_starting(wire: DoomedWire, point: Point, victim: str, verdict: Verdict) -> None:
    """Let somebody die at a point of the sidecar's start."""
    lasting, plan = wire.plan, {**wire.plan, "point": point, "armed": True}
    if victim == SIDECAR:
        wire.plan = plan
        wire.start()
        assert wire.is_dying(), "the point was not reached"
        wire.end()
        wire.plan = lasting
    else:
        let_die(wire, plan, victim, _only_start).see_off(verdict)


def _only_start(host: DyingHost) -> None:
    host.start()
    host.hear_last()


def _begin(wire: DoomedWire, place: int) -> Play:
    wire.start()
    play = Play(wire)
    play.begin()
    for step in STEPS[: place + 1]:
        take(play, step)
    return play


def _kill_in_step(wire: DoomedWire, place: int, moment: str) -> tuple[Play, bool]:
    """Let the sidecar die: what Host and Agent know then, and whether the request was answered."""
    lasting = wire.plan
    wire.plan = {**lasting, "point": STEP_MOMENTS[moment]}
    play = _begin(wire, place - 1)
    step = STEPS[place]
    method, params = step.request(play)
    wire.arm()
    answered = True
    try:
        step.after(play, play.call(method, **params))
    except Gone:
        answered = False
    assert wire.is_dying(), "the point was not reached"
    play.hear()
    wire.end()
    wire.plan = lasting
    return play, answered


def _leave_in_step(wire: DoomedWire, place: int, moment: str, victim: str, verdict: Verdict) -> tuple[Play, bool]:
    """Let the Host die, alone or with all below it: what another knows then, and whether the request was answered."""
    plan = wire.plan if moment == HALF_ASKED else {**wire.plan, "point": STEP_MOMENTS[moment]}
    death = let_die(wire, plan, victim, partial(_live_until, place=place, half=moment == HALF_ASKED))
    death.see_off(verdict)
    play = Play(wire)
    return play, death.tell(play, STEPS[place].after)


def _live_until(host: DyingHost, *, place: int, half: bool) -> None:
    """Be the Host up to a step, and in it."""
    play = _begin(host, place - 1)
    method, params = STEPS[place].request(play)
    host.remember(play)
    if half:
        host.ask_half(method, params)
    host.arm()
    play.call(method, **params)
    host.hear_last()


def _due(step: Step, moment: str, victim: str, answered: bool) -> bool | None:
    """Whether a step must have happened; None where either is as good.

    What was read is done where the Host alone is dead: there is a sidecar to do it (PROTOCOL 1.1).
    """
    if step.certain:
        return True
    if not step.lasting:
        return answered or None
    return moment != HALF_ASKED if victim == HOST else moment not in UNCOMMITTED


def go_on(wire: DoomedWire, play: Play, place: int, verdict: Verdict, *, due: bool | None, answered: bool) -> Faults:
    """Start again, as another Host or the same, and play to the end."""
    verdict.verify(wire, "after the death")
    wire.start()
    return finish(wire, play, place, verdict, due=due, answered=answered)


def finish(wire: DoomedWire, play: Play, place: int, verdict: Verdict, *, due: bool | None, answered: bool) -> Faults:
    """Come back, judge what is left of the step that was on its way, make it again, and play to the end."""
    try:
        _judge(play, place, verdict, due=due, answered=answered)
    except (Refused, Gone, KeyError, IndexError) as fault:
        verdict.blame("state", f"the story cannot go on: {fault!r}")
    verdict.check_results(play, reference().results) if not verdict.faults else None
    if not wire.ends_well():
        verdict.blame("state", "it did not end well")
    verdict.verify(wire, "at the end")
    return verdict.faults


def _judge(play: Play, place: int, verdict: Verdict, *, due: bool | None, answered: bool) -> None:
    views = reference().views
    play.come_back()
    happened = verdict.find_side(play.see(), views[place], views[place + 1], due)
    if play.running:
        verdict.blame("state", f"{play.running} still ran after the death")
    lost = [play.rows[one]["type"] for one in play.lost if play.rows[one]["type"] != "tool.progress"]
    if lost and not happened:
        verdict.blame("outbox", f"the Agent was sent {lost}, and now they are not there")
    if not verdict.faults:
        _play_on(play, place, verdict, happened=happened, answered=answered)


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
