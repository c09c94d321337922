"""``python -m scripts.postgresql COMMAND…``: run a command beside a PostgreSQL server of its own.

The server lives in a temporary folder, is reached through a socket in it and on the loopback, and ends with the
command, which finds its address in ``LINEUP_POSTGRESQL``.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections import deque
from pathlib import Path
from typing import IO, Any, Final
from urllib.parse import quote

VARIABLE = "LINEUP_POSTGRESQL"
USER = "postgres"
ROLE = "lineup"
KEYED_ROLE, KEY = "keyed", "p:a@s/s"
"""A role that needs a password, one that an address has to percent-encode."""

_READY = b"ready to accept"
_WAIT_S = 60


class Daemon:
    """A process that says on stderr when it is ready. It must not be root: then it is the user of Debian's package."""

    account: Final[dict[str, Any]] = {"user": USER, "group": USER, "extra_groups": []} if os.getuid() == 0 else {}

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        self._last_words: deque[bytes] = deque(maxlen=20)

    def launch(self, *command: str, ready: bytes) -> None:
        """Start it and wait until it is ready."""
        self._process = subprocess.Popen(
            [find(command[0]), *command[1:]],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            cwd=self.folder,
            start_new_session=True,
            **self.account,
        )
        heard = threading.Event()
        threading.Thread(target=self._listen, args=(self._process.stderr, ready, heard), daemon=True).start()
        if not heard.wait(_WAIT_S) or self._process.poll() is not None:
            raise RuntimeError(b"".join(self._last_words).decode(errors="replace"))

    def end(self, number: signal.Signals = signal.SIGINT) -> None:
        """End it; whoever is connected is cut off."""
        if self._process is not None:
            self._process.send_signal(number)
            self._process.wait(_WAIT_S)
            self._process = None

    def _listen(self, stderr: IO[bytes], ready: bytes, heard: threading.Event) -> None:
        with stderr:
            for line in stderr:
                self._last_words.append(line)
                if ready in line:
                    heard.set()
        heard.set()


class Server:
    """A server in a folder of its own. Its default order of text is a language's, as that of most servers."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="lineup-postgresql-"))
        self.data = self.folder / "data"
        self.port = free_port()
        self._daemon = Daemon(self.folder)

    def __enter__(self) -> Server:
        try:
            if Daemon.account:
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
        return f"postgresql://{ROLE}@/postgres?host={quote(str(self.folder), safe='')}&port={self.port}"

    @property
    def keyed_address(self) -> str:
        """The same with a role that needs its password."""
        return self.address.replace(f"//{ROLE}@", f"//{KEYED_ROLE}:{quote(KEY, safe='')}@")

    @property
    def loopback_address(self) -> str:
        """The same over TCP, where no role goes without a password, and without the password."""
        return f"postgresql://{KEYED_ROLE}@127.0.0.1:{self.port}/postgres?connect_timeout=30"

    def _make(self) -> None:
        order = ["--encoding=UTF8", "--locale=C.UTF-8", "--locale-provider=icu", "--icu-locale=en"]
        self.run(["initdb", "-D", str(self.data), "-U", ROLE, "-A", "trust", "--no-sync", *order])
        keys = f"local all {KEYED_ROLE} scram-sha-256\nlocal all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n"
        (self.data / "pg_hba.conf").write_text(keys)
        role = f"CREATE ROLE {KEYED_ROLE} LOGIN PASSWORD '{KEY}'; GRANT CREATE ON DATABASE postgres TO {KEYED_ROLE}"
        self.run(["postgres", "--single", "-D", str(self.data), "postgres"], given=role)

    def run(self, command: list[str], given: str = "") -> None:
        """Run a program as the server's user."""
        subprocess.run(
            [find(command[0]), *command[1:]],
            input=given.encode(),
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=self.folder,
            **Daemon.account,
        )

    def start(self, *settings: str, ready: bytes = _READY) -> None:
        """Start it, with settings as ``name=value``, and wait until it takes connections."""
        settings = ("listen_addresses=127.0.0.1", f"port={self.port}", "max_connections=50", *settings)
        options = [word for setting in settings for word in ("-c", setting)]
        self._daemon.launch("postgres", "-D", str(self.data), "-k", str(self.folder), *options, ready=ready)

    def stop(self) -> None:
        """End it; whoever is connected is cut off."""
        self._daemon.end()

    def crash(self) -> None:
        """End it at once, as a crash does: it recovers when it is started again."""
        self._daemon.end(signal.SIGQUIT)


def free_port() -> int:
    """A port of this machine that nobody listens at."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port: int = taken.getsockname()[1]
        return port


def find(program: str) -> str:
    """The path of a program, of the newest server there is."""
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: -int(folder.parent.name))
    found = shutil.which(
        program, path=os.pathsep.join([*map(str, versions), os.environ.get("PATH", os.defpath), "/usr/sbin"])
    )
    if found is None:
        raise SystemExit(f"no {program}: make postgresql installs it (Debian's postgresql and pgbouncer)")
    return found


def main(command: list[str]) -> int:
    """Run the command; its exit code."""
    with Server() as server:
        return subprocess.run(command, env={**os.environ, VARIABLE: server.address}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
