"""A person in front of the window: what they see, and what they do."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.tauri.driver import ENTER, Driver, Element, Session
from tests.tauri.patience import eventually
from tests.tauri.processes import Process, command_of, descendants
from tests.tauri.screen import Screen

LIVE = "//div[@class='page' and @data-live='true'][.//section[contains(@class,'interact')][@aria-busy='false']]"


class Window:
    """The application, started by a driver."""

    def __init__(self, driver: Driver, screen: Screen, application: Path) -> None:
        self.session: Session = driver.begin(application)
        self._screen = screen
        self.application = application
        found = [one for one in descendants(driver.process.pid) if command_of(one).strip() == str(application)]
        assert len(found) == 1, found
        self.process: Process = found[0]

    def wait_until_live(self) -> None:
        """Wait until the page follows the Runtime."""
        self.session.find(LIVE)

    def close(self) -> None:
        """Close it."""
        self._screen.close_window("LineUp")

    def look(self) -> bytes:
        """What is to be seen, once it is painted."""
        painted = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"
        self.session.run_to_end(painted)
        return self._screen.look()

    def picture(self, file: Path) -> None:
        """Save what is to be seen."""
        self.look()
        self._screen.picture(file)

    def tree(self) -> list[Process]:
        """The application and all that it started."""
        return [self.process, *descendants(self.process.pid)]

    def sidecars(self) -> list[Process]:
        """The Runtimes that run now: children of the application that serve its store."""
        return [one for one in descendants(self.process.pid) if one.parent == self.process.pid and _is_sidecar(one)]

    def sidecar(self) -> Process:
        """The one Runtime that runs."""
        return eventually(lambda: self.sidecars()[:1], why="there is no sidecar")[0]

    def web_process(self) -> Process:
        """The process that shows the page."""

        def look() -> list[Process]:
            return [one for one in descendants(self.process.pid) if one.name.startswith("WebKitWebProces")]

        return eventually(look, why="there is no web process")[-1]

    # -- the page

    def button(self, name: str, inside: str = "") -> Element:
        """A button by its name."""
        return self.session.find(f"{inside}//button[normalize-space()='{name}' or @aria-label='{name}']")

    def see(self, text: str, inside: str = "//body") -> Element:
        """Wait until a text is there."""
        return self.session.find(f"{inside}//*[text()[contains(., '{text}')]]")

    def app(self, scope: str) -> str:
        """Where an app's container is, for ``inside``."""
        return f"//section[contains(@class,'app') and @data-app='{scope}']"

    def open_app(self, scope: str) -> None:
        """Choose an app in the switcher and wait until its view is there."""
        self.session.find(f"//li[@data-app='{scope}']/button[contains(@class,'app-open')]").click()
        self.expect_in_front(scope)

    def expect_in_front(self, scope: str) -> None:
        """Wait until an app is in front."""
        self.session.find(f"//li[@data-app='{scope}' and @data-front='true']")

    @contextmanager
    def frame(self, scope: str, phase: str = "connected") -> Iterator[Session]:
        """Look into an app's view, once it has its port."""
        place = f"{self.app(scope)}//div[contains(@class,'frame') and @data-phase='{phase}']"
        self.session.enter(self.session.find(f"{place}//iframe"))
        yield self.session
        self.session.leave()

    # -- the Agent

    def open_workbench(self, pane: str, tab: str) -> None:
        """Open the Agent console or the inspector at one of its tabs."""
        button = self.button(pane, "//*[@class='rail']")
        if button.attribute("aria-expanded") != "true":
            button.click()
        self.session.find(
            f"//*[contains(@class,'drawer')]//*[@role='tab'][starts-with(normalize-space(), '{tab}')]"
        ).click()

    def say(self, text: str) -> None:
        """Speak as the Agent."""
        self.open_workbench("Agent console", "Talk")
        self.session.find("//*[contains(@class,'drawer')]//textarea").write(text).write(ENTER)

    def call(self, tool_id: str, tool_input: dict[str, Any]) -> None:
        """Call a Tool as the Agent, with its input as JSON."""
        self.open_workbench("Agent console", "Tools")
        self.session.find(f"//*[contains(@class,'drawer')]//select/option[.='{tool_id}']").click()
        self.session.find("//*[contains(@class,'tool-modes')]//button[normalize-space()='JSON']").click()
        self.session.find("//textarea[@aria-label='Input as JSON']").clear().write(json.dumps(tool_input))
        self.button("Call the Tool").click()


def _is_sidecar(process: Process) -> bool:
    return "lineup-sidecar" in command_of(process)
