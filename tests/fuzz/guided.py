"""``python -m tests.fuzz.guided TARGET``: let a fuzzer that sees which branches were taken look for a counterexample.

It keeps what it learns in a corpus folder and goes on from there. The first counterexample ends it with exit code 77,
its bytes in a ``crash-…`` file in the folder of findings and, as text, on stderr.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["rpc_schema", "sidecar", "tests.fuzz"]):
    from tests.fuzz.targets import SEEDS, TARGETS

LONGEST = 512


def fuzz(target: Callable[[bytes], None], seeds: list[bytes], folder: Path, seconds: int, seed: int) -> None:
    """Run until a counterexample or the time is over; does not return."""
    corpus, findings = folder / "corpus", folder / "findings"
    for made in (corpus, findings):
        made.mkdir(parents=True, exist_ok=True)
    for number, data in enumerate(seeds):
        (corpus / f"seed-{number}").write_bytes(data)
    options = [f"-max_total_time={seconds}", f"-seed={seed}", f"-max_len={LONGEST}", f"-artifact_prefix={findings}/"]
    atheris.Setup([sys.argv[0], *options, "-print_final_stats=1", "-verbosity=0", str(corpus)], target)
    atheris.Fuzz()


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.guided", description=__doc__)
    parser.add_argument("target", choices=sorted(TARGETS))
    parser.add_argument("--seconds", type=int, default=60, help="how long (default: 60)")
    parser.add_argument("--seed", type=int, default=1, help="another one goes another way (default: 1)")
    parser.add_argument("--folder", type=Path, default=Path("build/fuzz"), help="corpus and findings (build/fuzz)")
    options = parser.parse_args()
    name = options.target
    fuzz(TARGETS[name], SEEDS[name], options.folder / name, options.seconds, options.seed)


if __name__ == "__main__":
    main()
