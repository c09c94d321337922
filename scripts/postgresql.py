"""``python -m scripts.postgresql COMMAND…``: run a command beside a PostgreSQL server of its own.

The server lives in a temporary folder, is reached through a socket in it alone, and ends with the command, which finds
its address in ``LINEUP_POSTGRESQL``. A server must not be root: there it is the user whom Debian's package has made.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections import deque
from pathlib import Path
from typing import IO
from urllib.parse import quote

VARIABLE = "LINEUP_POSTGRESQL"
USER = "postgres"
ROLE = "lineup"
KEYED_ROLE, KEY = "keyed", "p:a@s/s"
"""A role that needs a password, one that an address has to percent-encode."""

_READY = b"ready to accept connections"
_WAIT_S = 60


class Server:
    """A server in a folder of its own. Its default order of text is a language's, as that of most servers."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="lineup-postgresql-"))
        self._data = self.folder / "data"
        self._account = {"user": USER, "group": USER, "extra_groups": []} if os.getuid() == 0 else {}
        self._process: subprocess.Popen[bytes] | None = None
        self._last_words: deque[bytes] = deque(maxlen=20)

    def __enter__(self) -> Server:
        try:
            if self._account:
                shutil.chown(self.folder, USER, USER)
            self._make()
            self.start()
        except BaseException:
            shutil.rmtree(self.folder)
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        shutil.rmtree(self.folder)

    @property
    def address(self) -> str:
        """The address of its database, to which ``&schema=name`` may be added."""
        return f"postgresql://{ROLE}@/postgres?host={quote(str(self.folder), safe='')}"

    @property
    def keyed_address(self) -> str:
        """The same with a role that needs its password."""
        return self.address.replace(f"//{ROLE}@", f"//{KEYED_ROLE}:{quote(KEY, safe='')}@")

    def _make(self) -> None:
        order = ["--encoding=UTF8", "--locale=C.UTF-8", "--locale-provider=icu", "--icu-locale=en"]
        self._run(["initdb", "-D", str(self._data), "-U", ROLE, "-A", "trust", "--no-sync", *order])
        keys = f"local all {KEYED_ROLE} scram-sha-256\nlocal all all trust\n"
        (self._data / "pg_hba.conf").write_text(keys)
        role = f"CREATE ROLE {KEYED_ROLE} LOGIN PASSWORD '{KEY}'; GRANT CREATE ON DATABASE postgres TO {KEYED_ROLE}"
        self._run(["postgres", "--single", "-D", str(self._data), "postgres"], given=role)

    def _run(self, command: list[str], given: str = "") -> None:
        subprocess.run(
            [find(command[0]), *command[1:]],
            input=given.encode(),
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=self.folder,
            **self._account,
        )

    def start(self) -> None:
        """Start it and wait until it takes connections."""
        options = ["-D", str(self._data), "-k", str(self.folder), "-c", "listen_addresses=", "-c", "max_connections=50"]
        self._process = subprocess.Popen(
            [find("postgres"), *options],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            cwd=self.folder,
            start_new_session=True,
            **self._account,
        )
        ready = threading.Event()
        threading.Thread(target=self._listen, args=(self._process.stderr, ready), daemon=True).start()
        if not ready.wait(_WAIT_S) or self._process.poll() is not None:
            raise RuntimeError(b"".join(self._last_words).decode(errors="replace"))

    def stop(self) -> None:
        """End it; whoever is connected is cut off."""
        self._end(signal.SIGINT)

    def crash(self) -> None:
        """End it at once, as a crash does: it recovers when it is started again."""
        self._end(signal.SIGQUIT)

    def _end(self, number: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(number)
            self._process.wait(_WAIT_S)
            self._process = None

    def _listen(self, stderr: IO[bytes], ready: threading.Event) -> None:
        with stderr:
            for line in stderr:
                self._last_words.append(line)
                if _READY in line:
                    ready.set()
        ready.set()


def find(program: str) -> str:
    """The path of one of the server's programs, of the newest version there is."""
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: -int(folder.parent.name))
    found = shutil.which(program, path=os.pathsep.join([*map(str, versions), os.environ.get("PATH", os.defpath)]))
    if found is None:
        raise SystemExit(f"no {program}: install PostgreSQL 15 or a newer one (Debian: apt-get install postgresql)")
    return found


def main(command: list[str]) -> int:
    """Run the command; its exit code."""
    with Server() as server:
        return subprocess.run(command, env={**os.environ, VARIABLE: server.address}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
