"""Over TCP with a password: nobody is told it, what the address says is passed on, and a cut loses nothing."""

from __future__ import annotations

import os
from pathlib import Path

import psycopg
import pytest

from host_bridge.client import Sidecar
from host_bridge.command import serve_command
from host_bridge.errors import RpcError
from scripts.postgresql import KEY, KEYED_ROLE, Server
from tests.postgresql.command import PONG, refused, start


def test_the_password_comes_from_the_environment_a_file_or_a_service(server: Server, tmp_path: Path) -> None:
    address = server.loopback_address
    escaped = KEY.replace(":", r"\:")
    passwords = tmp_path / "passwords"
    passwords.write_text(f"127.0.0.1:{server.port}:*:{KEYED_ROLE}:{escaped}\n")
    passwords.chmod(0o600)
    services = tmp_path / "services"
    services.write_text(f"[runtime]\nhost=127.0.0.1\nport={server.port}\nuser={KEYED_ROLE}\npassword={KEY}\n")
    for given, env in (
        (address, {"PGPASSWORD": KEY}),
        (address, {"PGPASSFILE": str(passwords)}),
        ("postgresql:///postgres?service=runtime", {"PGSERVICEFILE": str(services)}),
    ):
        ended = start(given, **env)
        assert (ended.returncode, ended.stdout, ended.stderr) == (0, PONG, b"")


def test_no_password_and_a_wrong_one_are_told_what_to_do(server: Server) -> None:
    refused(server.loopback_address, "no password supplied", "set PGPASSWORD or a password file")
    ended = start(server.loopback_address, PGPASSWORD="not-the-key")
    assert (ended.returncode, ended.stdout) == (1, b"")
    assert b"password authentication failed" in ended.stderr
    assert b"not-the-key" not in ended.stderr


async def test_the_password_is_written_nowhere(server: Server, tmp_path: Path) -> None:
    """Not in the log at its most talkative, not in an error, not in the store, not in the list of processes."""
    command = serve_command(server.loopback_address, "--log-level", "debug")
    async with Sidecar(command, env={**os.environ, "PGPASSWORD": KEY}) as sidecar:
        await sidecar.initialize()
        await sidecar.call("workspace.open", conversation_id="c", agent_id="a")
        told = Path(f"/proc/{sidecar.pid}/cmdline").read_bytes().decode()
        with psycopg.connect(server.address, autocommit=True) as admin:
            told += str(admin.execute("SELECT * FROM pg_stat_activity").fetchall())
            admin.execute("ALTER TABLE lineup.conversation RENAME TO gone")
            with pytest.raises(RpcError) as caught:
                await sidecar.call("workspace.open", conversation_id="d", agent_id="a")
            assert caught.value.code == -32603
            told += f"{caught.value.message} {caught.value.data}"
            admin.execute("ALTER TABLE lineup.gone RENAME TO conversation")
        told += str((await sidecar.call("audit.list"))["entries"])
        with psycopg.connect(server.address, autocommit=True) as admin:
            admin.execute("SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'")
        assert await sidecar.ended() == 1
        told += sidecar.stderr_tail
    assert "was lost, and with it the ownership" in told
    assert "UndefinedTable" in told
    assert KEY not in told


def test_encryption_is_asked_for_by_the_address(server: Server, tmp_path: Path) -> None:
    wanted = f"{server.loopback_address}&sslmode=verify-full&sslrootcert={server.data / 'server.crt'}"
    refused(f"{server.loopback_address}&sslmode=require", "does not support SSL")
    subject = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "2"]
    made = ["-keyout", str(server.data / "server.key"), "-out", str(server.data / "server.crt")]
    server.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", *subject, *made])
    server.stop()
    server.start("ssl=on")
    for address in (wanted, f"{server.loopback_address}&sslmode=require"):
        assert start(address, PGPASSWORD=KEY).returncode == 0
    ended = start(wanted.replace("127.0.0.1", "localhost").replace("/data/", "/data/../data/"), PGPASSWORD=KEY)
    assert ended.returncode == 1
    assert b"does not match host name" in ended.stderr
