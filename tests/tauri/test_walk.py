"""Through the three MiniApps, in the window."""

from __future__ import annotations

from pathlib import Path

from tests.tauri.home import Home
from tests.tauri.patience import eventually
from tests.tauri.window import Window

TASK = {"task_id": "release-7", "title": "Ship release 7", "state": "running", "progress": 20}
LINE = [(-60, -40), (-20, 10), (40, -10), (80, 40)]


def test_a_conversation_a_task_and_a_drawing(window: Window, home: Home, pictures: Path) -> None:
    window.say("Hello from the **Agent**: <https://example.org/a?b=c>")
    window.see("Hello from the")
    window.session.find("//section[contains(@class,'interact')]//textarea").write("Hello, Agent\ue007")
    window.see("Hello, Agent", "//section[contains(@class,'interact')]")
    window.call("interaction.confirm", {"title": "Tag", "prompt": "Delete the old tag?"})
    window.picture(pictures / "interact.png")
    window.button("Agree").click()
    window.see("Approved")

    window.call("task-dashboard.open", TASK)
    window.expect_in_front("task-dashboard")
    with window.frame("task-dashboard") as view:
        view.find("//h2[.='Ship release 7']")
    window.call("task-dashboard.update", {"task_id": "release-7", "progress": 80, "note": "two reviews left"})
    with window.frame("task-dashboard") as view:
        view.find("//*[contains(text(), 'two reviews left')]")
    window.picture(pictures / "task-dashboard.png")

    window.call("whiteboard.open", {"board_id": "house", "title": "A house"})
    window.expect_in_front("whiteboard")
    with window.frame("whiteboard") as view:
        view.find("//h1[.='A house']")
        view.drag(view.find("//canvas"), steps=LINE)
        view.find("//button[@id='undo' and @aria-disabled='false']")
        window.picture(pictures / "whiteboard.png")
        view.find("//button[@id='submit']").click()
    window.see("submitted", "//*[contains(@class,'last-calls')]")
    window.session.find("//*[contains(@class,'last-calls')]//img")
    complete = "return document.querySelector('.last-calls img').naturalWidth > 0"
    eventually(lambda: window.session.run(complete), why="the picture of the drawing is not shown")
    window.picture(pictures / "handed-in.png")
    window.session.find("//*[contains(@class,'last-calls')]//a[@download]").click()
    saved = eventually(lambda: list((home.folder).rglob("*.svg")), why="the drawing was not saved")
    eventually(lambda: saved[0].read_bytes().startswith(b"<svg"))
    home.verify()


def test_links_leave_the_window(window: Window, home: Home) -> None:
    window.say("See <https://example.org/a?b=c>")
    window.session.find("//section[contains(@class,'interact')]//a[@href='https://example.org/a?b=c']").click()
    eventually(home.opened)
    assert home.opened() == ["https://example.org/a?b=c"]
    window.wait_until_live()


def test_a_page_that_is_loaded_again_finds_everything_as_it_was(window: Window, home: Home) -> None:
    window.call("task-dashboard.open", TASK)
    window.expect_in_front("task-dashboard")
    before = window.sidecar()
    window.session.reload()
    window.wait_until_live()
    window.expect_in_front("task-dashboard")
    with window.frame("task-dashboard") as view:
        view.find("//h2[.='Ship release 7']")
    assert not before.is_alive()
    assert len(window.sidecars()) == 1
    home.verify()
