"""``make power-loss SEEDS=20``: power cuts at many more places of many more lives than the tests have time for.

Each seed draws its own cuts of the story, walks a longer life of its own and cuts it, and goes through a storm of its
own. What fails is told with its seed; ``--first SEED --seeds 1`` does the same again.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.power_loss.seeds import run
from tests.power_loss.wires import SOURCE
from tests.preload import build


def main() -> int:
    """Run the seeds side by side; 1 if anything was lost."""
    parser = argparse.ArgumentParser(prog="python -m tests.power_loss", description=__doc__)
    parser.add_argument("--seeds", type=int, default=20, help="how many")
    parser.add_argument("--first", type=int, default=1, help="the first of them")
    options = parser.parse_args()
    cuts, lost = 0, False
    with TemporaryDirectory(prefix="lineup-power-") as folder:
        work = partial(run, build(SOURCE, Path(folder)))
        with ProcessPoolExecutor(os.cpu_count(), multiprocessing.get_context("spawn")) as pool:
            for told in pool.map(work, range(options.first, options.first + options.seeds)):
                cuts, lost = cuts + told.cuts, lost or bool(told.wrong)
                print(f"seed {told.seed}: {told.cuts} power cuts, {len(told.wrong)} of them lost something", flush=True)
                print("\n".join(f"  {one[:2_000]}" for one in told.wrong[:20]), end="\n" if told.wrong else "")
    print(f"{cuts} power cuts: {'promises were lost' if lost else 'every promise was kept'}")
    return int(lost)


if __name__ == "__main__":
    sys.exit(main())
