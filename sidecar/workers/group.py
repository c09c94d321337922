"""A worker and whatever it starts, as one that ends together: a process group, on Windows a job."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from typing import Any, Final

from rpc_schema.limits import WORKER_MEMORY

if sys.platform == "win32":
    from sidecar.windows import Job

    _CREATE_SUSPENDED = 0x4

    START: Final[dict[str, Any]] = {
        # Ctrl-C is the Runtime's to hear, and no console window shows up beside a Host that has none.
        "creationflags": _CREATE_SUSPENDED | subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW
    }

    class Group:
        """The job of a process that was started with ``START``; from now on it runs. Raises OSError."""

        def __init__(self, pid: int) -> None:
            self._job = Job(WORKER_MEMORY)
            try:
                self._job.take(pid)
            except OSError:
                self._job.close()
                raise

        def kill(self) -> None:
            """End all of it at once."""
            self._job.kill()

        def close(self) -> None:
            """Keep nothing of it."""
            self._job.close()

else:
    START: Final[dict[str, Any]] = {"start_new_session": True}
    """How a process must be started to lead a group."""

    class Group:
        """The group of a process that was started with ``START``."""

        def __init__(self, pid: int) -> None:
            self._pid = pid

        def kill(self) -> None:
            """End all of it at once."""
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._pid, signal.SIGKILL)

        def close(self) -> None:
            """Keep nothing of it."""
