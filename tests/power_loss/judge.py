"""What must be true of what a power cut has left: a sound store, as it was after a commit, with all promises."""

from __future__ import annotations

import contextlib
import hashlib
import io
import sqlite3
import tempfile
from bisect import bisect_right
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from sidecar.__main__ import main as lineup_sidecar
from sidecar.store import database, engine, sqlite
from sidecar.store.database import SCHEMA_VERSION, StoreError
from tests.power_loss.disk import Disk
from tests.power_loss.journal import lives_in
from tests.power_loss.promises import Ledger, lost
from tests.power_loss.recording import MIGRATION, NEWER_END, STORE, Place, Recording
from tests.reliability.newer import STEPS as MIGRATION_STEPS

_MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None
"""Where what is looked at costs no disk."""


class Found(NamedTuple):
    """What is wrong: with the store as a whole, and every promise that is lost."""

    faults: list[str]
    lost: list[str]


class Judge:
    """Knows what the store was after each commit, and what had been promised by then."""

    def __init__(self, recording: Recording) -> None:
        self.ledger = Ledger(lives_in(recording.acts), recording.asked)
        self._commits: list[tuple[int, str]] = []
        for place, disk in recording.replay():
            if place.acts == len(recording.acts) or recording.acts[place.acts].kind == "S":
                with _image(disk, "everything", 0) as image:
                    self._commits.append((place.acts, _content(image)))
        self._answers = [number for number, act in enumerate(recording.acts) if act.kind == "A"]

    def judge(self, place: Place, disk: Disk, fate: str, seed: int, *, again: bool = False) -> Found:
        """Cut the power there, start the program that comes then, and look.

        Where the power goes ``again``, the disk is one on which the store was being started after a cut at that place.
        """
        with _image(disk, fate, seed) as image, _image(disk, fate, seed) as untouched:
            faults = [] if again else self._look(place, image)
            newer = place.phase in (MIGRATION, NEWER_END)
            with _newer_program() if newer else contextlib.nullcontext():
                try:
                    opened = engine.open_database(str(untouched))
                except StoreError as error:
                    return Found([f"it does not open: {error}"], [])
                fault = opened.fault()
                opened.close()
                if fault:
                    return Found([*faults, fault], [])
                faults += _verify(untouched)
            with contextlib.closing(sqlite3.connect(untouched)) as store:
                return Found(faults, lost(store, self.ledger.until(place.heard)))

    def _look(self, place: Place, image: Path) -> list[str]:
        """Hold that it is what it was after a commit, none before the last one that an answer may speak of."""
        try:
            content = _content(image)
        except sqlite3.Error as error:
            return [f"it cannot be read: {error}"]
        answered = self._answers[: bisect_right(self._answers, place.acts - 1)]
        last = answered[-1] if answered else 0
        sure = [number for number, (acts, _) in enumerate(self._commits) if acts <= last]
        allowed = {one for _, one in self._commits[max(sure, default=0) :]}
        return [] if content in allowed else ["it is not what it was after any commit since the last answer"]


def _verify(store: Path) -> list[str]:
    """What ``lineup-sidecar verify`` finds."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        code = lineup_sidecar(["verify", "--database", str(store)])
    return [] if code == 0 else [said.getvalue()]


@contextlib.contextmanager
def _image(disk: Disk, fate: str, seed: int) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="lineup-cut-", dir=_MEMORY) as folder:
        disk.write_image(Path(folder) / "disk", fate, seed)
        yield Path(folder) / "disk" / STORE


def _content(path: Path) -> str:
    """All that a store holds, made short; nothing where there is none."""
    if not path.exists():
        return _short([])
    with contextlib.closing(sqlite3.connect(path)) as store:
        (version,) = store.execute("PRAGMA user_version").fetchone()
        return _short([*store.iterdump(), version] if version else [])


def _short(lines: list[str]) -> str:
    return hashlib.sha256("\n".join(map(str, lines)).encode()).hexdigest()


@contextlib.contextmanager
def _newer_program() -> Iterator[None]:
    """Be the program whose migration it is."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (database, engine, sqlite):
            patch.setattr(module, "SCHEMA_VERSION", SCHEMA_VERSION + 1)
        patch.setitem(sqlite._MIGRATIONS, SCHEMA_VERSION, MIGRATION_STEPS)
        yield
