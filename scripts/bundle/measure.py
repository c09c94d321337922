"""``python -m scripts.bundle.measure``: how the frozen sidecar starts beside the one from source, in one run, by turns.

A start is measured to the answer to ``initialize``, a worker's to its first request. Processor time is told apart from
the clock, which a busy machine disturbs.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

from scripts.bundle.build import BINARIES, FOLDER, ROOT, measure_size
from sidecar.workers.command import worker_command, worker_environment

ROUNDS: Final = 15
INITIALIZE: Final = (
    b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":'
    b'{"protocol_version":"1.0","host":{"name":"measure","version":"1.0.0"}}}\n'
)
CONTEXT: Final = {
    **dict.fromkeys(("app_scope", "instance_id", "conversation_id"), "chat"),
    "app_version": "1.0.0",
    "state": "foreground",
    "mode": None,
}
HELLO: Final = json.dumps(
    {"jsonrpc": "2.0", "method": "sdk.hello", "params": {"context_token": "t", "context": CONTEXT}}
).encode()


class Start(NamedTuple):
    """What one start took, in milliseconds."""

    clock: float
    processor: float


def main() -> int:
    """Run the command line; the exit code."""
    [launcher] = BINARIES.glob("lineup-sidecar-*")
    with tempfile.TemporaryDirectory() as text:
        folder = Path(text)
        shutil.copy2(launcher, folder / "lineup-sidecar")
        (folder / "sidecar").symlink_to(BINARIES / FOLDER)
        frozen, source = [str(folder / "lineup-sidecar")], [str(Path(sys.executable).with_name("lineup-sidecar"))]
        chat = Path("miniapps", "chat")
        worker = [str(BINARIES / FOLDER / "worker"), str(BINARIES / FOLDER / "_internal" / chat), str(os.getpid())]
        print(f"{'milliseconds: median (least to most)':38}{'source':>22}{'frozen':>22}{'ratio':>8}")
        _compare("Runtime, to initialize", _serve(source, folder), _serve(frozen, folder), INITIALIZE)
        _compare("worker, to its first request", worker_command(ROOT / chat), worker, HELLO + b"\n")
    print(f"on disk: {measure_size(BINARIES / FOLDER) / 1e6:.1f} MB, launcher {measure_size(launcher) / 1e6:.2f} MB")
    return 0


def _serve(command: list[str], folder: Path) -> list[str]:
    return [*command, "--database", str(folder / "lineup.sqlite")]


def _compare(what: str, source: list[str], frozen: list[str], first: bytes) -> None:
    env = worker_environment() if first != INITIALIZE else _own_environment()
    rounds = [(start(source, first, env), start(frozen, first, env)) for _ in range(ROUNDS + 1)][1:]
    for kind in Start._fields:
        ours, theirs = ([getattr(pair[side], kind) for pair in rounds] for side in (0, 1))
        ratio = median(theirs) / median(ours)
        print(f"{f'{what}, {kind}':38}{_spread(ours):>22}{_spread(theirs):>22}{ratio:>8.2f}")


def _own_environment() -> dict[str, str]:
    """Let the source keep its compiled modules, as an installed one does."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def start(command: list[str], first: bytes, env: Mapping[str, str]) -> Start:
    """Start a process, say something, wait for the line that it says, and end it."""
    began = time.perf_counter()
    with subprocess.Popen(
        command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        if process.stdin is None or process.stdout is None:  # they were asked for
            raise RuntimeError
        process.stdin.write(first)
        process.stdin.flush()
        if not process.stdout.readline():
            raise SystemExit(f"{command[0]} says nothing")
        took = time.perf_counter() - began
        process.stdin.close()
        used = os.wait4(process.pid, 0)[2]
        process.returncode = 0
    return Start(took * 1_000, (used.ru_utime + used.ru_stime) * 1_000)


def _spread(values: list[float]) -> str:
    return f"{median(values):.0f} ({min(values):.0f} to {max(values):.0f})"


if __name__ == "__main__":
    sys.exit(main())
