"""PgBouncer before a server: many clients share few sessions, one transaction, or one connection, at a time."""

from __future__ import annotations

from scripts.postgresql import ROLE, Daemon, Server, free_port

SETTINGS = """
[databases]
postgres = host={folder} port={server} user={role}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = {mode}
default_pool_size = 1
"""


class Pooler:
    """A pooler in one of its modes: ``session``, ``transaction`` or ``statement``."""

    def __init__(self, server: Server, mode: str) -> None:
        self.port = free_port()
        self._daemon = Daemon(server.folder)
        self._settings = server.folder / f"pgbouncer-{mode}.ini"
        filled = {"folder": server.folder, "server": server.port, "role": ROLE, "port": self.port, "mode": mode}
        self._settings.write_text(SETTINGS.format(**filled))

    @property
    def address(self) -> str:
        """The address of the server's database through it."""
        return f"postgresql://{ROLE}@127.0.0.1:{self.port}/postgres"

    def __enter__(self) -> Pooler:
        self._daemon.launch("pgbouncer", str(self._settings), ready=b"process up")
        return self

    def __exit__(self, *_: object) -> None:
        self._daemon.end()
