"""``python -m benchmarks.page``: what a person waits for, measured in Chromium on the real page and a real Runtime.

First paint of the workspace, strokes of the whiteboard until they are stored, and a timeline of 500 entries scrolled
from end to end. Needs the page built (``make browser`` builds it). Medians over the runs; no figure is asserted.
"""

from __future__ import annotations

import json
import shutil
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import anyio
from playwright.sync_api import Browser, Page, WebSocket, sync_playwright

from host_bridge.agent import Agent
from host_bridge.client import Sidecar
from host_bridge.command import serve_command
from host_bridge.headless import HeadlessHost
from tests.browser.served import Served
from tests.browser.tab import Tab

RUNS = 5
STROKES = 60
ENTRIES = 500
PEER = {"conversation_id": "conversation-1", "agent_id": "agent-1"}
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
SCROLL = """async () => {
  const log = document.querySelector("section.interact [role=log]");
  let scroller = log;
  while (scroller && scroller.scrollHeight <= scroller.clientHeight) scroller = scroller.parentElement;
  const gaps = [];
  let last = performance.now();
  for (let step = 0; step <= 120; step++) {
    scroller.scrollTop = scroller.scrollHeight * (1 - step / 120);
    await new Promise(requestAnimationFrame);
    const now = performance.now();
    gaps.push(now - last);
    last = now;
  }
  return {gaps, height: scroller.scrollHeight};
}"""


def main() -> None:
    """Measure and print a table."""
    with tempfile.TemporaryDirectory() as folder:
        filled = Path(folder) / "lineup.sqlite"
        anyio.run(_fill, filled)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
            rows = [*_first_paint(browser), *_strokes(browser), *_scroll(browser, filled)]
            browser.close()
    print("| what | p50 | p95 | most |\n| --- | ---: | ---: | ---: |")
    for what, values, unit in rows:
        ordered = sorted(values)
        p95 = ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]
        print(f"| {what} | {statistics.median(ordered):.0f} {unit} | {p95:.0f} {unit} | {ordered[-1]:.0f} {unit} |")


Row = tuple[str, list[float], str]


def _first_paint(browser: Browser) -> list[Row]:
    painted, live = [], []
    with tempfile.TemporaryDirectory() as folder, Served(Path(folder) / "lineup.sqlite", "--agent", "none") as server:
        tab = _tab(browser, server)
        for _ in range(RUNS):
            began = time.perf_counter()
            tab.page.reload()
            tab.wait_until_live()
            live.append((time.perf_counter() - began) * 1_000)
            entry = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
            painted.append(float(tab.page.evaluate(entry)))
        tab.page.context.close()
    return [("first contentful paint", painted, "ms"), ("workspace live after a load", live, "ms")]


def _strokes(browser: Browser) -> list[Row]:
    """From the view's request to the Runtime's answer, which comes after the commit."""
    sent: dict[Any, float] = {}
    stored: list[float] = []

    def watch(socket: WebSocket) -> None:
        socket.on("framesent", lambda text: _note_sent(text, sent))
        socket.on("framereceived", lambda text: _note_stored(text, sent, stored))

    with tempfile.TemporaryDirectory() as folder, Served(Path(folder) / "lineup.sqlite", "--agent", "none") as server:
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.on("websocket", watch)
        tab = Tab(page)
        tab.open(server.address())
        tab.call("whiteboard.open", {"board_id": "bench", "title": "Bench"})
        tab.frame("whiteboard").get_by_role("heading", name="Bench").wait_for()
        for number in range(STROKES):
            _draw(page, tab, number)
        page.wait_for_timeout(1_000)
        page.context.close()
    return [("a stroke's patch stored", stored, "ms")]


def _scroll(browser: Browser, database: Path) -> list[Row]:
    with Served(database, "--agent", "none") as server:
        tab = _tab(browser, server)
        found = tab.page.evaluate(SCROLL)
        tab.page.context.close()
    return [(f"a frame while {ENTRIES} entries scroll", found["gaps"][1:], "ms")]


async def _fill(database: Path) -> None:
    async with Sidecar(serve_command(database)) as sidecar, HeadlessHost(sidecar) as host:
        await host.initialize()
        async with Agent(sidecar, **PEER) as agent:
            await host.open(**PEER)
            for number in range(ENTRIES):
                await agent.say(f"Entry **{number}**: a message with some *Markdown* and a list\n\n- one\n- two")
            await host.surface("chat", lambda state: len(state["entries"]) >= ENTRIES)


def _tab(browser: Browser, server: Served) -> Tab:
    tab = Tab(browser.new_page(viewport={"width": 1440, "height": 900}))
    tab.open(server.address())
    return tab


def _draw(page: Page, tab: Tab, number: int) -> None:
    box = tab.frame("whiteboard").locator("canvas").bounding_box()
    assert box is not None
    x, y = box["x"] + 20 + number * 8, box["y"] + 30
    page.mouse.move(x, y)
    page.mouse.down()
    for step in range(1, 10):
        page.mouse.move(x + 3 * step, y + 20 * step)
    page.mouse.up()


def _note_sent(text: str | bytes, sent: dict[Any, float]) -> None:
    message = json.loads(text)
    if isinstance(message, dict) and message.get("method") == "sdk.surfaces.update":
        sent[message["id"]] = time.perf_counter()


def _note_stored(text: str | bytes, sent: dict[Any, float], stored: list[float]) -> None:
    message = json.loads(text)
    if isinstance(message, dict) and "result" in message and message.get("id") in sent:
        stored.append((time.perf_counter() - sent.pop(message["id"])) * 1_000)


if __name__ == "__main__":
    main()
