"""Whiteboard on the stage: drawn in its frame, handed in, looked at by the Agent."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.tab import Tab

BOARD = {"board_id": "house", "title": "A house"}


@pytest.fixture
def board(tab: Tab) -> Tab:
    """A tab with an empty board in front that the Agent waits for."""
    tab.call("whiteboard.open", BOARD)
    tab.expect_in_front("whiteboard")
    expect(tab.frame("whiteboard").get_by_role("heading", name="A house")).to_be_visible()
    return tab


def draw(tab: Tab) -> None:
    """Draw one line with the mouse."""
    box = tab.frame("whiteboard").locator("canvas").bounding_box()
    assert box is not None
    tab.page.mouse.move(box["x"] + 40, box["y"] + 40)
    tab.page.mouse.down()
    for step in range(1, 12):
        tab.page.mouse.move(box["x"] + 40 + 20 * step, box["y"] + 40 + 10 * step)
    tab.page.mouse.up()
    expect(tab.frame("whiteboard").get_by_role("button", name="Undo")).to_have_attribute("aria-disabled", "false")


@pytest.mark.requirement("A9", "R10-whiteboard", "C-nobody-closes-itself")
def test_a_drawing_is_handed_in_and_shown_to_the_agent(board: Tab) -> None:
    draw(board)
    expect(board.page.locator(".app-question")).to_have_count(0)
    board.frame("whiteboard").get_by_role("button", name="Hand in").click()
    call = board.last_call()
    expect(call.locator(".status")).to_have_text("Done")
    expect(call).to_contain_text('"status": "submitted"')
    picture = call.get_by_role("img", name="Handed in")
    expect(picture).to_be_visible()
    assert picture.evaluate("image => image.complete && image.naturalWidth > 0")
    with board.page.expect_download() as saving:
        call.get_by_role("link", name="Save").click()
    saved = saving.value.path().read_bytes()
    assert saved.startswith(b"<svg")
    board.expect_in_front("whiteboard")


@pytest.mark.requirement("A9")
def test_the_agent_takes_a_drawing_and_the_board_stays(board: Tab) -> None:
    draw(board)
    board.call("whiteboard.submit", {"board_id": "house", "request": "The house, please"})
    expect(board.last_call()).to_contain_text('"strokes": 1')
    expect(board.frame("whiteboard").get_by_text("The Agent has taken the drawing: The house, please")).to_be_visible()
    expect(board.task("open").locator(".status")).to_have_text("Running")


@pytest.mark.requirement("R10-whiteboard-denied", "R8-default-deny")
def test_copying_is_denied_and_the_denial_is_shown(board: Tab) -> None:
    draw(board)
    board.frame("whiteboard").get_by_role("button", name="Copy").click()
    expect(board.frame("whiteboard").locator("#status")).to_contain_text("Copying is switched off here")


@pytest.mark.requirement("R6-surfaces-stay", "A11")
def test_a_drawing_survives_a_reload_and_a_crash(board: Tab) -> None:
    draw(board)
    board.page.reload()
    board.wait_until_live()
    board.expect_in_front("whiteboard")
    undo = board.frame("whiteboard").get_by_role("button", name="Undo")
    expect(undo).to_have_attribute("aria-disabled", "true")
    draw(board)
    board.open_workbench("Inspector", "Runtime")
    board.drawer.get_by_role("button", name="Crash the Runtime").click()
    board.wait_until_seen("Reconnecting")
    board.wait_until_live()
    draw(board)
    board.call("whiteboard.submit", {"board_id": "house", "request": "all of it"})
    expect(board.last_call()).to_contain_text('"strokes": 3')


def test_the_theme_that_the_user_chooses_reaches_the_frame(board: Tab) -> None:
    root = board.frame("whiteboard").locator("html")
    board.page.get_by_role("radio", name="Dark").check()
    expect(root).to_have_attribute("data-theme", "dark")
    board.page.get_by_role("radio", name="Light").check()
    expect(root).to_have_attribute("data-theme", "light")
    board.page.get_by_role("radio", name="Like the system").check()
    expect(root).not_to_have_attribute("data-theme", "light")
