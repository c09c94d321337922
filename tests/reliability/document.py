"""``docs/reliability.md``, the matrix as a reader sees it; as a program this runs every cell and writes it."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.reliability.judge import COLUMNS, Faults
from tests.reliability.matrix import Cell, cells, find_unnoticed, moments, run_all
from tests.reliability.migrations import SIDES
from tests.reliability.planted import FAULTS, Noticed
from tests.reliability.points import HOST, MIGRATION, PLACE, SIDECAR, STEP, TREE, WORKER

PAGE = Path(__file__).parents[2] / "docs" / "reliability.md"

HEAD = """# Killed anywhere

What is answered is kept, what is final is final once, whoever is killed and whenever. `make reliability` shows it: it
kills real processes with SIGKILL at every place that this page names, starts again what died, looks at everything that
can be seen, asks again for what was not answered, and plays the conversation to its end. This page is what it wrote.
The program knows nothing of it: the tests wrap its functions from outside, by name.

Who is killed:

- **the worker**, which runs a MiniApp's logic; the Runtime starts another;
- **the sidecar**; its Host starts another;
- **the Host**, a process of its own that has started the sidecar. It dies while the sidecar is at its place; the
  sidecar goes on with nobody to speak to, and ends. Another Host starts another sidecar on the same store;
- **the whole tree**, the Host with its sidecar and its workers, while the sidecar is at its place.

**holds** means that after the death each of these was as if the step that was on its way had happened wholly, or not at
all; wholly, if it was answered or committed, or read by a sidecar that nobody killed; and that the conversation came to
the same end as without the death:

"""

NOT_THERE = """**-** stands where there is no such moment: hearing is no entry of the audit, and a start answers nobody.
In this conversation the Host runs the MiniApp's logic: there is no worker to die.
"""


def render(outcomes: Mapping[Cell, Faults], unnoticed: Sequence[tuple[str, Noticed]] = ()) -> str:
    """The page for these outcomes, and for the planted faults that no cell has shown."""
    parts = [HEAD, *(f"- **{name}**: {what}\n" for name, what in COLUMNS.items()), "\n"]
    parts += ["## In the middle of a request\n\n", NOT_THERE, "\n"]
    for victim in (SIDECAR, HOST, TREE):
        columns = {moment: (victim, moment) for moment in moments(victim)}
        parts += [f"### {_begun(victim)} is killed\n\n", _table(outcomes, STEP, columns), "\n"]
    parts += ["## Beside a worker\n\n", "**-** stands where the worker has died already.\n\n"]
    parts += [_table(outcomes, PLACE, {victim: (victim, "") for victim in (WORKER, SIDECAR, HOST, TREE)}), "\n"]
    parts += ["## In the migration of an older store\n\n"]
    parts += ["The store is the older one or the newer one, wholly. No worker lives before the store is open.\n\n"]
    columns = {f"{victim}, {side}": (victim, side) for victim in (SIDECAR, HOST, TREE) for side in SIDES}
    parts += [_table(outcomes, MIGRATION, columns), "\n"]
    parts += ["## The matrix notices\n\n"]
    parts += ["Each of these faults was planted into the program, and turned its cells red.\n\n", _noticed(unnoticed)]
    return "".join(parts)


def _table(outcomes: Mapping[Cell, Faults], part: str, columns: Mapping[str, tuple[str, str]]) -> str:
    """The rows of a part; a column has a head, a victim and a moment."""
    rows = dict.fromkeys(cell.row for cell in outcomes if cell.part == part)
    lines = [f"| | {' | '.join(columns)} |", f"|---|{'---|' * len(columns)}"]
    for row in rows:
        found = (outcomes.get(Cell(victim, part, row, moment)) for victim, moment in columns.values())
        lines.append(f"| {row} | {' | '.join('-' if one is None else _told(one) for one in found)} |")
    return "\n".join(lines) + "\n"


def _noticed(unnoticed: Sequence[tuple[str, Noticed]]) -> str:
    lines = ["| fault | where | killed | what does not hold |", "|---|---|---|---|"]
    for name, planted in FAULTS.items():
        for one in planted.noticed:
            where = ", ".join(filter(None, (one.row, one.moment)))
            columns = "**not noticed**" if (name, one) in unnoticed else ", ".join(one.columns)
            lines.append(f"| {name} | {where} | {one.victim} | {columns} |")
    return "\n".join(lines) + "\n"


def _begun(text: str) -> str:
    return text[0].upper() + text[1:]


def _told(faults: Faults) -> str:
    return f"**not: {', '.join(sorted(faults))}**" if faults else "holds"


def main() -> int:
    """Run every cell, write the page, and say what does not hold."""
    outcomes: dict[Cell, Faults] = {}
    for cell, faults in zip(cells(), run_all((cell, ()) for cell in cells()), strict=True):
        outcomes[cell] = faults
        if faults:
            sys.stderr.write(f"{cell}: {faults}\n")
    unnoticed = find_unnoticed()
    PAGE.write_text(render(outcomes, unnoticed))
    broken = sum(bool(faults) for faults in outcomes.values())
    sys.stdout.write(f"{len(outcomes)} deaths, {broken} of them left something behind\n")
    sys.stdout.write(f"{len(unnoticed)} planted faults were not noticed\n")
    return 1 if broken or unnoticed else 0


if __name__ == "__main__":
    sys.exit(main())
