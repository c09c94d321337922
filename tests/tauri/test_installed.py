"""With the frozen sidecar that lies beside the application, as it is installed."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from tests.tauri.conftest import APP, Open
from tests.tauri.home import Home
from tests.tauri.processes import expect_gone, program_of


def test_the_installed_sidecar_is_found_and_ends_with_its_application(open_window: Open, home: Home) -> None:
    del home.environment["LINEUP_SIDECAR"]
    home.database = home.folder / ".local" / "share" / "lineup" / "lineup.sqlite"
    window = open_window()
    installed = Path(APP).resolve().parents[1]
    programs = {program_of(process) for process in window.tree()}
    assert {one.name for one in programs if one.is_relative_to(installed)} == {"lineup-app", "sidecar", "worker"}
    window.call("whiteboard.open", {"board_id": "house", "title": "A house"})
    with window.frame("whiteboard") as view:
        view.find("//h1[.='A house']")
    tree = window.tree()
    os.kill(window.process.pid, signal.SIGKILL)
    expect_gone(tree)
    home.verify()
