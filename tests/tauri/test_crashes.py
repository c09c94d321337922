"""Where the web process dies the window does not stay empty, and with it nothing stays behind."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from tests.tauri.home import Home
from tests.tauri.patience import eventually
from tests.tauri.processes import Process, expect_gone
from tests.tauri.screen import Screen, likeness
from tests.tauri.window import Window

LOADED_AGAIN_AT_MOST = 5


def crash(window: Window) -> None:
    """Kill the process that shows the page. A driver's session ends with it."""
    before = window.web_process()
    os.kill(before.pid, signal.SIGKILL)
    eventually(lambda: window.web_process() != before, why="there is no other web process")


def another_sidecar(window: Window, before: Process) -> Process:
    """Wait until the page has loaded again, which starts a sidecar of its own."""
    eventually(lambda: window.sidecars() and window.sidecars() != [before], why="the page does not come again")
    return window.sidecar()


def end(window: Window, home: Home) -> None:
    """End it as a session does that ends, since the driver's own session is lost: nothing stays."""
    tree = window.tree()
    os.kill(window.process.pid, signal.SIGTERM)
    expect_gone(tree)
    home.verify()


def test_a_page_whose_process_died_comes_again_as_it_was(window: Window, screen: Screen, home: Home) -> None:
    window.open_app("whiteboard")
    with window.frame("whiteboard") as view:
        view.find("//h1[.='Whiteboard']")
    look, sidecar = window.look(), window.sidecar()
    crash(window)
    another_sidecar(window, sidecar)
    assert not sidecar.is_alive()
    eventually(lambda: likeness(screen.look(), look) > 0.98, why="the window shows something else")
    end(window, home)


def test_a_page_whose_process_dies_again_and_again_is_given_up(
    window: Window, screen: Screen, home: Home, pictures: Path
) -> None:
    look, sidecar = window.look(), window.sidecar()
    for _ in range(LOADED_AGAIN_AT_MOST):
        crash(window)
        sidecar = another_sidecar(window, sidecar)
    eventually(lambda: likeness(screen.look(), look) > 0.98, why="the window shows something else")
    crash(window)
    eventually(lambda: likeness(screen.look(), look) < 0.9, why="the page is shown again")
    screen.picture(pictures / "given-up.png")
    shown = screen.look()
    assert 0.001 < 1 - likeness(shown, shown[-4:] * (len(shown) // 4)) < 0.2, "a few words on a plain ground"
    assert home.said().count("the web process ended") == LOADED_AGAIN_AT_MOST + 1
    end(window, home)
