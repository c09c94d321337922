"""A disk that is full, and has room again; a folder or a file that cannot be written (RULES 1)."""

from __future__ import annotations

import itertools
import shlex
import sqlite3
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from host_bridge.agent import Agent
from host_bridge.client import Sidecar
from host_bridge.command import find_sidecar, serve_command
from host_bridge.errors import RpcError
from tests.faults.bundles import write_bundles
from tests.faults.house import House
from tests.faults.namespaces import CANNOT_MOUNT, in_mounts

pytestmark = [pytest.mark.anyio, pytest.mark.skipif(bool(CANNOT_MOUNT), reason=CANNOT_MOUNT)]

PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n'
NO_ROOM = "the store cannot be written; free its disk and try again"


class Disk:
    """A disk of 4 MiB that a sidecar alone sees."""

    def __init__(self, folder: Path) -> None:
        self.place = folder / "disk"
        self.place.mkdir()
        self.store = self.place / "lineup.sqlite"
        quoted = shlex.quote(str(self.place))
        self.mount = f"mount -t tmpfs -o size=4m none {quoted}"
        self.fill = f"cat /dev/zero > {quoted}/ballast 2> /dev/null || true"
        """What mounts it, and what leaves no room on it, as lines of shell."""

    def seen_by(self, pid: int) -> Path:
        """Where this process finds what that one sees."""
        return Path(f"/proc/{pid}/root{self.place}")

    @contextmanager
    def full(self, pid: int) -> Iterator[None]:
        """For the length of a block there is no room."""
        ballast = self.seen_by(pid) / "ballast"
        with ballast.open("wb", buffering=0) as file, suppress(OSError):
            while True:
                file.write(b"x" * 4096)
        yield
        ballast.unlink()


@pytest.fixture
def disk(tmp_path: Path) -> Disk:
    """Its disk."""
    return Disk(tmp_path)


@pytest.fixture
async def house(tmp_path: Path, disk: Disk) -> AsyncIterator[House]:
    """A conversation whose store is on that disk."""
    command = in_mounts(disk.mount, serve_command(disk.store, "--test-clock", *write_bundles(tmp_path)))
    async with Sidecar(command) as sidecar:
        await sidecar.initialize(host_run=["chat"], capability_providers=["probe.allowed", "probe.asked"])
        async with Agent(sidecar) as agent:
            house = House(sidecar, agent)
            await house.snapshot()
            yield house
    assert not sidecar.faults


async def no_room(ask: Callable[[int], Awaitable[Any]]) -> None:
    """What is asked cannot be stored, and the answer says what to do."""
    with pytest.raises(RpcError) as failed:
        await again_and_again(ask)
    assert (failed.value.code, failed.value.message) == (-32603, NO_ROOM)


async def again_and_again(ask: Callable[[int], Awaitable[Any]]) -> None:
    """A little room may be left in pages that are there already."""
    for number in itertools.count():
        await ask(number)


@pytest.mark.requirement("R1-one-transaction", "R1-after-the-commit")
async def test_a_full_disk_costs_what_was_asked_of_it_and_nothing_that_was_answered(house: House, disk: Disk) -> None:
    await house.others_are_well()

    async def say(_number: int) -> None:
        await house.agent.say("x" * 30_000)

    before = await house.snapshot()
    for _ in range(2):
        with disk.full(house.sidecar.pid):
            await no_room(say)
            assert await house.call("ping") == {}
            assert (await house.snapshot())["instances"] == before["instances"]
            assert (await house.call("runtime.status"))["live_workers"] >= 1
            await no_room(say)
        await house.others_are_well()
    resyncs = [news.params["reason"] for news in house.sidecar.seen("runtime.resync")]
    assert set(resyncs) == {"store_failed"}
    pid = house.sidecar.pid
    verify = ["nsenter", f"--target={pid}", "--mount", *find_sidecar(), "verify", "--database", str(disk.store)]
    found = subprocess.run(verify, capture_output=True, check=False)
    assert found.returncode == 0, found.stdout


