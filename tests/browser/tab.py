"""A person in front of the page: what they see, and what they do."""

from __future__ import annotations

import json
import re
from typing import Any

from playwright.sync_api import ConsoleMessage, FrameLocator, Locator, Page, expect

_NOTE_HEADINGS = """
if (window === top) {
  window.headingsSeen = new Set();
  const note = () => document.querySelectorAll("h1, h2").forEach((one) => headingsSeen.add(one.textContent));
  new MutationObserver(note).observe(document, { subtree: true, childList: true, characterData: true });
}
"""
_PATIENCE_MS = 20_000
_LOOK_EVERY_MS = 50


class Tab:
    """One tab of a browser with the Host's page in it. ``errors`` are what no test may leave behind."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.errors: list[str] = []
        self.expected: list[str] = []
        page.add_init_script(_NOTE_HEADINGS)
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.errors.append(f"uncaught: {error}"))

    def open(self, address: str) -> None:
        """Go there and wait until the conversation is live."""
        self.page.goto(address)
        self.wait_until_live()

    def wait_until_live(self) -> None:
        """Wait until the page follows the Runtime."""
        expect(self.page.locator(".page[data-live=true]")).to_be_visible(timeout=20_000)
        expect(self.interact).to_have_attribute("aria-busy", "false")

    def wait_until_seen(self, heading: str) -> None:
        """Wait until the page has shown a heading since it was loaded, for however short a time."""
        for _ in range(_PATIENCE_MS // _LOOK_EVERY_MS):
            if self.page.evaluate("(heading) => headingsSeen.has(heading)", heading):
                return
            self.page.wait_for_timeout(_LOOK_EVERY_MS)
        raise AssertionError(f"never shown: {heading}")

    def expect_error(self, pattern: str) -> None:
        """Say that the console will hold errors of this kind, because the test causes them."""
        self.expected.append(pattern)

    def unexpected(self) -> list[str]:
        """The errors that nobody expected."""
        return [error for error in self.errors if not any(re.search(one, error) for one in self.expected)]

    # -- Interact

    @property
    def interact(self) -> Locator:
        """The conversation."""
        return self.page.locator("section.interact")

    @property
    def composer(self) -> Locator:
        """Where the user writes."""
        return self.interact.get_by_label("Message to the Agent")

    @property
    def timeline(self) -> Locator:
        """What was said and asked."""
        return self.interact.get_by_role("log")

    def write(self, text: str) -> None:
        """Write to the Agent and send it."""
        self.composer.fill(text)
        self.composer.press("Enter")

    def card(self, title: str) -> Locator:
        """An open question of the Agent in the timeline."""
        return self.timeline.locator(".card.open", has=self.page.get_by_role("heading", name=title, exact=True))

    def ended(self, title: str) -> Locator:
        """A question of the Agent that has ended."""
        return self.timeline.locator(".card.ended", has_text=title)

    def task(self, tool: str) -> Locator:
        """The row of a Tool call."""
        return self.timeline.locator(".task", has_text=tool)

    # -- apps

    def app_item(self, scope: str) -> Locator:
        """An app in the switcher."""
        return self.page.locator(f".app-item[data-app={scope}]")

    def app(self, scope: str) -> Locator:
        """An app's container."""
        return self.page.locator(f"section.app[data-app={scope}]")

    def frame(self, scope: str) -> FrameLocator:
        """What is inside an app's frame."""
        return self.app(scope).frame_locator("iframe")

    def question(self, scope: str) -> Locator:
        """The question that an app asks in its container."""
        return self.app(scope).locator(".app-question")

    def expect_in_front(self, scope: str) -> None:
        """Wait until the app is in front."""
        expect(self.app_item(scope)).to_have_attribute("data-front", "true")

    # -- the Agent

    @property
    def drawer(self) -> Locator:
        """The workbench, where it is open."""
        return self.page.locator(".drawer")

    def open_workbench(self, pane: str, tab: str) -> None:
        """Open the Agent console or the inspector at one of its tabs."""
        button = self.page.locator(".rail").get_by_role("button", name=pane)
        if button.get_attribute("aria-expanded") != "true":
            button.click()
        self.drawer.get_by_role("tab", name=re.compile(f"^{tab}")).click()

    def close_workbench(self) -> None:
        """Fold it away."""
        self.drawer.get_by_role("button", name="Fold away").click()

    def say(self, text: str) -> None:
        """Speak as the Agent."""
        self.open_workbench("Agent console", "Talk")
        field = self.drawer.get_by_label("Message from the Agent")
        field.fill(text)
        field.press("Enter")

    def call(self, tool_id: str, tool_input: dict[str, Any]) -> None:
        """Call a Tool as the Agent, with its input as JSON."""
        self.open_workbench("Agent console", "Tools")
        self.drawer.get_by_label("Tool", exact=True).select_option(tool_id)
        self.drawer.get_by_role("button", name="JSON").click()
        self.drawer.get_by_label("Input as JSON").fill(json.dumps(tool_input))
        self.drawer.get_by_role("button", name="Call the Tool").click()

    def last_call(self) -> Locator:
        """The newest call of the Tool that is chosen in the console."""
        return self.drawer.locator(".last-calls .feed-call").first

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.errors.append(f"{message.type}: {message.text}")
