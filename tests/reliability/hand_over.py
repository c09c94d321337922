"""The cells in which somebody dies between the store and a worker."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import NamedTuple

from tests.properties.wire import Gone, Refused
from tests.reliability.doomed import FELLED
from tests.reliability.doomed_wire import DoomedWire, Plan
from tests.reliability.dying_host import DyingHost, let_die
from tests.reliability.errand import Errand, write_steady
from tests.reliability.judge import Faults, Verdict
from tests.reliability.play import Play, View
from tests.reliability.points import (
    AFTER_LAST_WORD,
    ASKED,
    HAND_OVER,
    HELD,
    LAST_WORD,
    SIDECAR,
    WORKER,
    WORKER_MOMENTS,
    Point,
)

BORN = ("it is imported", "it hears sdk.hello", *(f"it hears sdk.{name}" for name in ("tools.call", "inbox.message")))
"""Where a worker is without having asked anything."""

_PRINTED = "sidecar.workers.stderr_log:StderrLog.feed"


class Reference(NamedTuple):
    """The errand without a death."""

    seen: list[View]
    told: list[str]


@cache
def reference() -> Reference:
    """Run the errand to its end."""
    folder = Path(mkdtemp(prefix="lineup-errand-"))
    options, _ = write_steady(folder)
    wire = DoomedWire(folder, options, {})
    wire.start()
    play = _play(wire)
    play.begin()
    errand = Errand(play, wire)
    errand.run()
    assert wire.stop() == 0
    return Reference(errand.seen, errand.told())


def places() -> dict[str, Point]:
    """Where the sidecar is when somebody dies, by name; the last of them are where the worker is, which says so."""
    sides = {
        f"{side} {name}": point
        for name, both in HAND_OVER.items()
        for side, point in zip(("before", "after"), both, strict=True)
    }
    return {**sides, **{place: Point(_PRINTED, "before", HELD + place) for place in worker_places()}}


def worker_places() -> list[str]:
    """Where a worker is when somebody dies; the part after the moment is what it asks."""
    return [*BORN, *(f"{moment} sdk.{name}" for moment in WORKER_MOMENTS for name in ASKED)]


def die_at(folder: Path, place: str, victim: str, faults: tuple[str, ...] = ()) -> Faults:
    """Let somebody die at a place, and the errand come to its end."""
    is_worker_place = place in worker_places()
    options, pipe = write_steady(folder, doom=_doom(place, victim))
    wire = DoomedWire(folder, options, {"faults": faults})
    plan = {**wire.plan, "point": places()[place], "armed": True}
    verdict = Verdict()
    try:
        if victim == WORKER:
            return _kill_worker(wire, wire.plan if is_worker_place else {**plan, "workers": True}, verdict)
        play = _kill_sidecar(wire, plan, verdict) if victim == SIDECAR else _leave(wire, plan, victim, verdict)
        verdict.verify(wire, "after the death")
        wire.start()
        play.come_back()
        return finish(wire, play, verdict)
    finally:
        wire.end()
        if pipe is not None:
            os.close(pipe)


def _doom(place: str, victim: str) -> str:
    """Where the worker dies by itself or waits, if anywhere."""
    if place in worker_places():
        return place if victim == WORKER else HELD + place
    return HELD + LAST_WORD if victim == WORKER and place in AFTER_LAST_WORD else ""


def _kill_worker(wire: DoomedWire, plan: Plan, verdict: Verdict) -> Faults:
    """Let the first life of the worker end; the Runtime starts another."""
    wire.plan = plan
    wire.start()
    play = _play(wire)
    play.begin()
    faults = finish(wire, play, verdict)
    said = wire.stderr.read_text()
    assert FELLED in said or "the worker died (signal 9" in said, "the point was not reached"
    return faults


def _kill_sidecar(wire: DoomedWire, plan: Plan, verdict: Verdict) -> Play:
    """Let the sidecar die: what its Host knows then. Its workers die with it."""
    lasting, wire.plan = wire.plan, plan
    wire.start()
    play = _play(wire)
    try:
        play.begin()
        Errand(play, wire).run()
    except Gone:
        pass
    assert wire.is_dying(), "the point was not reached"
    play.hear()
    wire.end()
    verdict.see_off({})
    wire.plan = lasting
    return play


def _leave(wire: DoomedWire, plan: Plan, victim: str, verdict: Verdict) -> Play:
    """Let the Host die, alone or with all below it: what another knows then."""
    death = let_die(wire, plan, victim, _run_errand)
    death.see_off(verdict)
    play = _play(wire)
    death.tell(play, lambda *_: None)
    return play


def _run_errand(host: DyingHost) -> None:
    """Be the Host."""
    host.start()
    play = _play(host)
    play.begin()
    Errand(play, host).run()
    host.hear_last()


def _play(wire: DoomedWire) -> Play:
    return Play(wire, host_run=["chat"])


def finish(wire: DoomedWire, play: Play, verdict: Verdict) -> Faults:
    """Run the errand to its end, and hold it against one without a death."""
    errand = Errand(play, wire)
    try:
        errand.run()
    except (Refused, Gone, KeyError, IndexError, AssertionError) as fault:
        verdict.blame("state", f"the errand cannot go on: {fault!r}")
        return verdict.faults
    due = reference()
    for seen, wanted in zip(reversed(errand.seen), reversed(due.seen), strict=False):
        verdict.hold(seen, wanted, "at the end")
    if len(play.asked) != 1:
        verdict.blame("questions", f"the person was asked {len(play.asked)} times")
    if errand.told() != due.told:
        verdict.blame("outbox", f"the Agent heard {errand.told()}, due {due.told}")
    if any(len(rows) != 1 for rows in play.results().values()):
        verdict.blame("results", play.results())
    for fault in play.faults:
        verdict.blame("outbox", fault)
    if not wire.ends_well():
        verdict.blame("state", "it did not end well")
    verdict.verify(wire, "at the end")
    return verdict.faults
