"""``lineup-host serve`` as a process: it prints its address, ends cleanly, and leaves nothing behind."""

from __future__ import annotations

import os
import re
import shlex
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import anyio
import pytest
from websockets.asyncio.client import connect
from websockets.typing import Origin, Subprotocol

from host_bridge.web.serve import can_open_browser
from tests.host_bridge.web.conftest import PEER
from tests.host_bridge.web.page_program import Page

ADDRESS = re.compile(r"(http://127\.0\.0\.1:(\d+))/#token=([\w-]+)")

Serve = Callable[..., subprocess.Popen[str]]


@pytest.fixture
def serve(front_end: Path, tmp_path: Path) -> Iterator[Serve]:
    """Run the command; whatever is left of it at the end is killed."""
    started: list[subprocess.Popen[str]] = []
    (tmp_path / "temporary").mkdir()

    def start(*options: str, sidecar: str = "") -> subprocess.Popen[str]:
        environment = {**os.environ, "TMPDIR": str(tmp_path / "temporary"), "LINEUP_SIDECAR": sidecar}
        command = [sys.executable, "-m", "host_bridge", "serve", "--no-open", "--page", str(front_end), *options]
        process = subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.wait()
        assert process.stdout
        process.stdout.close()


async def open_page(process: subprocess.Popen[str]) -> Page:
    """Read the address that is printed, and drive."""
    assert process.stdout
    stdout = process.stdout
    printed = ""
    while not (found := ADDRESS.search(printed)):
        line = await anyio.to_thread.run_sync(stdout.readline)
        assert line, printed
        printed += line
    origin, port, token = found.groups()
    socket = await connect(
        f"ws://127.0.0.1:{port}/rpc",
        origin=Origin(origin),
        subprotocols=[Subprotocol("lineup.v1"), Subprotocol(f"token.{token}")],
        proxy=None,
    )
    return await Page(socket).begin()


async def gone(pid: int) -> None:
    """Wait until a process, of whomever, has ended."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    try:
        with anyio.fail_after(10):
            await anyio.wait_readable(descriptor)
    finally:
        os.close(descriptor)


def children_of(pid: int) -> list[int]:
    """The processes below one."""
    found = [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return found + [deeper for one in found for deeper in children_of(one)]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
async def test_a_signal_ends_the_server_the_sidecar_and_its_workers_and_tells_the_page(
    serve: Serve, tmp_path: Path, number: signal.Signals
) -> None:
    process = serve()
    page = await open_page(process)
    await page.call("bridge.play", scene="task")
    await page.hear("bridge.told", lambda one: one["text"].startswith("✓ the update"))
    left = children_of(process.pid)
    assert len(left) >= 3  # the sidecar, Interact's worker, Task Dashboard's
    process.send_signal(number)
    assert await page.closed() == (1001, "the server ends")
    assert await anyio.to_thread.run_sync(process.wait) == 128 + number
    for pid in left:
        await gone(pid)
    assert list((tmp_path / "temporary").iterdir()) == []


async def test_a_server_that_is_killed_leaves_no_sidecar_and_no_worker(serve: Serve) -> None:
    process = serve()
    await open_page(process)
    left = children_of(process.pid)
    assert left
    process.kill()
    for pid in left:
        await gone(pid)


async def test_a_connection_that_says_nothing_does_not_hold_up_the_end(serve: Serve) -> None:
    process = serve(sidecar=shlex.join(PEER))
    page = await open_page(process)
    silent = await anyio.connect_tcp("127.0.0.1", int(str(page.socket.remote_address[1])))
    async with silent:
        process.send_signal(signal.SIGINT)
        with anyio.fail_after(9):
            assert await anyio.to_thread.run_sync(process.wait) == 130


async def test_a_store_that_was_named_is_kept_and_used_again(serve: Serve, tmp_path: Path) -> None:
    for recovered in (0, 1):
        process = serve("--database", str(tmp_path / "kept.sqlite"), "--port", "0")
        page = await open_page(process)
        session = await page.call("initialize", protocol_version="1.0", host={"name": "page", "version": "1.0.0"})
        assert session["recovered"]["conversations"] >= recovered
        process.send_signal(signal.SIGINT)
        await anyio.to_thread.run_sync(process.wait)
    assert (tmp_path / "kept.sqlite").exists()


@pytest.mark.parametrize(
    ("options", "sidecar", "said"),
    [
        ([], shlex.join([*PEER, "--code", "3"]), "cannot start"),
        ([], "/no/such/sidecar", "cannot run /no/such/sidecar"),
        (["--page", "/nowhere"], "", "no built front end in /nowhere"),
        (["--policy", "/no/such/policy.json"], "", "policy"),
    ],
)
async def test_what_keeps_the_server_from_starting_is_said_and_the_exit_code_is_1(
    serve: Serve, tmp_path: Path, options: list[str], sidecar: str, said: str
) -> None:
    process = serve(*options, sidecar=sidecar)
    printed = (await anyio.to_thread.run_sync(process.communicate))[0]
    assert process.returncode == 1
    assert said in printed
    assert "Traceback" not in printed
    assert "#token=" not in printed
    assert list((tmp_path / "temporary").iterdir()) == []


async def test_a_port_that_is_taken_is_said(serve: Serve) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        process = serve("--port", str(port))
        printed = (await anyio.to_thread.run_sync(process.communicate))[0]
    assert process.returncode == 1
    assert f"cannot listen on 127.0.0.1:{port}" in printed


@pytest.mark.parametrize("port", ["-1", "65536", "http", "", "1.5", "٣"])
async def test_a_port_that_is_none_is_a_wrong_option(serve: Serve, port: str) -> None:
    process = serve(f"--port={port}")
    printed = (await anyio.to_thread.run_sync(process.communicate))[0]
    assert process.returncode == 2
    assert "a port is a number from 0 to 65535" in printed


def test_without_a_screen_no_browser_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert not can_open_browser()
    monkeypatch.setenv("DISPLAY", ":0")
    assert can_open_browser()
