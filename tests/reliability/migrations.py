"""The cells in which somebody dies while an older store is brought up: it is the older one or the newer one."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path
from typing import NamedTuple

from sidecar.store.database import SCHEMA_VERSION
from tests.reliability.doomed_wire import DoomedWire
from tests.reliability.judge import Faults, Verdict
from tests.reliability.newer import STEPS
from tests.reliability.points import HOST, NEWER, Point
from tests.reliability.requests import STARTS_AFTER, die_starting, finish, probes, stop_at_rest

ROWS: dict[str, str] = {
    "it begins": "BEGIN IMMEDIATE",
    "a column is added": STEPS[0],
    "rows are changed": STEPS[1],
    "a table is made": STEPS[2],
    "rows are copied": STEPS[3],
    "the version is written": "PRAGMA user_version = ",
    "it is committed": "COMMIT",
}
"""The statements of a migration."""

SIDES = ("before", "after")
_STATEMENT = "tests.reliability.newer:Statements.execute"


class Look(NamedTuple):
    """What tells an older store from a newer one."""

    version: int
    names: list[str]
    colours: list[str]


def look(database: Path) -> Look:
    """Look at a store that nobody has open."""
    with contextlib.closing(sqlite3.connect(database)) as store:
        (version,) = store.execute("PRAGMA user_version").fetchone()
        names = [name for (name,) in store.execute("SELECT name FROM sqlite_master ORDER BY name")]
        columns = [column for _, column, *_ in store.execute("PRAGMA table_info(conversation)")]
        colours = store.execute("SELECT colour FROM conversation").fetchall() if "colour" in columns else []
        return Look(version, names, [colour for (colour,) in colours])


def newer_than(older: Look) -> Look:
    """What the migration makes of a store with one conversation."""
    names = sorted([*older.names, "palette", "sqlite_autoindex_palette_1"])
    return Look(SCHEMA_VERSION + 1, names, ["grey"])


def die_in_migration(folder: Path, row: str, side: str, victim: str, faults: tuple[str, ...] = ()) -> Faults:
    """Let somebody die on a side of a statement, and let the newer program play the story to its end."""
    wire = DoomedWire(folder, probes(), {})
    verdict = Verdict()
    try:
        play, place = stop_at_rest(wire, STARTS_AFTER)
        older = look(wire.database)
        wire.plan = {"faults": (NEWER, *faults)}
        die_starting(wire, Point(_STATEMENT, "before" if side == "before" else "after", ROWS[row]), victim, verdict)
        found = look(wire.database)
        is_done = victim == HOST or (row, side) == ("it is committed", "after")
        if found != (newer_than(older) if is_done else older):
            verdict.blame("state", f"the store is {found}, and was {older}")
        if found.version == SCHEMA_VERSION + 1:
            verdict.verify(wire, "after the death")
        else:
            verdict.verify(DoomedWire(folder, probes(), {}), "after the death")
        wire.start()
        return finish(wire, play, place, verdict, due=True, answered=True)
    finally:
        wire.end()
