"""Where the sidecar does not start: the page says why, and goes on once it is right."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.tauri.conftest import Open
from tests.tauri.home import Home
from tests.tauri.patience import eventually
from tests.tauri.window import Window

OTHER_VERSION = {"code": -32602, "message": "protocol_version 1.0 is not spoken here", "data": {"supported": ["9.0"]}}
ANSWER_OF_ANOTHER_VERSION = f"""
while read -r line; do
  id=$(printf '%s' "$line" | sed -E 's/.*"id":("[^"]*"|[0-9]+).*/\\1/')
  printf '{{"jsonrpc":"2.0","id":%s,"error":%s}}\\n' "$id" '{json.dumps(OTHER_VERSION)}'
done
"""


def expect_failure(window: Window, *texts: str) -> None:
    """Wait until the page has given up and says this."""
    shown = "return document.querySelector('section[role=alert][data-busy=false]')?.textContent"
    said = eventually(lambda: window.session.run(shown), seconds=45, why="the page goes on trying")
    assert [text for text in texts if text not in said] == [], said


def go_on(window: Window, home: Home) -> None:
    """Put it right, and try again."""
    home.install_the_real_one()
    window.button("Connect again").click()
    window.wait_until_live()


def test_a_sidecar_that_is_not_there(open_window: Open, home: Home, pictures: Path) -> None:
    home.sidecar.unlink()
    window = open_window(live=False)
    expect_failure(window, f"there is no {home.sidecar}", "LINEUP_SIDECAR")
    window.picture(pictures / "no-sidecar.png")
    go_on(window, home)


def test_a_sidecar_that_may_not_be_executed(open_window: Open, home: Home) -> None:
    home.sidecar.chmod(0o644)
    window = open_window(live=False)
    expect_failure(window, f"{home.sidecar} may not be executed")
    go_on(window, home)


def test_a_sidecar_that_is_no_program_of_this_machine(open_window: Open, home: Home) -> None:
    home.sidecar.write_bytes(b"\x7fELF\x02\x01\x01" + bytes(57))
    window = open_window(live=False)
    expect_failure(window, f"{home.sidecar} cannot be executed")
    go_on(window, home)


def test_a_sidecar_that_dies_before_it_has_said_anything(open_window: Open, home: Home, pictures: Path) -> None:
    home.install('echo start >> "$HOME/starts"; echo "no such luck: é" >&2; exit 7')
    window = open_window(live=False)
    expect_failure(window, "exit code 7", "no such luck: é")
    window.picture(pictures / "dies.png")
    assert (home.folder / "starts").read_text().count("start") == 6
    go_on(window, home)


def test_a_sidecar_of_another_version(open_window: Open, home: Home) -> None:
    home.install(ANSWER_OF_ANOTHER_VERSION)
    window = open_window(live=False)
    expect_failure(window, "protocol_version 1.0 is not spoken here")
    go_on(window, home)


@pytest.mark.parametrize("content", [b"this is no store, whatever it is called\n" * 200])
def test_a_store_that_is_broken(open_window: Open, home: Home, pictures: Path, content: bytes) -> None:
    home.database.write_bytes(content)
    window = open_window(live=False)
    expect_failure(window, str(home.database))
    window.picture(pictures / "broken-store.png")
    assert home.database.read_bytes() == content
    home.database.unlink()
    go_on(window, home)
