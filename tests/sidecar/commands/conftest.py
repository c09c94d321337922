"""Fixtures: the store with a history, the commands as a person runs them, and somebody who goes around the Runtime."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from sidecar.__main__ import main
from sidecar.store.transaction import GENESIS, entry_hash
from tests.sidecar.commands.history import History, live_through


class Answer(NamedTuple):
    """What a command said."""

    code: int
    out: str
    err: str

    @property
    def text(self) -> str:
        """What it said on stdout, without its line breaks and indents."""
        return " ".join(self.out.split())


Run = Callable[..., Answer]
Tamper = Callable[..., None]


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """One event loop for all, so that one history serves all tests."""
    return "asyncio"


@pytest.fixture(scope="session")
async def history(tmp_path_factory: pytest.TempPathFactory, anyio_backend: str) -> History:
    """A store with a history; to be left as it is."""
    return await live_through(tmp_path_factory.mktemp("history"))


@pytest.fixture
def copy(history: History, tmp_path: Path) -> Path:
    """The store with a history, to be tampered with."""
    return Path(shutil.copy(history.database, tmp_path / "copy.sqlite"))


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run ``lineup-sidecar`` with these arguments: ``run("explain", "call-1", "--database", path)``."""

    def run_(*arguments: str | Path) -> Answer:
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return Answer(code, out, err)

    return run_


@pytest.fixture
def tamper(history: History, copy: Path, run: Run) -> Tamper:
    """Change the store behind the Runtime's back, and expect ``verify`` to end with these words.

    Names in braces stand for the history's ids. ``rehashed`` makes the audit's chain hold again.
    """

    def tamper_(sql: str, words: str, *, rehashed: bool = False) -> None:
        for name, value in history.ids.items():
            sql, words = sql.replace(f"{{{name}}}", value), words.replace(f"{{{name}}}", value)
        write(copy, sql)
        if rehashed:
            rehash(copy)
        answer = run("verify", "--database", copy)
        last = answer.out.splitlines()[-1]
        assert (answer.code, answer.err) == (1, "")
        assert last.startswith("does not hold: ")
        assert words in last

    return tamper_


def write(database: Path, sql: str) -> None:
    """Run statements on a store as its owner never would."""
    connection = sqlite3.connect(database, isolation_level=None)
    connection.executescript(sql)
    connection.close()


def rehash(database: Path) -> None:
    """Make the chain hold again, as somebody does who knows how it is made."""
    connection = sqlite3.connect(database, isolation_level=None)
    cursor = connection.execute("SELECT * FROM audit ORDER BY seq")
    names = [column[0] for column in cursor.description]
    previous = GENESIS
    for values in cursor.fetchall():
        entry: dict[str, Any] = dict(zip(names, values, strict=True))
        del entry["hash"]
        entry |= {"detail": json.loads(entry["detail"] or "null"), "previous_hash": previous}
        digest = entry_hash(entry)
        update = "UPDATE audit SET previous_hash = ?, hash = ? WHERE seq = ?"
        connection.execute(update, (previous, digest, entry["seq"]))
        previous = digest
    connection.close()
