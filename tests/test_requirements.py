"""Each requirement has a test that names it, and each name is a requirement."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from tests.requirements import REQUIREMENTS

HERE = Path(__file__).parent


def names_in(tree: ast.AST) -> Iterator[str]:
    """Every id in a ``pytest.mark.requirement(…)`` of a module, or in a call of that mark by the name it was given."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and "requirement" in (
            getattr(node.func, "attr", None),
            getattr(node.func, "id", None),
        ):
            yield from (str(ast.literal_eval(argument)) for argument in node.args)


def named() -> dict[str, set[str]]:
    """The files that name each id."""
    found: dict[str, set[str]] = defaultdict(set)
    for file in HERE.rglob("test_*.py"):
        for name in names_in(ast.parse(file.read_text(encoding="utf-8"))):
            found[name].add(file.name)
    return found


def test_every_requirement_is_named_by_a_test() -> None:
    due = {name for name, row in REQUIREMENTS.items() if not row.later}
    assert due - set(named()) == set()


def test_every_name_is_a_requirement() -> None:
    unknown = {name: files for name, files in named().items() if name not in REQUIREMENTS}
    assert unknown == {}


def test_what_is_left_for_later_says_why_and_no_test_claims_it() -> None:
    later = {name: row.later for name, row in REQUIREMENTS.items() if row.later}
    assert set(later) == {"A14"}
    assert set(later) & set(named()) == set()


def test_the_rows_say_what_and_whence() -> None:
    assert all(row.source and row.text.endswith(".") for row in REQUIREMENTS.values())
    assert len({row.text for row in REQUIREMENTS.values()}) == len(REQUIREMENTS)
