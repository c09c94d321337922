"""The command line as these tests run it: a sidecar that is pinged once, one that is refused, and ``verify``."""

from __future__ import annotations

import os
import subprocess

from host_bridge.command import find_sidecar, serve_command

PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n'
PONG = b'{"jsonrpc":"2.0","id":1,"result":{}}\n'


def start(address: str, **env: str) -> subprocess.CompletedProcess[bytes]:
    """A sidecar that is pinged once and then left alone."""
    command = serve_command(address)
    return subprocess.run(command, input=PING, capture_output=True, timeout=60, check=False, env={**os.environ, **env})


def refused(address: str, *words: str) -> None:
    """A sidecar ends with 1, nothing on stdout and one line on stderr that has these words."""
    ended = start(address)
    assert (ended.returncode, ended.stdout) == (1, b""), ended.stderr
    assert ended.stderr.startswith(b"lineup-sidecar: ")
    assert ended.stderr.count(b"\n") == 1
    for word in words:
        assert word in ended.stderr.decode()


def verified(address: str) -> str:
    """What ``verify`` says of a store that holds."""
    command = [*find_sidecar(), "verify", "--database", address]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout
