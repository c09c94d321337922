"""Fixtures: a screen, a driver and a window for each test. They run where LINEUP_TAURI_APP names the application."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.browser.canary import Canary
from tests.tauri.driver import Driver
from tests.tauri.home import Home
from tests.tauri.processes import expect_gone
from tests.tauri.screen import Screen
from tests.tauri.window import Window

ROOT: Final = Path(__file__).parents[2]
APP: Final = os.environ.get("LINEUP_TAURI_APP", "")
BUNDLES: Final = [ROOT / "tests" / "browser" / "bundles" / "hostile", ROOT / "tests" / "tauri" / "bundles" / "spinner"]

collect_ignore_glob = [] if APP else ["test_*.py"]
if not (Path(APP).parent / "lineup-sidecar").exists():
    collect_ignore_glob.append("test_installed.py")  # the application was built without a sidecar of its own

Open = Callable[..., Window]


@pytest.fixture(scope="session")
def screen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Screen]:
    """A screen for all tests."""
    screen = Screen(tmp_path_factory.mktemp("screen"))
    yield screen
    screen.stop()


@pytest.fixture
def canary() -> Iterator[Canary]:
    """A server at which nothing may arrive."""
    with Canary() as canary:
        yield canary


@pytest.fixture
def home(tmp_path: Path, screen: Screen) -> Iterator[Home]:
    """A user of the test's own, with a sidecar that has the tests' MiniApps too."""
    bundles = tmp_path / "bundles"
    for bundle in BUNDLES:
        copied = shutil.copytree(bundle, bundles / bundle.name)
        shutil.copy(ROOT / "miniapps" / "sdk" / "surface" / "lineup.js", copied / "surface")
    sidecar = os.environ.get("LINEUP_TAURI_SIDECAR") or str(Path(sys.executable).with_name("lineup-sidecar"))
    with Home(tmp_path / "home", screen.display, [sidecar, "--miniapps", str(bundles)]) as home:
        yield home


@pytest.fixture
def open_window(home: Home, screen: Screen) -> Iterator[Open]:
    """Start the application; with the test it ends, and all that it started."""
    opened: list[tuple[Driver, Window]] = []

    def start(*, live: bool = True) -> Window:
        driver = Driver(os.environ.get("TAURI_DRIVER", "tauri-driver"), home.environment, home.log)
        window = Window(driver, screen, Path(APP).resolve())
        opened.append((driver, window))
        if live:
            window.wait_until_live()
        return window

    yield start
    for driver, window in opened:
        tree = window.tree() if window.process.is_alive() else []
        if tree:
            window.session.end()
        try:
            expect_gone(tree)
        finally:
            driver.stop()


@pytest.fixture
def window(open_window: Open) -> Window:
    """A window that follows the Runtime."""
    return open_window()


@pytest.fixture(scope="session")
def pictures() -> Path:
    """Where screenshots go."""
    folder = ROOT / "build" / "screenshots" / "tauri"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Show what the application said where a test fails."""
    report = yield
    home = getattr(item, "funcargs", {}).get("home")
    if report.failed and home is not None:
        report.sections.append(("the application's stderr", home.said()))
    return report
