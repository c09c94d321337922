"""Who is whose child, as Linux tells it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.tauri.patience import eventually

_PROC: Final = Path("/proc")
_GONE_WITHIN_SECONDS: Final = 5.0
"""A process of the app's tree that lives longer than its app is a leak."""


@dataclass(frozen=True)
class Process:
    """One life: a number that the system gave again is another process."""

    pid: int
    started: int
    parent: int
    name: str

    def is_alive(self) -> bool:
        """Whether it still runs; what only waits for its parent to look has ended."""
        now = read(self.pid)
        return now is not None and now.started == self.started


def read(pid: int) -> Process | None:
    """Read a process that runs."""
    try:
        text = (_PROC / str(pid) / "stat").read_text()
    except OSError:
        return None
    name, _, rest = text.partition("(")[2].rpartition(")")
    fields = rest.split()
    return None if fields[0] in "ZX" else Process(pid, int(fields[19]), int(fields[1]), name)


def command_of(process: Process) -> str:
    """Its command line."""
    try:
        return (_PROC / str(process.pid) / "cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return ""


def program_of(process: Process) -> Path:
    """The file that it runs."""
    return (_PROC / str(process.pid) / "exe").resolve()


def descendants(pid: int) -> list[Process]:
    """All that a process started, and what those started."""
    running = [one for entry in _PROC.iterdir() if entry.name.isdigit() and (one := read(int(entry.name)))]
    found: list[Process] = []
    parents = {pid}
    while parents:
        children = [process for process in running if process.parent in parents]
        found += children
        parents = {process.pid for process in children}
    return found


def expect_gone(tree: list[Process]) -> None:
    """Wait until none is left. Raises AssertionError with those that are."""
    left = [process for process in tree if process.is_alive()]
    try:
        eventually(lambda: not any(process.is_alive() for process in tree), seconds=_GONE_WITHIN_SECONDS)
    except AssertionError:
        left = [process for process in tree if process.is_alive()]
        raise AssertionError(f"still there: {[(process.name, command_of(process)) for process in left]}") from None
