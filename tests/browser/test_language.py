"""Two languages and three themes: chosen by the system at first, by the user from then on."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenTab, Serve
from tests.browser.tab import Tab


def test_the_systems_language_and_theme_are_the_first(serve: Serve, open_tab: OpenTab) -> None:
    tab = open_tab(serve("--agent", "none").address(), locale="zh-CN", color_scheme="dark")
    expect(tab.page.locator("html")).to_have_attribute("lang", "zh-CN")
    expect(tab.page.get_by_placeholder("写一条消息")).to_be_visible()
    assert tab.page.evaluate("() => getComputedStyle(document.body).backgroundColor") == "rgb(18, 22, 28)"


def test_the_users_choice_stays(tab: Tab) -> None:
    tab.page.get_by_role("radio", name="中文").check(force=True)
    tab.page.get_by_role("radio", name="深色").check(force=True)
    expect(tab.page.locator("html")).to_have_attribute("data-theme", "dark")
    tab.page.reload()
    tab.wait_until_live()
    expect(tab.page.get_by_role("radio", name="中文")).to_be_checked()
    expect(tab.page.locator("html")).to_have_attribute("data-theme", "dark")
    assert tab.page.evaluate("() => getComputedStyle(document.body).backgroundColor") == "rgb(18, 22, 28)"


@pytest.mark.parametrize("tool", ["interaction.confirm", "interaction.choice", "interaction.input"])
def test_no_english_of_the_hosts_own_is_left_in_chinese(tab: Tab, tool: str) -> None:
    tab.open_workbench("Agent console", "Tools")
    tab.drawer.get_by_label("Tool", exact=True).select_option(tool)
    tab.drawer.get_by_role("button", name="Fill in an example").click()
    tab.drawer.get_by_role("button", name="Call the Tool").click()
    expect(tab.timeline.locator(".question")).to_be_visible()
    tab.write("你好")
    expect(tab.timeline.locator(".message .state")).to_have_text("Sent")
    tab.close_workbench()
    tab.page.get_by_role("radio", name="中文").check(force=True)
    text = tab.page.locator("#app").inner_text()
    known = r"LineUp|EN|Markdown|Shift|title-1|prompt-1|label-[12]|JSON"
    assert re.findall(r"[A-Za-z]{3,}", re.sub(known, "", text)) == []
    labels = tab.page.evaluate(
        "() => [...document.querySelectorAll('[aria-label], [title], [placeholder]')]"
        ".flatMap(one => ['aria-label', 'title', 'placeholder'].map(name => one.getAttribute(name) ?? '')).join(' ')"
    )
    assert re.findall(r"[A-Za-z]{3,}", re.sub(known + "|English", "", labels)) == []


def test_turning_the_language_disturbs_nothing_that_is_typed(tab: Tab) -> None:
    fields = [{"id": "name", "label": "Name", "type": "text"}]
    tab.call("interaction.input", {"title": "Review", "prompt": "How?", "fields": fields})
    tab.card("Review").get_by_label("Name").fill("Ada")
    tab.composer.fill("half a thought")
    tab.page.get_by_role("radio", name="中文").check(force=True)
    expect(tab.timeline.get_by_label("Name")).to_have_value("Ada")
    expect(tab.page.get_by_placeholder("写一条消息")).to_have_value("half a thought")
