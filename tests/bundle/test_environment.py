"""Nothing around it matters: not the environment, the folder, the user, nor what its streams are."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from host_bridge.agent import Agent
from host_bridge.client import Sidecar
from tests.bundle.installed import T_EXIT_S, Installed
from tests.bundle.probe import write_probe

TEXT = "é漢😀— \u2028\u2029\u0085"
PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n'
PONG = {"jsonrpc": "2.0", "id": 1, "result": {}}
NOBODY = 65534


@asynccontextmanager
async def talk(app: Installed, folder: Path, env: Mapping[str, str]) -> AsyncIterator[tuple[Sidecar, Agent]]:
    """Begin a conversation with a sidecar that has this environment and no other."""
    command = [str(app.launcher), "--database", str(folder / "lineup.sqlite"), *write_probe(folder)]
    async with Sidecar(command, env=env) as sidecar, Agent(sidecar) as agent:
        await sidecar.initialize()
        await sidecar.call("workspace.open", **agent.peer)
        yield sidecar, agent


async def converse(app: Installed, folder: Path, env: Mapping[str, str]) -> None:
    """See that text goes through Host, Runtime, store and worker as it was."""
    async with talk(app, folder, env) as (sidecar, agent):
        call = await agent.invoke("probe.echo", {"text": TEXT})
        assert (await call.result())["result"] == {"text": TEXT}
        await sidecar.send_raw(b"\xff\n")
        fault = await sidecar.next_stray()
        assert (fault["id"], fault["error"]["code"]) == (None, -32700)
        raw = {"jsonrpc": "2.0", "id": "raw", "method": "workspace.open", "params": agent.peer}
        await sidecar.send_raw(json.dumps(raw, ensure_ascii=False).encode() + b"\r\n")
        assert (await sidecar.next_stray())["id"] == "raw"


@pytest.mark.parametrize(
    "env",
    [
        {"PYTHONIOENCODING": "cp1252"},
        {"PYTHONIOENCODING": "ascii"},
        {"PYTHONIOENCODING": "cp932"},
        {"PYTHONUTF8": "0", "LC_ALL": "C"},
        {},
    ],
    ids=["cp1252", "ascii", "cp932", "C", "empty"],
)
async def test_text_is_utf_8_whatever_the_locale(app: Installed, tmp_path: Path, env: dict[str, str]) -> None:
    await converse(app, tmp_path, env)


async def test_what_leads_an_interpreter_astray_leads_it_nowhere(app: Installed, tmp_path: Path) -> None:
    trap = tmp_path / "trap"
    trap.mkdir()
    for module in ("json", "sqlite3", "encodings", "sitecustomize", "usercustomize", "sidecar", "miniapps"):
        (trap / f"{module}.py").write_text("import os\nos._exit(66)\n")
    for library in ("libpython3.11.so.1.0", "libsqlite3.so.0", "libffi.so.8", "liblzma.so.5", "libcrypto.so.3"):
        (trap / library).write_bytes(b"no library")
    hostile = {
        "PYTHONHOME": "/nonexistent",
        "PYTHONPATH": str(trap),
        "PYTHONSTARTUP": str(trap / "json.py"),
        "PYTHONUSERBASE": str(trap),
        "PYTHONWARNINGS": "error",
        "PYTHONINSPECT": "1",
        "LD_LIBRARY_PATH": str(trap),
        "DYLD_LIBRARY_PATH": str(trap),
        "_PYI_ARCHIVE_FILE": "/some/other/frozen/app",  # where a Host is a frozen program itself
        "_PYI_APPLICATION_HOME_DIR": str(trap),
        "_PYI_PARENT_PROCESS_LEVEL": "1",
        "HOME": "/nonexistent",
        "PATH": str(trap),
        "TMPDIR": "/nonexistent",
    }
    await converse(app, tmp_path, hostile)


async def test_a_worker_hears_nothing_of_the_environment(app: Installed, tmp_path: Path) -> None:
    async with talk(app, tmp_path, {**os.environ, "SECRET": "s"}) as (_, agent):
        flags = json.loads((await (await agent.invoke("probe.flags", {})).result())["result"]["text"])
    assert {name for name in flags["environment"] if not name.startswith(("_PYI_", "LD_LIBRARY_PATH"))} <= {"LANG"}
    assert flags["utf8"] == 1


def test_another_user_may_run_it_from_anywhere(app: Installed) -> None:
    other = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}
    with tempfile.TemporaryDirectory() as folder:
        if other:
            os.chown(folder, NOBODY, NOBODY)
        database = str(Path(folder) / "lineup.sqlite")
        done = app.run("--database", database, input=PING, cwd="/", env={}, **other)
        assert (done.returncode, json.loads(done.stdout)) == (0, PONG), done.stderr
        assert app.run("verify", "--database", database, cwd="/", env={}, **other).returncode == 0


def test_without_standard_streams_it_ends_quietly_and_spoils_nothing(app: Installed, tmp_path: Path) -> None:
    database = str(tmp_path / "lineup.sqlite")
    closed = ["/bin/sh", "-c", 'exec "$0" "$@" <&- >&- 2>&-', str(app.launcher), "--database", database]
    assert subprocess.run(closed, timeout=4 * T_EXIT_S).returncode == 0
    assert app.run("verify", "--database", database).returncode == 0
