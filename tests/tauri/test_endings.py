"""However it ends, nothing of it stays, and the store is sound."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable

import pytest

from tests.tauri.home import Home
from tests.tauri.patience import eventually
from tests.tauri.processes import expect_gone
from tests.tauri.window import Window


def close(window: Window) -> None:
    """Close it as its user does."""
    window.close()


def terminate(window: Window) -> None:
    """End it as a session does that ends."""
    os.kill(window.process.pid, signal.SIGTERM)


def kill(window: Window) -> None:
    """End it as a crash does."""
    os.kill(window.process.pid, signal.SIGKILL)


@pytest.mark.parametrize("end", [close, terminate, kill])
def test_nothing_stays_when_the_application_ends(window: Window, home: Home, end: Callable[[Window], None]) -> None:
    window.open_app("spinner")
    with window.frame("spinner") as view:
        view.find("//button[@id='spin']").click()
        view.find("//p[@id='state' and .='spins']")
    tree = window.tree()
    sidecar = window.sidecar()
    assert [one for one in tree if one.parent == sidecar.pid], "a worker runs"
    end(window)
    expect_gone(tree)
    home.verify()


def test_a_sidecar_that_is_killed_comes_again_with_all_that_was(window: Window, home: Home) -> None:
    window.call("whiteboard.open", {"board_id": "house", "title": "A house"})
    window.expect_in_front("whiteboard")
    before = window.sidecar()
    old = [one for one in window.tree() if one == before or one.parent == before.pid]
    assert len(old) > 1
    os.kill(before.pid, signal.SIGKILL)
    expect_gone(old)
    eventually(lambda: window.sidecars() and window.sidecar() != before)
    window.wait_until_live()
    with window.frame("whiteboard") as view:
        view.find("//h1[.='A house']")
    home.verify()


def test_the_page_ends_the_sidecar_as_a_crash_would(window: Window) -> None:
    before = window.sidecar()
    window.open_workbench("Inspector", "Runtime")
    window.button("Crash the Runtime").click()
    expect_gone([before])
    eventually(lambda: window.sidecars() and window.sidecar() != before)
    window.wait_until_live()
