"""The cells in which something dies between the store and a worker: the sidecar or the worker."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import NamedTuple

from tests.properties.wire import Gone, Refused
from tests.reliability.doomed_wire import DoomedWire
from tests.reliability.errand import Errand, write_steady
from tests.reliability.judge import Faults, Verdict
from tests.reliability.play import Play, View
from tests.reliability.points import ASKED, HAND_OVER, WORKER_MOMENTS, Point

BORN = ("it is imported", "it hears sdk.hello", *(f"it hears sdk.{name}" for name in ("tools.call", "inbox.message")))
"""Where a worker dies without having asked anything."""


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
    play = Play(wire, host_run=["chat"])
    play.begin()
    errand = Errand(play, wire)
    errand.run()
    assert wire.stop() == 0
    return Reference(errand.seen, errand.told())


def sidecar_places() -> dict[str, Point]:
    """Where the sidecar dies, by name."""
    return {
        f"{side} {name}": point
        for name, both in HAND_OVER.items()
        for side, point in zip(("before", "after"), both, strict=True)
    }


def worker_places() -> list[str]:
    """Where a worker dies, by name; the part after the moment is what it asks."""
    return [*BORN, *(f"{moment} sdk.{name}" for moment in WORKER_MOMENTS for name in ASKED)]


def die_at(folder: Path, place: str) -> Faults:
    """Let the sidecar die at a place, and the errand go on with the next one."""
    options, _ = write_steady(folder)
    wire = DoomedWire(folder, options, {"point": sidecar_places()[place], "armed": True})
    play = Play(wire, host_run=["chat"])
    try:
        wire.start()
        try:
            play.begin()
            Errand(play, wire).run()
            assert wire.is_dying(), "the point was not reached"
        except Gone:
            pass
        assert wire.is_dying(), "the point was not reached"
        play.hear()
        return go_on(wire, play)
    finally:
        wire.end()


def go_on(wire: DoomedWire, play: Play) -> Faults:
    """Start it again, and run the errand to its end."""
    wire.end()
    wire.plan = {}
    wire.start()
    verdict = Verdict()
    verdict.verify(wire.database, "after the death")
    play.come_back()
    return finish(wire, play, verdict)


def kill_worker(folder: Path, place: str) -> Faults:
    """Let the first life of the worker end at a place; the Runtime starts another."""
    options, pipe = write_steady(folder, doom=place)
    wire = DoomedWire(folder, options, {})
    try:
        wire.start()
        play = Play(wire, host_run=["chat"])
        play.begin()
        faults = finish(wire, play, Verdict())
        assert "the worker died (signal 9" in wire.stderr.read_text(), "the point was not reached"
        return faults
    finally:
        wire.end()
        if pipe is not None:
            os.close(pipe)


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
    if wire.stop() != 0:
        verdict.blame("state", "it did not end well")
    verdict.verify(wire.database, "at the end")
    return verdict.faults
