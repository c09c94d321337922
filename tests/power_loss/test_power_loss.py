"""The power goes while anything is under way: what was answered was on the disk (RULES 1 and 6)."""

from __future__ import annotations

import contextlib
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from sidecar.store.database import SCHEMA_VERSION
from tests.power_loss.answers import ANSWERS, NEWS, REPLACED
from tests.power_loss.cuts import cut_after, cut_again, draw_cuts, make_cuts
from tests.power_loss.disk import Disk
from tests.power_loss.journal import read_journal
from tests.power_loss.judge import Judge
from tests.power_loss.planted import LATE, NO_FOLDER, NO_SYNC, NO_SYNC_OF_THE_LOG
from tests.power_loss.recording import (
    AT_WORK,
    END,
    FIRST_START,
    MIGRATION,
    NEWER_END,
    NEXT_START,
    STORE,
    Recording,
    record_story,
    record_walk,
)
from tests.power_loss.storm import Storm, walk_through_a_storm
from tests.power_loss.wires import WatchedWire
from tests.properties.everything import Machine
from tests.reliability.requests import probes

SEEDS = range(4)
LOG = ("while the log is written", "while the log is synced")
CHECKPOINT = ("while the store itself is written", "while the store itself is synced")
NAMES = ("before a name is made, changed or taken away", "while names are synced")
SAYS = "before something is said"
PLACES = {
    FIRST_START: {*LOG, *CHECKPOINT, *NAMES, SAYS, "while the journal is written", "while the journal is synced"},
    AT_WORK: {*LOG, *CHECKPOINT, SAYS},
    NEXT_START: {*LOG, SAYS},
    END: {*CHECKPOINT, NAMES[0]},
    MIGRATION: {*LOG, *NAMES, SAYS},
    NEWER_END: {*CHECKPOINT, NAMES[0], "at the end"},
}
"""Where the power must have gone."""


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory, library: Path) -> Recording:
    """A life whose work is always the same."""
    return record_story(tmp_path_factory.mktemp("story"), library)


@pytest.fixture(scope="module")
def walk(tmp_path_factory: pytest.TempPathFactory, library: Path) -> Recording:
    """A life whose work was chosen by chance."""
    return record_walk(tmp_path_factory.mktemp("walk"), library, seed=0, moves=90)


@pytest.mark.requirement("R1-after-the-commit")
def test_nothing_is_said_while_anything_is_not_synced(story: Recording, walk: Recording) -> None:
    for recording in (story, walk):
        places = zip(recording.acts, recording.replay(), strict=False)  # the last place is the end
        said = [disk.is_synced for act, (_, disk) in places if act.kind == "A"]
        assert len(said) > 100
        assert all(said)


@pytest.mark.requirement("R1-after-the-commit", "R6-killed-anywhere", "R1-one-transaction")
def test_every_promise_outlives_a_power_cut_at_any_place(story: Recording, walk: Recording) -> None:
    kinds: set[str] = set()
    places: dict[str, set[str]] = {}
    for recording, each in ((story, 3), (walk, 2)):
        judge = Judge(recording)
        outcomes = make_cuts(recording, judge, draw_cuts(recording, 0, places=each, fates=2))
        assert [one for one in outcomes if one.is_wrong] == []
        kinds |= judge.ledger.kinds
        for outcome in outcomes:
            places.setdefault(outcome.where[0], set()).add(outcome.where[1])
    assert {phase: due - places[phase] for phase, due in PLACES.items()} == {phase: set() for phase in PLACES}
    assert kinds == {*ANSWERS, *NEWS, *REPLACED}, "every kind of promise was made"


@pytest.mark.requirement("R6-killed-anywhere")
def test_a_second_cut_while_the_store_is_started_again_loses_no_more(
    tmp_path: Path, library: Path, story: Recording
) -> None:
    judge = Judge(story)
    cuts = draw_cuts(story, 1, places=1, fates=1, phase=AT_WORK)
    outcomes = []
    for number, cut in enumerate(cuts):
        (tmp_path / str(number)).mkdir()
        outcomes += cut_again(story, judge, cut, WatchedWire(tmp_path / str(number), probes(), library), every=3)
    assert len(outcomes) > 5 * len(cuts) > 20
    assert [one for one in outcomes if one.is_wrong] == []


@pytest.mark.requirement("R1-after-the-commit", "R6-killed-anywhere", "R1-one-transaction")
def test_what_was_answered_survives_the_power(tmp_path: Path, library: Path) -> None:
    stage = Storm(tmp_path, library)
    for seed in SEEDS:
        walk_through_a_storm(stage, seed)
    assert len(stage.wire.cuts) >= len(SEEDS)
    stage.end()


def test_a_storm_is_noticed_where_nobody_waits_for_the_disk(tmp_path: Path, library: Path) -> None:
    stage = Storm(tmp_path, library, faults=(NO_SYNC,))
    stage.wire.fates = ("nothing",)
    machine = Machine(stage)
    machine.set_out(False, "alpha", True)
    machine.mortal = True
    with pytest.raises(AssertionError) as caught:
        machine.make("die", {"away": 0})
    assert "[recovered[name] for name in names]" in str(caught.traceback[-1].statement), "what is open is counted"
    stage.discard()


PROMISES = (
    "message hi is in an Inbox",
    "artifact small.txt is kept",
    'the draft of <> is {"values": {"name": "half a name"}}',
    "question <> is answered",
    "row <>, lineup.v1.tool.result, is in the outbox",
    "capability request <> is granted",
    "call first has ended: completed",
    "the switch of probe is false",
)


def test_nothing_is_lost_as_soon_as_it_is_promised(story: Recording) -> None:
    judge = Judge(story)
    assert [cut_after(story, judge, promise, "nothing") for promise in PROMISES] == [set()] * len(PROMISES)


@pytest.mark.parametrize("fault", [NO_SYNC, NO_SYNC_OF_THE_LOG, LATE])
def test_a_program_that_does_not_wait_for_the_disk_loses_what_it_has_just_promised(
    tmp_path: Path, library: Path, fault: str
) -> None:
    recording = record_story(tmp_path, library, (fault,))
    judge = Judge(recording)
    kept = [one for one in PROMISES if one not in cut_after(recording, judge, one, "nothing")]
    assert kept == []


def test_a_program_that_does_not_sync_its_new_folders_loses_the_store_with_their_names(
    tmp_path: Path, library: Path
) -> None:
    recording = record_story(tmp_path, library, (NO_FOLDER,))
    judge = Judge(recording)
    for promise in ("workspace conv-1 has revision 1", *PROMISES):
        assert promise in cut_after(recording, judge, promise, "content alone")
        assert cut_after(recording, judge, promise, "names alone") == set()


def test_a_folder_whose_maker_was_killed_before_it_was_synced_is_synced_by_who_comes_next(
    tmp_path: Path, library: Path
) -> None:
    wire = WatchedWire(tmp_path, [], library)
    disk = Disk(wire.disk)
    made = f"import os; os.mkdir({str(wire.disk / 'new')!r})"
    subprocess.run([sys.executable, "-c", made], env=wire.environment(), check=True)
    wire.start()
    assert wire.call("ping") == {}
    wire.kill()
    for act in read_journal(wire.journal):
        disk.do(act)
    disk.write_image(tmp_path / "image", "nothing", 0)
    with contextlib.closing(sqlite3.connect(tmp_path / "image" / STORE)) as store:
        assert store.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION,)
