"""Task Dashboard on the stage: from its Tool call to its end, its questions in its own container."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.tab import Tab

TASK = {"task_id": "release-7", "title": "Ship release 7", "state": "running", "progress": 20}


@pytest.fixture
def tasks(tab: Tab) -> Tab:
    """A tab with Task Dashboard in front and one task in it."""
    tab.call("task-dashboard.open", TASK)
    tab.expect_in_front("task-dashboard")
    expect(tab.frame("task-dashboard").get_by_role("heading", name="Ship release 7")).to_be_visible()
    return tab


@pytest.mark.requirement("A8", "R10-dashboard")
def test_a_task_comes_to_the_front_reports_progress_and_ends(tasks: Tab) -> None:
    expect(tasks.last_call().locator("progress")).to_have_attribute("value", "20")
    expect(tasks.task("open").locator(".status")).to_have_text("Running")
    tasks.call("task-dashboard.update", {"task_id": "release-7", "progress": 80, "note": "two reviews left"})
    expect(tasks.last_call().locator(".status")).to_have_text("Done")
    expect(tasks.frame("task-dashboard").get_by_text("two reviews left", exact=True)).to_be_visible()
    expect(tasks.frame("task-dashboard").locator("progress")).to_have_attribute("value", "80")
    tasks.call("task-dashboard.update", {"task_id": "release-7", "state": "completed"})
    expect(tasks.task("open").locator(".status")).to_have_text("Done")
    tasks.expect_in_front("task-dashboard")


@pytest.mark.requirement("A7", "A8", "R5-place-miniapps", "R5-app-is-named", "R10-dashboard-note")
def test_the_app_asks_in_its_own_container_under_its_name(tasks: Tab) -> None:
    tasks.frame("task-dashboard").get_by_role("button", name="Write a note").click()
    question = tasks.question("task-dashboard")
    expect(question.get_by_role("dialog", name="Task Dashboard asks")).to_be_focused()
    expect(question).to_contain_text("Ship release 7")
    expect(tasks.app("task-dashboard").locator(".frames")).to_have_attribute("inert", "")
    question.get_by_role("textbox", name="Note").fill("the person says hello")
    question.get_by_role("button", name="Save note").click()
    expect(question).to_have_count(0)
    expect(tasks.frame("task-dashboard").get_by_text("the person says hello", exact=True)).to_be_visible()
    tasks.call("task-dashboard.update", {"task_id": "release-7"})
    expect(tasks.last_call()).to_contain_text("the person says hello")


@pytest.mark.requirement("R5-place-deferred", "R5-focus-stays")
def test_a_question_of_an_app_waits_until_the_app_is_in_front(tasks: Tab) -> None:
    tasks.frame("task-dashboard").get_by_role("button", name="Write a note").click()
    expect(tasks.question("task-dashboard")).to_be_visible()
    tasks.question("task-dashboard").get_by_role("textbox", name="Note").fill("half of it")
    tasks.app("task-dashboard").get_by_role("button", name="Send back").click()
    tasks.expect_in_front("chat")
    expect(tasks.page.locator(".app-question")).to_have_count(0)
    expect(tasks.app_item("task-dashboard").locator(".badge")).to_contain_text("1 question waits")
    tasks.app_item("task-dashboard").get_by_role("button", name="Task Dashboard").first.click()
    expect(tasks.question("task-dashboard").get_by_role("textbox", name="Note")).to_have_value("half of it")


@pytest.mark.requirement("A8", "R10-dashboard-closes", "R3-close-focus")
def test_the_apps_own_close_asks_first_and_then_gives_the_conversation_back(tasks: Tab) -> None:
    tasks.frame("task-dashboard").get_by_role("button", name="Close").click()
    question = tasks.question("task-dashboard")
    expect(question).to_contain_text("Close Task Dashboard?")
    question.get_by_role("button", name="Cancel and close").click()
    tasks.expect_in_front("chat")
    expect(tasks.app("task-dashboard")).to_have_count(0)
    expect(tasks.last_call()).to_contain_text('"status": "cancelled"')


@pytest.mark.requirement("P1-1", "R3-close-calls", "C-close-accepted")
def test_closing_says_what_it_cancels_and_the_agent_is_told(tasks: Tab) -> None:
    tasks.app("task-dashboard").get_by_role("button", name="Close").click()
    dialog = tasks.page.get_by_role("dialog", name="Close Task Dashboard?")
    expect(dialog.get_by_role("listitem")).to_contain_text("task-dashboard.open")
    dialog.get_by_role("button", name="Keep it open").click()
    expect(dialog).to_have_count(0)
    expect(tasks.app("task-dashboard").get_by_role("button", name="Close")).to_be_focused()
    tasks.app("task-dashboard").get_by_role("button", name="Close").click()
    dialog.get_by_role("button", name="Close", exact=True).click()
    tasks.expect_in_front("chat")
    expect(tasks.last_call().locator(".status")).to_have_text("Cancelled")
    expect(tasks.last_call()).to_contain_text("app_closed")
    expect(tasks.task("open").locator(".status")).to_have_text("Cancelled")


@pytest.mark.requirement("R5-main-im", "R5-place-agents")
def test_the_agents_question_is_not_the_apps_though_it_is_in_front(tasks: Tab) -> None:
    tasks.page.set_viewport_size({"width": 1440, "height": 900})
    tasks.call("interaction.confirm", {"title": "Tag", "prompt": "Delete the old tag?"})
    expect(tasks.page.get_by_role("complementary", name="A question of the Agent")).to_contain_text("The Agent asks")
    tasks.close_workbench()
    expect(tasks.page.get_by_role("complementary", name="A question of the Agent")).to_have_count(0)
    expect(tasks.card("Tag")).to_be_visible()
    tasks.expect_in_front("task-dashboard")
    tasks.card("Tag").get_by_role("button", name="Agree").click()
    expect(tasks.ended("Tag").locator(".outcome")).to_have_text("Approved")
    tasks.expect_in_front("task-dashboard")


def test_an_app_that_is_behind_keeps_its_frame_as_it_was(tasks: Tab) -> None:
    view = tasks.page.frames[-1]
    view.evaluate("() => { globalThis.mark = 'still here'; }")
    tasks.app_item("chat").get_by_role("button", name="Interact").first.click()
    tasks.expect_in_front("chat")
    tasks.app_item("whiteboard").get_by_role("button").first.click()
    tasks.expect_in_front("whiteboard")
    tasks.app_item("task-dashboard").get_by_role("button", name="Task Dashboard").first.click()
    tasks.expect_in_front("task-dashboard")
    assert view.evaluate("() => globalThis.mark") == "still here"


@pytest.mark.requirement("R3-interact-stays", "R3-raise", "R3-stack-holds-all")
def test_the_switcher_shows_the_focus_stack_and_interact_cannot_be_closed(tasks: Tab) -> None:
    tasks.app_item("whiteboard").get_by_role("button").first.click()
    tasks.expect_in_front("whiteboard")
    order = tasks.page.locator(".switcher ul").first.locator(".app-item")
    expect(order.locator(".app-name")).to_have_text(["Whiteboard", "Task Dashboard", "Interact"])
    expect(order.locator(".app-state")).to_have_text(["In front", "Behind", "Behind"])
    tasks.app_item("chat").hover()
    expect(tasks.app_item("chat").get_by_role("button", name="Close")).to_have_count(0)
    tasks.app_item("task-dashboard").hover()
    tasks.app_item("task-dashboard").get_by_role("button", name="Close Task Dashboard").click()
    tasks.page.get_by_role("dialog").get_by_role("button", name="Close", exact=True).click()
    expect(order.locator(".app-name")).to_have_text(["Whiteboard", "Interact"])
    tasks.expect_in_front("whiteboard")
