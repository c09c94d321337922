"""``docs/reliability.md``, the matrix as a reader sees it; as a program this runs every cell and writes it."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from tests.reliability.judge import COLUMNS, Faults
from tests.reliability.matrix import BETWEEN, SIDECAR, WORKER, Cell, cells, run_all
from tests.reliability.planted import FAULTS
from tests.reliability.points import STEP_MOMENTS

PAGE = Path(__file__).parents[2] / "docs" / "reliability.md"

HEAD = """# Killed anywhere

What is answered is kept, what is final is final once, whoever is killed and whenever. `make reliability` shows it: it
kills the real processes with SIGKILL at every place that this page names, starts them again, looks at everything that
can be seen, asks again for what was not answered, and plays the conversation to its end. This page is what it wrote.
The program knows nothing of it: the tests wrap its functions from outside, by name.

**holds** means that after the death each of these was as if the step that was on its way had happened wholly, or not at
all; wholly, if it was answered; and that the conversation came to the same end as without the death:

"""


def render(outcomes: Mapping[Cell, Faults]) -> str:
    """The page for these outcomes."""
    parts = [HEAD, *(f"- **{name}**: {what}\n" for name, what in COLUMNS.items()), "\n"]
    parts += ["## The sidecar is killed in the middle of a request\n\n", _table(outcomes), "\n"]
    parts += ["## The sidecar is killed beside a worker\n\n", _list(outcomes, BETWEEN), "\n"]
    parts += ["## The worker is killed\n\n", "The Runtime starts another, which is handed the call again.\n\n"]
    parts += [_list(outcomes, WORKER), "\n"]
    parts += [
        "## The matrix notices\n\n",
        "Each of these faults was planted into the program, and turned its cell red.\n\n",
    ]
    parts += ["| fault | killed | what does not hold |\n", "|---|---|---|\n"]
    parts += [
        f"| {name} | {one.row}, {one.moment} | {', '.join(one.columns)} |\n" for name, one in FAULTS.items() if one.row
    ]
    return "".join(parts)


def _table(outcomes: Mapping[Cell, Faults]) -> str:
    rows = dict.fromkeys(cell.row for cell in outcomes if cell.process == SIDECAR)
    lines = [f"| | {' | '.join(STEP_MOMENTS)} |", f"|---|{'---|' * len(STEP_MOMENTS)}"]
    for row in rows:
        found = (outcomes.get(Cell(SIDECAR, row, moment)) for moment in STEP_MOMENTS)
        lines.append(f"| {row} | {' | '.join('-' if one is None else _told(one) for one in found)} |")
    return "\n".join(lines) + "\n"


def _list(outcomes: Mapping[Cell, Faults], process: str) -> str:
    lines = ["| where | |", "|---|---|"]
    lines += [f"| {cell.row} | {_told(faults)} |" for cell, faults in outcomes.items() if cell.process == process]
    return "\n".join(lines) + "\n"


def _told(faults: Faults) -> str:
    return f"**not: {', '.join(sorted(faults))}**" if faults else "holds"


def main() -> int:
    """Run every cell, write the page, and say what does not hold."""
    outcomes: dict[Cell, Faults] = {}
    for cell, faults in run_all(cells()):
        outcomes[cell] = faults
        if faults:
            sys.stderr.write(f"{cell}: {faults}\n")
    PAGE.write_text(render(outcomes))
    broken = sum(bool(faults) for faults in outcomes.values())
    sys.stdout.write(f"{len(outcomes)} deaths, {broken} of them left something behind\n")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
