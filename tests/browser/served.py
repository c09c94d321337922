"""A real ``lineup-host serve``, as a process of its own on a store of its own."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path
from queue import Empty, Queue
from typing import Self

ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)/#token=[A-Za-z0-9_-]+")
ROOT = Path(__file__).parents[2]
PAGE = ROOT / "tauri-host-example" / "dist"
START_SECONDS = 30.0


class Served:
    """One server. ``addresses`` are good once each; the server prints another where one was used up."""

    def __init__(self, database: Path, *options: str, port: int = 0) -> None:
        command = [sys.executable, "-m", "host_bridge", "serve", "--no-open", "--page", str(PAGE)]
        self._process = subprocess.Popen(
            [*command, "--port", str(port), "--database", str(database), *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONUNBUFFERED": "1", "NO_COLOR": "1"},
        )
        self.printed: list[str] = []
        self._addresses: Queue[str] = Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def address(self) -> str:
        """An address that was not used yet. Raises AssertionError with all that was printed."""
        try:
            return self._addresses.get(timeout=START_SECONDS)
        except Empty:
            raise AssertionError(f"no address was printed:\n{''.join(self.printed)}") from None

    def stop(self) -> None:
        """End the server as its user does, with Ctrl+C."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
        self._process.wait(timeout=20)
        self._reader.join(timeout=5)
        assert self._process.stdout is not None
        self._process.stdout.close()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.printed.append(line)
            if found := ADDRESS.search(line):
                self._addresses.put(found.group(0))
