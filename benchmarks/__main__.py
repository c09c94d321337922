"""``python -m benchmarks``: run all measures, show the table, and keep it."""

from __future__ import annotations

import argparse
import shlex
import shutil
import sys
from pathlib import Path

from benchmarks.driver import PeerError
from benchmarks.measures import Bench
from benchmarks.report import write_report

_HERE = Path(__file__).parent
_BIN = Path(sys.executable).parent


def main() -> int:
    """Run the command line; the exit code."""
    options = _parser().parse_args()
    folder = options.folder.absolute() / "run"
    shutil.rmtree(folder, ignore_errors=True)
    sidecar = options.sidecar or [str(_BIN / "lineup-sidecar")]
    other = None if options.alone else options.mcp or [sys.executable, str(_HERE / "mcp_server.py")]
    bench = Bench(folder, sidecar, other, options.seconds)
    try:
        table = write_report(bench.run())
    except PeerError as error:
        sys.stderr.write(f"benchmarks: {error}\n")
        return 1
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    sys.stdout.write(table)
    if options.out is not None:
        options.out.write_text(table)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure side by side with the MCP SDK.")
    parser.add_argument(
        "--folder",
        type=Path,
        default=_HERE.parent / "build" / "benchmarks",
        help="where the stores lie: a folder on a real disk, since a commit waits for it (default: build/benchmarks)",
    )
    parser.add_argument("--seconds", type=float, default=10, help="for each measure (default: 10)")
    parser.add_argument("--out", type=Path, help="write the table there too")
    parser.add_argument("--alone", action="store_true", help="measure the Runtime without the MCP SDK")
    parser.add_argument(
        "--sidecar", type=shlex.split, metavar="COMMAND", help="another Runtime than the one installed here"
    )
    parser.add_argument("--mcp", type=shlex.split, metavar="COMMAND", help="another MCP server")
    return parser


if __name__ == "__main__":
    sys.exit(main())
