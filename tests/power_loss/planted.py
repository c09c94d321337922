"""Be the sidecar with a fault, or with a checkpoint every few pages, planted from outside."""

from __future__ import annotations

import sys
from pathlib import Path

OFTEN = "a checkpoint every few pages"
NO_SYNC = "nobody waits for the disk"
NO_SYNC_OF_THE_LOG = "the log is synced before a checkpoint only"
NO_FOLDER = "nobody waits for the names of new folders"
LATE = "the answer leaves before the commit"


def _pragma(added: str) -> None:
    from sidecar.store import sqlite

    vars(sqlite)["_PRAGMAS"] = (*sqlite._PRAGMAS, added)


def _leave_folders() -> None:
    from sidecar.store import sqlite

    vars(sqlite)["_sync_names"] = lambda folder: None


def main() -> int:
    """Add these to the faults that there are, and be what ``doomed.py`` makes of the plan."""
    from tests.reliability import doomed, planted

    planted.FAULTS[OFTEN] = planted.Planted(lambda: _pragma("wal_autocheckpoint=40"))
    planted.FAULTS[NO_SYNC_OF_THE_LOG] = planted.Planted(lambda: _pragma("synchronous=NORMAL"))
    planted.FAULTS[NO_FOLDER] = planted.Planted(_leave_folders)
    return doomed.main()


if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).parents[2])
    sys.exit(main())
