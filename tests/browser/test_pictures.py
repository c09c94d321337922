"""An album of what there is to see, in each theme and language, for whoever wants to look: ``build/screenshots``."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenTab, Serve
from tests.browser.tab import Tab

HELLO = """Release 7 is **ready**. Before I publish it:

1. the notes are in [the draft](https://example.org/draft)
2. two reviews are open, see `reviews.md`

| step | state |
|---|---|
| build | done |
| mail | open |

```sh
lineup release --sign
```
"""
FIELDS = [
    {"id": "name", "label": "Name", "type": "text", "required": True},
    {"id": "stars", "label": "Stars", "type": "number", "minimum": 1, "maximum": 5},
    {"id": "words", "label": "In your words", "type": "textarea", "placeholder": "What was good, what was not?"},
]
PLACES = [
    {"id": "docs", "label": "Docs", "description": "The front page, for everyone"},
    {"id": "mail", "label": "Mail"},
    {"id": "blog", "label": "Blog"},
]
HOUSE = [
    {"points": [[300, 500], [700, 200], [1100, 500]], "color": "#c62828", "width": 14},
    {"points": [[380, 500], [380, 820]], "color": "#1c2430", "width": 14},
    {"points": [[380, 820], [1020, 820]], "color": "#1c2430", "width": 14},
    {"points": [[1020, 820], [1020, 500]], "color": "#1c2430", "width": 14},
]


class Album:
    """Takes pictures of a tab in each theme and language."""

    def __init__(self, tab: Tab, folder: Path) -> None:
        self.tab = tab
        self._folder = folder

    def take(self, name: str) -> None:
        """Take the four pictures of what is there; the tab is light and English again afterwards."""
        for theme in ("light", "dark"):
            for language in ("en", "zh"):
                self._look(theme, language)
                self.tab.page.mouse.move(2, 2)
                self.tab.page.wait_for_timeout(200)  # for what follows the last change: scrolling, canvases
                self.snap(f"{name}-{theme}-{language}")
        self._look("light", "en")

    def snap(self, name: str) -> None:
        """Take a picture of the page as it is."""
        path = self._folder / f"{name}.png"
        self.tab.page.screenshot(path=path)
        assert path.stat().st_size > 10_000

    def _look(self, theme: str, language: str) -> None:
        for name, value in (("theme", theme), ("language", language)):
            self.tab.page.locator(f"[name={name}][value={value}]").check(force=True)


@pytest.fixture
def album(serve: Serve, open_tab: OpenTab, pictures: Path) -> Album:
    """A tab to take pictures of."""
    return Album(open_tab(serve().address(), viewport={"width": 1440, "height": 900}), pictures)


def test_the_conversation_is_pictured(album: Album) -> None:
    tab = album.tab
    album.take("conversation-empty")
    tab.say(HELLO)
    tab.write("Thank you! *Announce it* once the reviews are in.")
    tab.call("interaction.confirm", {"title": "Old tag", "prompt": "Delete the tag of release 6?"})
    tab.card("Old tag").get_by_role("button", name="Agree").click()
    tab.call(
        "interaction.choice",
        {"title": "Announce", "prompt": "Where shall I announce it?", "mode": "multi-choice", "actions": PLACES},
    )
    card = tab.card("Announce")
    card.get_by_role("checkbox", name="Blog").check()
    card.get_by_role("checkbox", name="Docs").check()
    album.take("conversation-choice")
    tab.close_workbench()
    album.take("conversation-wide")
    card.get_by_role("button", name="Answer", exact=True).click()
    tab.call("interaction.input", {"title": "Review", "prompt": "How was the release?", "fields": FIELDS})
    tab.close_workbench()
    tab.card("Review").get_by_label("Stars").fill("7")
    tab.card("Review").get_by_role("button", name="Submit").click()
    album.take("conversation-form")
    tab.interact.get_by_role("button", name="Audio").click()
    expect(tab.interact.locator(".refusal")).to_be_visible()
    tab.page.get_by_role("switch", name="Online").click()
    tab.write("Written while offline")
    expect(tab.timeline.locator(".message .state").last).to_have_text("Sending")
    album.take("conversation-offline")


def test_the_stage_is_pictured(album: Album) -> None:
    tab = album.tab
    tab.say("I keep you posted on **release 7** here.")
    tab.call(
        "task-dashboard.open", {"task_id": "release", "title": "Ship release 7", "state": "running", "progress": 45}
    )
    expect(tab.frame("task-dashboard").get_by_role("heading", name="Ship release 7")).to_be_visible()
    album.take("stage-console")
    tab.close_workbench()
    album.take("stage-task")
    tab.frame("task-dashboard").get_by_role("button", name="Write a note").click()
    expect(tab.question("task-dashboard")).to_be_visible()
    album.take("stage-question")
    tab.question("task-dashboard").get_by_role("button", name="Cancel").click()
    tab.app("task-dashboard").get_by_role("button", name="Close").click()
    expect(tab.page.get_by_role("dialog").get_by_role("listitem")).to_have_count(1)
    album.snap("stage-close")
    tab.page.keyboard.press("Escape")
    tab.call("whiteboard.open", {"board_id": "house", "title": "A house", "strokes": HOUSE})
    expect(tab.frame("whiteboard").get_by_role("heading", name="A house")).to_be_visible()
    tab.close_workbench()
    album.take("stage-board")
    tab.call("interaction.confirm", {"title": "Old tag", "prompt": "Delete the tag of release 6?"})
    tab.close_workbench()
    tab.page.set_viewport_size({"width": 900, "height": 700})
    expect(tab.page.locator(".overlay")).to_be_visible()
    album.take("stage-narrow")


def test_the_workbench_is_pictured(album: Album) -> None:
    tab = album.tab
    tab.say("Hello from the console")
    tab.write("Hello back")
    tab.call("whiteboard.open", {"board_id": "house", "title": "A house", "strokes": HOUSE})
    tab.call("whiteboard.submit", {"board_id": "house", "request": "The house, please"})
    expect(tab.last_call().get_by_role("img")).to_be_visible()
    album.take("workbench-artifact")
    tab.drawer.get_by_label("Tool", exact=True).select_option("task-dashboard.open")
    tab.drawer.get_by_role("button", name="Fill in an example").click()
    album.take("workbench-tools")
    for pane, name in [
        ("Agent console", "Talk"),
        ("Agent console", "Scenes"),
        ("Inspector", "Runtime"),
        ("Inspector", "Surfaces"),
        ("Inspector", "Audit"),
    ]:
        tab.open_workbench(pane, name)
        album.take(f"workbench-{name.lower()}")


def test_the_connection_is_pictured(album: Album) -> None:
    tab = album.tab
    tab.write("Remember this")
    expect(tab.timeline.locator(".message .state")).to_have_text("Sent")
    tab.open_workbench("Inspector", "Runtime")
    tab.drawer.locator(".crash button").click()
    tab.page.locator(".banner[data-busy=true]").wait_for()
    album.snap("connection-lost")
    tab.wait_until_live()
    expect(tab.timeline.locator(".message .state")).to_have_count(1)


def test_what_a_strange_app_asks_is_pictured(
    serve: Serve, open_tab: OpenTab, bundles: Path, tmp_path: Path, pictures: Path
) -> None:
    policy = tmp_path / "policy.json"
    policy.write_text('{"capabilities": {"appearance.read": "ask"}}')
    server = serve("--agent", "none", "--miniapps", str(bundles), "--policy", str(policy))
    tab = open_tab(server.address(), viewport={"width": 1440, "height": 900})
    album = Album(tab, pictures)
    tab.app_item("asker").get_by_role("button").first.click()
    tab.frame("asker").locator("#inline").click()
    expect(tab.question("asker")).to_be_visible()
    album.take("app-card")
    for theme in ("light", "dark"):
        tab.page.locator(f"[name=theme][value={theme}]").check(force=True)
        tab.frame("asker").locator("#capability").click()
        dialog = tab.page.get_by_role("dialog", name="Permission")
        expect(dialog).to_be_visible()
        album.snap(f"policy-{theme}")
        dialog.get_by_role("button", name="Decline").click()
        expect(dialog).to_have_count(0)


def test_another_window_is_pictured(serve: Serve, open_tab: OpenTab, pictures: Path) -> None:
    server = serve("--agent", "none")
    address = server.address()
    open_tab(address)
    used = open_tab(address, live=False, viewport={"width": 1440, "height": 900})
    expect(used.page.get_by_role("heading", name="This address has been used")).to_be_visible()
    Album(used, pictures).snap("window-used")
    waits = open_tab(server.address(), live=False, viewport={"width": 1440, "height": 900})
    expect(waits.page.get_by_role("heading", name="Open in another window")).to_be_visible()
    Album(waits, pictures).snap("window-elsewhere")
