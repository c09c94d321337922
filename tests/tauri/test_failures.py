"""Where the sidecar does not start: the page says why, and goes on once it is right."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

from tests.tauri.conftest import Open
from tests.tauri.home import Home
from tests.tauri.patience import eventually
from tests.tauri.processes import expect_gone
from tests.tauri.window import Window

RESTARTS = 5
"""Within three minutes."""
NOT_STARTED = "The Runtime could not be started"
OTHER_VERSION = {"code": -32602, "message": "protocol_version 1.0 is not spoken here", "data": {"supported": ["9.0"]}}
ANSWER_OF_ANOTHER_VERSION = f"""
while read -r line; do
  id=$(printf '%s' "$line" | sed -E 's/.*"id":("[^"]*"|[0-9]+).*/\\1/')
  printf '{{"jsonrpc":"2.0","id":%s,"error":%s}}\\n' "$id" '{json.dumps(OTHER_VERSION)}'
done
"""

SEND_TOO_MUCH = """(async () => {
  const { invoke, transformCallback } = window.__TAURI_INTERNALS__;
  const run = await invoke("sidecar_start", { events: `__CHANNEL__:${transformCallback(() => {})}` });
  const text = "x".repeat(8 * 1024 * 1024);
  const sent = [1, 2, 3, 4, 5].map(() => invoke("sidecar_send", { run, text }).then(() => "written", String));
  const first = await Promise.race(sent);
  await invoke("sidecar_kill", { run });
  await Promise.all(sent);
  return first;
})()"""


def expect_failure(window: Window, title: str, *texts: str) -> None:
    """Wait until the page has given up and says this under this title."""
    shown = "return document.querySelector('section[role=alert][data-busy=false]')?.textContent"
    said = eventually(lambda: window.session.run(shown), seconds=45, why="the page goes on trying")
    assert said.startswith(title), said
    assert [text for text in texts if text not in said] == [], said


def go_on(window: Window, home: Home) -> None:
    """Put it right, and try again."""
    home.install_the_real_one()
    window.button("Try again").click()
    window.wait_until_live()


def test_a_sidecar_that_is_not_there(open_window: Open, home: Home, pictures: Path) -> None:
    home.sidecar.unlink()
    window = open_window(live=False)
    expect_failure(window, NOT_STARTED, f"there is no {home.sidecar}", "LINEUP_SIDECAR")
    window.picture(pictures / "no-sidecar.png")
    go_on(window, home)


def test_a_sidecar_that_may_not_be_executed(open_window: Open, home: Home) -> None:
    home.sidecar.chmod(0o644)
    window = open_window(live=False)
    expect_failure(window, NOT_STARTED, f"{home.sidecar} may not be executed")
    go_on(window, home)


def test_a_sidecar_that_is_no_program_of_this_machine(open_window: Open, home: Home) -> None:
    home.sidecar.write_bytes(b"\x7fELF\x02\x01\x01" + bytes(57))
    window = open_window(live=False)
    expect_failure(window, NOT_STARTED, f"{home.sidecar} cannot be executed")
    go_on(window, home)


def test_a_sidecar_that_dies_before_it_has_said_anything(open_window: Open, home: Home, pictures: Path) -> None:
    home.install('echo start >> "$HOME/starts"; echo "no such luck: é" >&2; exit 7')
    window = open_window(live=False)
    expect_failure(window, NOT_STARTED, "exit code 7", "no such luck: é")
    window.picture(pictures / "dies.png")
    assert (home.folder / "starts").read_text().count("start") == 1 + RESTARTS
    go_on(window, home)


def test_a_sidecar_that_dies_again_and_again(window: Window, home: Home, pictures: Path) -> None:
    for restarts in range(RESTARTS + 1):
        before = window.sidecar()
        os.kill(before.pid, signal.SIGKILL)
        expect_gone([before])
        if restarts < RESTARTS:
            eventually(lambda: window.sidecars(), seconds=20, why="it is not started again")
            window.wait_until_live()
    expect_failure(window, "The Runtime does not stay up", "signal 9")
    window.picture(pictures / "does-not-stay-up.png")
    window.button("Connect again").click()
    window.wait_until_live()


def test_a_store_that_another_sidecar_uses(open_window: Open, home: Home) -> None:
    with subprocess.Popen(home.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdin is not None
        assert other.stdout is not None
        other.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
        other.stdin.flush()
        other.stdout.readline()
        window = open_window(live=False)
        expect_failure(window, "The Runtime is already running in another window", "exit code 3", str(home.database))
        other.stdin.close()
    window.button("Try again").click()
    window.wait_until_live()


def test_a_failure_is_told_in_chinese_too(open_window: Open, home: Home, pictures: Path) -> None:
    home.sidecar.unlink()
    window = open_window(live=False)
    expect_failure(window, NOT_STARTED)
    window.session.run("document.querySelector('input[name=language][value=zh]').click()")  # it lies under the banner
    expect_failure(window, "运行时无法启动")
    window.picture(pictures / "no-sidecar-chinese.png")


def test_a_sidecar_that_does_not_read_is_sent_no_more_than_the_queue_holds(open_window: Open, home: Home) -> None:
    home.sidecar.unlink()
    window = open_window(live=False)
    expect_failure(window, NOT_STARTED)
    home.install("while kill -0 $PPID; do sleep 0.1; done")
    refused = window.session.run_to_end(SEND_TOO_MUCH)
    assert refused.startswith("queue_full: the sidecar has not read"), refused


def test_a_sidecar_of_another_version(open_window: Open, home: Home) -> None:
    home.install(ANSWER_OF_ANOTHER_VERSION)
    window = open_window(live=False)
    expect_failure(window, "The Runtime is of another version", "protocol_version 1.0 is not spoken here")
    go_on(window, home)


@pytest.mark.parametrize("content", [b"this is no store, whatever it is called\n" * 200])
def test_a_store_that_is_broken(open_window: Open, home: Home, pictures: Path, content: bytes) -> None:
    home.database.write_bytes(content)
    window = open_window(live=False)
    expect_failure(window, NOT_STARTED, str(home.database))
    window.picture(pictures / "broken-store.png")
    assert home.database.read_bytes() == content
    home.database.unlink()
    go_on(window, home)
