"""How stories are compared: each sentence on one line, ids by the history's names, times left out."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tests.sidecar.commands.conftest import Run
from tests.sidecar.commands.history import History

Tell = Callable[[str], list[str]]

_TIME = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}")
_ID = re.compile(r"\b01[0-9a-z]{24}\b")


@pytest.fixture
def tell(run: Run, history: History) -> Tell:
    """The story of an id of the history."""

    def tell_(subject: str) -> list[str]:
        answer = run("explain", history.ids.get(subject, subject), "--database", history.database)
        assert (answer.code, answer.err) == (0, "")
        return sentences(answer.out, history.ids)

    return tell_


def sentences(out: str, ids: dict[str, str]) -> list[str]:
    """The parts of a story: continued lines are joined, ``[name]`` stands for an id, ``[id]`` for any other."""
    parts: list[str] = []
    for line in out.splitlines()[2:]:
        if _begins(line):
            parts.append(line.strip())
        elif line.strip():
            parts[-1] += f" {line.strip()}"
    names = {value: name for name, value in ids.items()}
    named = [_ID.sub(lambda found: f"[{names.get(found[0], 'id')}]", part) for part in parts]
    return [_TIME.sub("[time]", part) for part in named]


def _begins(line: str) -> bool:
    """Whether a title, a statement or an event begins on the line, or a further one of how it stands now."""
    indent = len(line) - len(line.lstrip())
    return bool(line) and indent in (0, 2, 7)
