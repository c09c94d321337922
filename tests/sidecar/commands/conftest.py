"""Fixtures: the store with a history, the commands as a person runs them, and somebody who goes around the Runtime."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from sidecar.__main__ import main
from sidecar.store.core import table_of
from sidecar.store.tables import Audit
from sidecar.store.transaction import GENESIS, entry_hash
from tests import stored
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


@pytest.fixture(scope="session")
def taken(history: History) -> stored.Copy:
    """What is in that store."""
    return stored.take(history.database)


@pytest.fixture
def copy(taken: stored.Copy, tmp_path: Path) -> Path:
    """The store with a history, to be tampered with."""
    return taken.put(tmp_path / "copy.sqlite")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run ``lineup-sidecar`` with these arguments: ``run("explain", "call-1", "--database", path)``."""

    def run_(*arguments: str | Path) -> Answer:
        capsys.readouterr()
        code = main([stored.address(one) if isinstance(one, Path) else one for one in arguments])
        out, err = capsys.readouterr()
        return Answer(code, out, err)

    return run_


@pytest.fixture
def tamper(history: History, copy: Path, run: Run) -> Tamper:
    """Change the store behind the Runtime's back, and expect ``verify`` to end with these words.

    Names in braces stand for the history's ids. ``rehashed`` makes the audit's chain hold again.
    """

    def tamper_(sql: str, words: str, *, rehashed: bool = False) -> None:
        stored.change(copy, _filled(sql, history.ids))
        if rehashed:
            rehash(copy)
        answer = run("verify", "--database", copy)
        last = answer.out.splitlines()[-1]
        assert (answer.code, answer.err) == (1, "")
        assert last.startswith("does not hold: ")
        assert _filled(words, history.ids) in last

    return tamper_


def rehash(database: Path) -> None:
    """Make the chain hold again, as somebody does who knows how it is made."""
    names = list(table_of(Audit).columns.keys())
    previous = GENESIS
    anew = []
    for values in stored.rows(database, "SELECT * FROM audit ORDER BY seq"):
        entry: dict[str, Any] = dict(zip(names, values, strict=True))
        del entry["hash"]
        entry |= {"detail": json.loads(entry["detail"] or "null"), "previous_hash": previous}
        digest = entry_hash(entry)
        told = {"previous": previous, "digest": digest, "seq": str(entry["seq"])}
        anew.append(_filled("UPDATE audit SET previous_hash = '{previous}', hash = '{digest}' WHERE seq = {seq}", told))
        previous = digest
    stored.change(database, ";".join(anew))


def _filled(text: str, names: dict[str, str]) -> str:
    """The text with what each name in braces stands for."""
    for name, value in names.items():
        text = text.replace(f"{{{name}}}", value)
    return text
