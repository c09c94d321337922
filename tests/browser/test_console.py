"""The Agent's console: Tools by form and as JSON, what becomes of calls, and the scripted scenes."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenTab, Serve
from tests.browser.tab import Tab


@pytest.mark.requirement("A3", "R7-told-once")
def test_the_inventory_is_there_with_a_form_for_each_tool(tab: Tab) -> None:
    tab.open_workbench("Agent console", "Tools")
    tools = tab.drawer.get_by_label("Tool", exact=True)
    expect(tools.locator("option")).to_have_text(
        [
            *("interaction.choice", "interaction.confirm", "interaction.input", "interaction.notice"),
            *("task-dashboard.open", "task-dashboard.update", "whiteboard.open", "whiteboard.submit"),
        ]
    )
    tools.select_option("task-dashboard.open")
    expect(tab.drawer.get_by_label("task_id")).to_be_visible()
    expect(tab.drawer.get_by_label("state").locator("option")).to_have_text(
        ["not given", "pending", "running", "completed", "failed", "cancelled"]
    )


@pytest.mark.requirement("A4")
def test_a_tool_is_called_by_its_form(tab: Tab) -> None:
    tab.open_workbench("Agent console", "Tools")
    tab.drawer.get_by_label("Tool", exact=True).select_option("interaction.choice")
    tab.drawer.get_by_label("title").fill("Announce")
    tab.drawer.get_by_label("prompt").fill("Where?")
    tab.drawer.get_by_label("mode").select_option("button")
    for number, (name, label) in enumerate([("a", "Docs"), ("b", "Mail")]):
        tab.drawer.get_by_role("button", name="Add to actions").click()
        part = tab.drawer.locator(".list-part").nth(number)
        part.get_by_label("id", exact=True).fill(name)
        part.get_by_label("label").fill(label)
    tab.drawer.get_by_role("button", name="JSON").click()
    raw = tab.drawer.get_by_label("Input as JSON")
    expect(raw).to_have_value(re.compile(r'"actions": \[\s*\{\s*"id": "a",\s*"label": "Docs"'))
    tab.drawer.get_by_role("button", name="Form").click()
    tab.drawer.get_by_role("button", name="Call the Tool").click()
    tab.card("Announce").get_by_role("button", name="Mail").click()
    expect(tab.last_call()).to_contain_text('"b"')


def test_an_example_fits_its_tool(tab: Tab) -> None:
    tab.open_workbench("Agent console", "Tools")
    for tool in ("interaction.input", "interaction.choice", "whiteboard.open", "task-dashboard.open"):
        tab.drawer.get_by_label("Tool", exact=True).select_option(tool)
        tab.drawer.get_by_role("button", name="Fill in an example").click()
        tab.drawer.get_by_role("button", name="Call the Tool").click()
        expect(tab.last_call().locator(".status")).to_have_text(re.compile("Running|Waiting|Done"))


@pytest.mark.requirement("A4", "A5", "R2-refused")
def test_a_refused_call_says_why(tab: Tab) -> None:
    tab.call("task-dashboard.open", {"task_id": 7})
    expect(tab.last_call().locator(".status")).to_have_text("Rejected")
    expect(tab.last_call().locator(".call-error")).to_contain_text("tool_input_invalid")
    expect(tab.app("task-dashboard")).to_have_count(0)
    tab.drawer.get_by_label("Input as JSON").fill("[1, 2]")
    tab.drawer.get_by_role("button", name="Call the Tool").click()
    expect(tab.drawer.get_by_role("alert")).to_have_text("The input must be a JSON object.")


@pytest.mark.requirement("R2-agent-cancels", "R2-cancel-receipt")
def test_the_agent_cancels_a_running_call(tab: Tab) -> None:
    tab.call("task-dashboard.open", {"task_id": "t", "title": "Ship it"})
    expect(tab.last_call().locator(".status")).to_have_text("Running")
    tab.last_call().get_by_role("button", name="Cancel the call").click()
    expect(tab.last_call().locator(".status")).to_have_text("Cancelled")
    expect(tab.last_call()).to_contain_text("agent_cancelled")
    expect(tab.task("open").locator(".status")).to_have_text("Cancelled")


@pytest.mark.requirement("A5", "R3-disabled-refuses", "R3-enabled-delivers")
def test_an_app_is_switched_off_and_on(tab: Tab) -> None:
    tab.open_workbench("Inspector", "Runtime")
    tab.drawer.get_by_role("switch", name="Task Dashboard").click()
    expect(tab.app_item("task-dashboard").locator(".app-state")).to_have_text("Switched off")
    tab.open_workbench("Agent console", "Tools")
    options = tab.drawer.get_by_label("Tool", exact=True).locator("option")
    expect(options.filter(has_text="task-dashboard")).to_have_count(0)
    tab.open_workbench("Inspector", "Runtime")
    tab.drawer.get_by_role("switch", name="Task Dashboard").click()
    tab.call("task-dashboard.open", {"task_id": "t", "title": "Ship it"})
    tab.expect_in_front("task-dashboard")


def test_the_console_knows_its_tools_and_calls_after_a_reload(tab: Tab) -> None:
    tab.call("task-dashboard.open", {"task_id": "t", "title": "Ship it"})
    expect(tab.last_call().locator(".status")).to_have_text("Running")
    tab.page.reload()
    tab.wait_until_live()
    tab.call("task-dashboard.update", {"task_id": "t", "state": "completed"})
    expect(tab.last_call().locator(".status")).to_have_text("Done")
    tab.drawer.get_by_label("Tool", exact=True).select_option("task-dashboard.open")
    expect(tab.last_call().locator(".status")).to_have_text("Done")


def test_a_new_window_puts_the_inventory_together_as_the_runtime_tells_it(serve: Serve, open_tab: OpenTab) -> None:
    first = open_tab(serve("--agent", "none").address())
    first.open_workbench("Agent console", "Tools")
    tools = first.drawer.get_by_label("Tool", exact=True).locator("option")
    told = {}
    for tool in tools.all_text_contents():
        first.drawer.get_by_label("Tool", exact=True).select_option(tool)
        told[tool] = first.drawer.locator(".tool-input label").all_text_contents()
    first.page.evaluate("() => sessionStorage.removeItem('lineup.agent')")
    first.page.reload()
    first.wait_until_live()
    first.open_workbench("Agent console", "Tools")
    assert tools.all_text_contents() == list(told)
    for tool, labels in told.items():
        first.drawer.get_by_label("Tool", exact=True).select_option(tool)
        assert first.drawer.locator(".tool-input label").all_text_contents() == labels
    first.call("interaction.confirm", {"title": "Tag", "prompt": "Delete it?"})
    expect(first.card("Tag")).to_be_visible()


def test_scenes_are_played_with_the_person_in_them(serve: Serve, open_tab: OpenTab) -> None:
    tab = open_tab(serve().address())
    tab.open_workbench("Agent console", "Scenes")
    tab.drawer.get_by_role("button", name="Play “A yes or no”").click()
    expect(tab.drawer.get_by_role("button", name="Play “A task”")).to_be_disabled()
    tab.card("Tag").get_by_role("button", name="Delete", exact=True).click()
    expect(tab.drawer.locator(".scene-news")).to_have_attribute("data-state", "ended")
    expect(tab.drawer.locator(".scene-news")).to_contain_text("approved")
    tab.open_workbench("Agent console", "Talk")
    expect(tab.drawer.locator(".feed-call .status")).to_have_text("Done")


def test_a_scene_that_kills_the_runtime_goes_on_after_it(serve: Serve, open_tab: OpenTab) -> None:
    tab = open_tab(serve().address())
    tab.open_workbench("Agent console", "Scenes")
    tab.drawer.get_by_role("button", name="Play “A crash”").click()
    tab.wait_until_seen("Reconnecting")
    tab.wait_until_live()
    expect(tab.drawer.locator(".scene-news")).to_have_attribute("data-state", "ended", timeout=20_000)
    expect(tab.task("open").locator(".status")).to_have_text("Done")


def test_a_scene_is_stopped(serve: Serve, open_tab: OpenTab) -> None:
    tab = open_tab(serve().address())
    tab.open_workbench("Agent console", "Scenes")
    tab.drawer.get_by_role("button", name="Play “Talk”").click()
    expect(tab.timeline.locator(".message.theirs")).to_have_count(1)
    tab.drawer.get_by_role("button", name="Stop").click()
    expect(tab.drawer.locator(".scene-news")).to_have_attribute("data-state", "stopped")
