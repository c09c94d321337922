"""Two languages and three themes: chosen by the system at first, by the user from then on."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Frame, Page, expect

from tests.browser.conftest import OpenTab, Serve
from tests.browser.tab import Tab

SAID = """() => [document.title, document.body.innerText, ...[...document.querySelectorAll("*")].flatMap(
    one => ["aria-label", "title", "placeholder", "aria-valuetext"].map(name => one.getAttribute(name) ?? "")
)].join("\\n")"""


def english_in(shown: Page | Frame, known: str) -> list[str]:
    """The English words that a page says, to the eye or to the ear, but for names that are the same everywhere."""
    said = shown.evaluate(SAID)
    return re.findall(r"[A-Za-z]{3,}", re.sub(known, "", said))


def frame_of(tab: Tab, scope: str) -> Frame:
    """An app's frame, from within."""
    frame = tab.app(scope).locator("iframe").element_handle().content_frame()
    assert frame is not None
    return frame


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
    known = r"LineUp|EN|Markdown|Shift|title-1|prompt-1|label-[12]|JSON|English"
    assert english_in(tab.page, known) == []


@pytest.mark.parametrize("pane", [("Agent console", "Scenes"), ("Inspector", "Calls"), ("Inspector", "Outbox")])
def test_the_workbench_speaks_chinese(serve: Serve, open_tab: OpenTab, pane: tuple[str, str]) -> None:
    tab = open_tab(serve().address())
    tab.open_workbench(*pane)
    tab.page.get_by_role("radio", name="中文").check(force=True)
    assert english_in(tab.page, "LineUp|English|Markdown|Shift") == []


def test_task_dashboard_follows_the_hosts_language(tab: Tab) -> None:
    tab.call("task-dashboard.open", {"task_id": "t", "title": "发布"})
    tab.call("task-dashboard.open", {"task_id": "u", "title": "收回"})
    shown = tab.frame("task-dashboard")
    expect(shown.get_by_role("heading", name="收回")).to_be_visible()
    expect(shown.locator("html")).to_have_attribute("lang", "en")
    expect(shown.get_by_role("button", name="Write a note for 收回")).to_be_visible()
    tab.drawer.get_by_role("button", name="Cancel the call").first.click()
    expect(shown.locator(".ended:visible")).to_have_text("The Agent took the task back.")
    tab.page.get_by_role("radio", name="中文").check(force=True)
    expect(shown.locator("html")).to_have_attribute("lang", "zh-CN")
    expect(shown.locator(".ended:visible")).to_have_text("智能体收回了这个任务。")
    shown.get_by_role("button", name="关闭").click()
    expect(tab.question("task-dashboard")).to_contain_text("“发布”还没有完成，关闭会取消它。")
    expect(shown.get_by_text("有一个问题在等你回答。")).to_be_visible()
    assert english_in(frame_of(tab, "task-dashboard"), "-") == []
    tab.question("task-dashboard").get_by_role("button", name="不关闭", exact=True).click()
    tab.page.get_by_role("radio", name="EN").check(force=True)
    expect(shown.locator("html")).to_have_attribute("lang", "en")
    shown.get_by_role("button", name="Write a note for 发布").click()
    expect(tab.question("task-dashboard")).to_contain_text("What should be noted for “发布”?")


def test_whiteboard_follows_the_hosts_language(tab: Tab) -> None:
    tab.app_item("whiteboard").get_by_role("button").first.click()
    shown = tab.frame("whiteboard")
    expect(shown.get_by_role("heading", name="Whiteboard")).to_be_visible()
    tab.page.get_by_role("radio", name="中文").check(force=True)
    expect(shown.locator("html")).to_have_attribute("lang", "zh-CN")
    expect(shown.get_by_role("heading", name="白板")).to_be_visible()
    shown.get_by_role("button", name="提交").click()
    expect(shown.locator("#status")).to_have_text("现在没有谁在等这块白板。")
    shown.get_by_role("button", name="复制").click()
    expect(shown.locator("#status")).to_contain_text("这里关闭了复制")
    shown.get_by_text("用键盘绘图").click()
    board = shown.get_by_role("application", name="画板")
    for key in ("Space", "ArrowRight", "Space", "e", "Space", "2", "+"):
        board.press(key)
    expect(shown.locator("#live")).to_have_text("粗细 5")
    assert english_in(frame_of(tab, "whiteboard"), r"Shift|Esc|Ctrl") == []
    tab.page.get_by_role("radio", name="EN").check(force=True)
    expect(shown.get_by_role("button", name="Hand in")).to_be_visible()
    expect(shown.get_by_role("radio", name="Red")).to_be_checked()


def test_interact_says_outcomes_and_refusals_in_the_users_language(tab: Tab) -> None:
    for tool, title in (("confirm", "标签"), ("notice", "构建")):
        words = {"message": "好了"} if tool == "notice" else {"prompt": "删除？"}
        tab.call(f"interaction.{tool}", {"title": title, **words})
        tab.card(title).locator("button.main").click()
        expect(tab.ended(title)).to_be_visible()
    tab.interact.get_by_role("button", name="Audio").click()
    expect(tab.interact.locator(".refusal")).to_contain_text("Audio is not part of this version.")
    tab.page.get_by_role("radio", name="中文").check(force=True)
    expect(tab.interact.locator(".refusal")).to_contain_text("这个版本不包含语音。")
    expect(tab.ended("标签").locator(".outcome")).to_have_text("已同意")
    expect(tab.ended("构建").locator(".outcome")).to_have_text("已知悉")


def test_turning_the_language_disturbs_nothing_that_is_typed(tab: Tab) -> None:
    fields = [{"id": "name", "label": "Name", "type": "text"}]
    tab.call("interaction.input", {"title": "Review", "prompt": "How?", "fields": fields})
    tab.card("Review").get_by_label("Name").fill("Ada")
    tab.composer.fill("half a thought")
    tab.page.get_by_role("radio", name="中文").check(force=True)
    expect(tab.timeline.get_by_label("Name")).to_have_value("Ada")
    expect(tab.page.get_by_placeholder("写一条消息")).to_have_value("half a thought")
