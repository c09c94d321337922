"""A program that dies while it brings an older store up leaves the older one or the newer one, nothing between."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

import pytest

from sidecar.store.database import SCHEMA_VERSION
from tests.properties.wire import Gone
from tests.reliability.doomed_wire import DoomedWire
from tests.reliability.newer import STEPS as MIGRATION
from tests.reliability.play import PEER, Play
from tests.reliability.points import Point
from tests.reliability.requests import probes, take
from tests.reliability.steps import STEPS

STATEMENT = Point("tests.reliability.newer:Statements.execute", "before")
NEWER = "a newer program"


def look(database: Path) -> tuple[int, list[str], list[str]]:
    """The version, the names of what there is, and the conversations with all their columns."""
    with contextlib.closing(sqlite3.connect(database)) as store:
        (version,) = store.execute("PRAGMA user_version").fetchone()
        names = [name for (name,) in store.execute("SELECT name FROM sqlite_master ORDER BY name")]
        return version, names, [str(row) for row in store.execute("SELECT * FROM conversation")]


def starts(wire: DoomedWire) -> bool:
    """Start it; whether it comes to serve."""
    wire.start()
    try:
        return bool(wire.call("ping") == {})
    except Gone:
        return False
    finally:
        wire.end()


@pytest.mark.requirement("R6-killed-anywhere", "R1-one-transaction")
def test_a_migration_is_whole_or_has_not_begun(tmp_path: Path) -> None:
    wire = DoomedWire(tmp_path, probes(), {})
    wire.start()
    play = Play(wire)
    play.begin()
    for step in STEPS[:8]:
        take(play, step)
    wire.kill()
    older = look(wire.database)
    assert older[0] == SCHEMA_VERSION
    found, served, nth = [], False, 0
    while not served:
        nth += 1
        wire.plan = {"faults": [NEWER], "point": STATEMENT, "nth": nth, "armed": True}
        served = starts(wire)
        found.append(look(wire.database))
        if found[-1][0] == SCHEMA_VERSION:
            assert found[-1] == older, f"killed before statement {nth}"
    assert nth > len(MIGRATION) + 3, "every statement of the migration was met"
    newer = found[-1]
    assert newer[0] == SCHEMA_VERSION + 1
    assert "palette" in newer[1]
    assert [one for one in found if one not in (older, newer)] == []
    wire.plan = {"faults": [NEWER]}
    wire.start()
    play = Play(wire)
    play.begin()
    assert wire.call("workspace.open", **PEER)["tool_calls"]
    assert wire.stop() == 0


def test_an_older_program_leaves_a_newer_store_as_it_is(tmp_path: Path) -> None:
    wire = DoomedWire(tmp_path, probes(), {"faults": [NEWER]})
    assert starts(wire)
    before = look(wire.database)
    wire.plan = {}
    wire.start()
    with pytest.raises(Gone):
        wire.call("ping")
    assert wire._process is not None
    assert wire._process.wait(10) == 4
    wire.end()
    assert look(wire.database) == before
