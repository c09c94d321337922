"""Fixtures: Debian's Chromium, a server for each test, and tabs that may leave no error behind."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser.canary import Canary
from tests.browser.served import PAGE, ROOT, Served
from tests.browser.tab import Tab

FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]
PATIENCE_MS = 20_000
"""For what is to be seen at last: a busy machine is slow, and that is no fault of the page."""

expect.set_options(timeout=PATIENCE_MS)

DESKTOP = {"width": 1800, "height": 950}
"""Wide enough for an app, the conversation beside it and the workbench."""

Serve = Callable[..., Served]
OpenTab = Callable[..., Tab]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The browser; CHROMIUM names another one than that of the PATH."""
    program = os.environ.get("CHROMIUM") or shutil.which("chromium")
    assert program, "no chromium: apt-get install chromium, or let CHROMIUM name one"
    assert (PAGE / "index.html").is_file(), f"no page in {PAGE}: npm ci && npm run build there first"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Start servers on the test's store; they end with the test."""
    started: list[Served] = []

    def start(*options: str, port: int = 0) -> Served:
        started.append(Served(tmp_path / "lineup.sqlite", *options, port=port))
        return started[-1]

    yield start
    for server in started:
        server.stop()


@pytest.fixture
def open_tab(browser: Browser) -> Iterator[OpenTab]:
    """Open tabs, each a browser of its own as far as pages can tell; none may leave an error that nobody expected."""
    tabs: list[Tab] = []

    def make(address: str, *, live: bool = True, **context: Any) -> Tab:
        settings = {"viewport": DESKTOP, "locale": "en-GB", "reduced_motion": "reduce", **context}
        tab = Tab(browser.new_context(**settings).new_page())
        tabs.append(tab)
        if live:
            tab.open(address)
        else:
            tab.page.goto(address)
        return tab

    yield make
    left = [error for tab in tabs for error in tab.unexpected()]
    for tab in tabs:
        tab.page.context.close()
    assert left == []


@pytest.fixture
def tab(serve: Serve, open_tab: OpenTab) -> Tab:
    """A tab on a server without a scripted Agent: the test is the Agent, by the console."""
    return open_tab(serve("--agent", "none").address())


@pytest.fixture
def canary() -> Iterator[Canary]:
    """A server that nothing should reach."""
    with Canary() as canary:
        yield canary


@pytest.fixture
def bundles(tmp_path: Path) -> Path:
    """A folder with the test's MiniApps, each with the view's client as its author would copy it."""
    folder = tmp_path / "bundles"
    shutil.copytree(Path(__file__).parent / "bundles", folder)
    client = ROOT / "miniapps" / "sdk" / "surface" / "lineup.js"
    for surface in folder.glob("*/surface"):
        shutil.copy(client, surface)
    return folder


@pytest.fixture(scope="session")
def pictures() -> Path:
    """Where screenshots go."""
    folder = ROOT / "build" / "screenshots"
    folder.mkdir(parents=True, exist_ok=True)
    return folder
