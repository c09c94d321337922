"""Interact: what is said on either side, and how it is shown."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.tab import Tab


@pytest.mark.requirement("A13", "R10-timeline")
def test_the_agents_markdown_is_shown_as_such(tab: Tab) -> None:
    tab.say("# Release 7\n\nIt is **out**:\n\n- built\n- signed\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n`code`")
    message = tab.timeline.locator(".message.theirs")
    expect(message.get_by_role("heading", name="Release 7")).to_be_visible()
    expect(message.locator("strong")).to_have_text("out")
    expect(message.get_by_role("listitem")).to_have_text(["built", "signed"])
    expect(message.get_by_role("cell")).to_have_text(["1", "2"])
    expect(message.locator("code")).to_have_text("code")


@pytest.mark.requirement("R10-echo", "A13")
def test_a_message_is_sending_until_the_agents_side_has_it(tab: Tab) -> None:
    tab.open_workbench("Inspector", "Outbox")
    hold = tab.drawer.get_by_role("switch", name="Hold what comes")
    hold.click()
    tab.write("Hello **there**")
    message = tab.timeline.locator(".message.mine")
    expect(message.locator("strong")).to_have_text("there")
    expect(message.locator(".state")).to_have_text("Sending")
    expect(tab.drawer.locator(".rows li")).to_have_count(1)
    hold.click()
    expect(message.locator(".state")).to_have_text("Sent")
    expect(tab.drawer.locator(".rows li")).to_have_count(0)


def test_offline_messages_wait_and_go_out_in_order(tab: Tab) -> None:
    online = tab.page.get_by_role("switch", name="Online")
    online.click()
    expect(tab.page.get_by_text("Everything waits")).to_be_visible()
    for text in ("first", "second"):
        tab.write(text)
    states = tab.timeline.locator(".message.mine .state")
    expect(states).to_have_text(["Sending", "Sending"])
    tab.page.get_by_role("switch", name="Offline").click()
    expect(states).to_have_text(["Sent", "Sent"])
    tab.open_workbench("Agent console", "Talk")
    expect(tab.drawer.locator(".feed-heard .feed-text")).to_have_text(["first", "second"])


def test_only_a_plain_enter_sends(tab: Tab) -> None:
    tab.composer.fill("nihao")
    for event in ({"isComposing": True}, {"keyCode": 229}):
        tab.composer.dispatch_event("keydown", {"key": "Enter", "bubbles": True, "cancelable": True, **event})
    tab.composer.press("Shift+Enter")
    tab.composer.press_sequentially("second line")
    expect(tab.composer).to_have_value("nihao\nsecond line")
    expect(tab.timeline.locator(".message")).to_have_count(0)
    tab.composer.press("Enter")
    expect(tab.timeline.locator(".message")).to_have_count(1)
    expect(tab.composer).to_have_value("")


def test_an_empty_message_is_not_sent(tab: Tab) -> None:
    tab.write("   \n ")
    expect(tab.interact.get_by_role("button", name="Send")).to_be_disabled()
    expect(tab.timeline.locator(".message")).to_have_count(0)


def test_what_is_too_long_stays_in_the_field(tab: Tab) -> None:
    tab.write("x" * 32_001)
    expect(tab.interact.get_by_role("alert")).to_contain_text("32000")
    assert len(tab.composer.input_value()) == 32_001


def test_a_text_that_could_not_be_handed_over_is_put_back_before_what_was_typed_since(tab: Tab) -> None:
    tab.page.evaluate(
        """() => {
            const send = WebSocket.prototype.send;
            WebSocket.prototype.send = function (text) {
                if (!text.includes("send_text")) return send.call(this, text);
                WebSocket.prototype.send = send;
                setTimeout(() => send.call(this, text.replace('"send_text"', '""')), 300);
            };
        }"""
    )
    tab.write("This fails")
    tab.composer.press_sequentially("and this came later")
    expect(tab.composer).to_have_value("This fails\nand this came later")
    expect(tab.interact.get_by_role("alert")).to_contain_text("Not sent.")
    tab.page.reload()
    tab.wait_until_live()
    expect(tab.composer).to_have_value("This fails\nand this came later")
    tab.composer.press("Enter")
    expect(tab.timeline.locator(".message .state")).to_have_text(["Sent"])
    expect(tab.composer).to_have_value("")
    tab.page.reload()
    tab.wait_until_live()
    expect(tab.composer).to_have_value("")
    expect(tab.timeline.locator(".message")).to_have_count(1)


def test_what_was_typed_survives_a_reload(tab: Tab) -> None:
    tab.composer.fill("half a thought")
    tab.page.reload()
    tab.wait_until_live()
    expect(tab.composer).to_have_value("half a thought")
    tab.composer.press("Enter")
    expect(tab.timeline.locator(".message.mine .said")).to_have_text("half a thought")
    tab.page.reload()
    tab.wait_until_live()
    expect(tab.composer).to_have_value("")


@pytest.mark.requirement("R10-modes")
@pytest.mark.parametrize("mode", ["Audio", "Video"])
def test_audio_and_video_are_refused_with_the_reason(tab: Tab, mode: str) -> None:
    tab.interact.get_by_role("button", name=mode).click()
    refusal = tab.interact.locator(".refusal")
    expect(refusal).to_contain_text(f"{mode} is not part of this version.")
    expect(tab.interact.get_by_role("button", name="Chat")).to_have_attribute("aria-pressed", "true")
    refusal.get_by_role("button").click()
    expect(refusal).to_have_count(0)


def test_the_timeline_follows_the_newest_until_the_reader_looks_back(tab: Tab) -> None:
    for number in range(30):
        tab.write(f"line {number}\n\nand more\n\nof it")
    newest = tab.timeline.get_by_text("line 29")
    expect(newest).to_be_in_viewport()
    tab.timeline.evaluate("log => { log.scrollTop = 0; }")
    expect(tab.timeline.get_by_text("line 0", exact=False).first).to_be_in_viewport()
    tab.write("something new")
    expect(newest).not_to_be_in_viewport()
    tab.interact.get_by_role("button", name="To the newest").click()
    expect(tab.timeline.get_by_text("something new")).to_be_in_viewport()