@pytest.mark.requirement("R6-others-unaffected")
async def test_deadlines_that_pass_while_the_disk_is_full_are_met_when_there_is_room(house: House, disk: Disk) -> None:
    call = await house.invoke("deaf")
    asked = await house.agent.ask("confirm", {"title": "T", "prompt": "P"})
    with disk.full(house.sidecar.pid):
        await no_room(lambda _number: house.call("test.advanceClock", ms=7_200_000))
        assert await house.call("ping") == {}
    assert (await call.result())["reason"] == "timeout"
    assert (await asked.result())["reason"] == "never_presented"
    await house.others_are_well()


def start(mount: str, database: Path) -> subprocess.CompletedProcess[bytes]:
    """Start a sidecar on what that makes of the disk."""
    return run(in_mounts(mount, serve_command(database)))


def run(command: list[str]) -> subprocess.CompletedProcess[bytes]:
    """Say something to it, and wait until it ends."""
    return subprocess.run(command, input=PING, capture_output=True, timeout=60, check=False)


def ended_with_a_word(ended: subprocess.CompletedProcess[bytes]) -> bool:
    """It said why it does not serve, and nothing of its inside."""
    said = ended.stderr.startswith(b"lineup-sidecar: ") and b"Traceback" not in ended.stderr
    return said and (ended.returncode, ended.stdout) == (1, b"")


@pytest.fixture
def filled(tmp_path: Path) -> Path:
    """A store that has a conversation, on a disk as it should be."""
    database = tmp_path / "home" / "lineup.sqlite"
    hello = b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocol_version":"1.0","host":'
    hello += b'{"name":"h","version":"1.0.0"}}}\n{"jsonrpc":"2.0","id":2,"method":"workspace.open","params":'
    hello += b'{"conversation_id":"c","agent_id":"a"}}\n'
    subprocess.run(serve_command(database), input=hello, capture_output=True, timeout=60, check=True)
    return database


def test_a_sidecar_does_not_begin_on_a_disk_that_is_full(disk: Disk) -> None:
    ended = start(f"{disk.mount}\n{disk.fill}", disk.store)
    assert ended_with_a_word(ended), ended


def test_a_store_whose_disk_is_full_is_not_begun_and_stays_as_it_is(disk: Disk, filled: Path) -> None:
    files = shlex.join([str(filled), str(disk.store)])
    served = shlex.join(serve_command(disk.store))
    # the disk ends with its process, which therefore looks at the store itself, and ends as the sidecar did
    looked = ["sh", "-c", f"{served}; code=$?; cmp {files} && exit $code"]
    ended = run(in_mounts(f"{disk.mount}\ncp {files}\n{disk.fill}", looked))
    assert ended_with_a_word(ended), ended


@pytest.mark.parametrize("made", [True, False], ids=["there", "not there yet"])
def test_a_folder_that_cannot_be_written_is_told_and_left_as_it_is(filled: Path, made: bool) -> None:
    home = filled.parent
    if not made:
        for file in home.iterdir():
            file.unlink()
    before = {file.name: file.read_bytes() for file in home.iterdir()}
    quoted = shlex.quote(str(home))
    ended = start(f"mount --bind {quoted} {quoted}\nmount -o remount,bind,ro {quoted}", filled)
    assert ended_with_a_word(ended), ended
    assert {file.name: file.read_bytes() for file in home.iterdir()} == before


def test_a_file_that_became_read_only_is_told_and_works_again_when_it_may_be_written(filled: Path) -> None:
    """Root may write whatever a mode says, so the file itself is mounted to be read."""
    quoted = shlex.quote(str(filled))
    ended = start(f"mount --bind {quoted} {quoted}\nmount -o remount,bind,ro {quoted}", filled)
    assert ended_with_a_word(ended), ended
    ended = start("true", filled)
    assert ended.returncode == 0
    with closing(sqlite3.connect(filled)) as store:
        assert store.execute("SELECT conversation_id FROM conversation").fetchall() == [("c",)]
