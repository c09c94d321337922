"""What a MiniApp of somebody else may ask: over its page, beside it, by the policy; and what is left when it dies."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenTab, Serve
from tests.browser.tab import Tab

ASK = {"capabilities": {"appearance.read": "ask"}}


@pytest.fixture
def asker(serve: Serve, open_tab: OpenTab, bundles: Path, tmp_path: Path) -> Tab:
    """A tab with the asking MiniApp in front; the policy lets the user decide about its capability."""
    policy = tmp_path / "policy.json"
    policy.write_text(json.dumps(ASK))
    server = serve("--agent", "none", "--miniapps", str(bundles), "--policy", str(policy))
    tab = open_tab(server.address())
    tab.app_item("asker").get_by_role("button").first.click()
    expect(tab.frame("asker").locator("#said")).to_have_text("nothing yet")
    return tab


@pytest.mark.requirement("R5-place-miniapps", "R5-app-is-named")
def test_a_question_over_the_page_blocks_that_app_alone(asker: Tab) -> None:
    asker.frame("asker").locator("#modal").click()
    dialog = asker.question("asker").get_by_role("dialog", name="asker asks")
    expect(dialog).to_be_focused()
    expect(asker.app("asker").locator(".frames")).to_have_attribute("inert", "")
    asker.write("the conversation goes on")
    expect(asker.timeline.locator(".message.mine .state")).to_have_text("Sent")
    dialog.get_by_role("button", name="Decline").click()
    expect(asker.frame("asker").locator("#said")).to_contain_text("'approved': False")


@pytest.mark.requirement("R5-place-miniapps")
def test_a_question_beside_the_page_lets_the_app_go_on(asker: Tab) -> None:
    asker.frame("asker").locator("#inline").click()
    card = asker.question("asker")
    expect(card).to_have_attribute("data-mode", "card")
    expect(card).to_contain_text("asker asks")
    asker.frame("asker").locator("#inline").click()
    expect(asker.question("asker")).to_have_count(2)
    for _ in range(2):
        asker.question("asker").first.get_by_role("button", name="Dismiss without an answer").click()
    expect(asker.question("asker")).to_have_count(0)
    expect(asker.frame("asker").locator("#said")).to_contain_text("user_cancelled")


def test_escape_takes_one_layer_at_a_time(asker: Tab) -> None:
    asker.frame("asker").locator("#modal").click()
    question = asker.question("asker").get_by_role("dialog")
    expect(question).to_be_focused()
    asker.app("asker").get_by_role("button", name="Close").click()
    closing = asker.page.get_by_role("dialog", name="Close asker?")
    expect(closing).to_be_visible()
    asker.page.keyboard.press("Escape")
    expect(closing).to_have_count(0)
    expect(question).to_be_visible()
    question.focus()
    asker.page.keyboard.press("Escape")
    expect(question).to_have_count(0)
    expect(asker.app("asker")).to_be_visible()


def test_no_focus_is_lost_when_a_question_goes(asker: Tab) -> None:
    asker.frame("asker").locator("#modal").click()
    asker.question("asker").get_by_role("button", name="Decline").click()
    expect(asker.question("asker")).to_have_count(0)
    expect(asker.frame("asker").locator("#said")).to_contain_text("answered")
    assert asker.page.evaluate("() => document.activeElement !== document.body")


def test_who_writes_elsewhere_is_not_interrupted(asker: Tab) -> None:
    asker.frame("asker").locator("#modal").evaluate("button => setTimeout(() => button.click(), 300)")
    asker.composer.click()
    asker.composer.press_sequentially("still writing", delay=60)
    expect(asker.question("asker")).to_be_visible()
    expect(asker.composer).to_be_focused()
    expect(asker.composer).to_have_value("still writing")


@pytest.mark.requirement("R5-place-policys", "R5-policys-question", "R8-chain")
@pytest.mark.parametrize(
    ("button", "said"), [("Agree", "granted: None {'theme': 'system'"), ("Decline", "denied: user_denied")]
)
def test_the_policys_question_is_the_hosts_own(asker: Tab, button: str, said: str) -> None:
    asker.frame("asker").locator("#capability").click()
    dialog = asker.page.get_by_role("dialog", name="Permission")
    expect(dialog).to_contain_text("asker asks for something that it may not do by itself")
    expect(dialog).to_contain_text("In its words: “<img src=x")
    expect(asker.question("asker")).to_have_count(0)
    dialog.get_by_role("button", name=button).click()
    expect(dialog).to_have_count(0)
    expect(asker.frame("asker").locator("#said")).to_contain_text(said)


def test_escape_does_not_grant_a_permission(asker: Tab) -> None:
    asker.frame("asker").locator("#capability").click()
    expect(asker.page.get_by_role("dialog", name="Permission")).to_be_visible()
    asker.page.keyboard.press("Escape")
    expect(asker.page.get_by_role("dialog")).to_have_count(0)
    expect(asker.frame("asker").locator("#said")).to_contain_text("denied")


@pytest.mark.requirement("R3-close-questions")
def test_closing_an_app_ends_its_questions_and_says_so_first(asker: Tab) -> None:
    asker.frame("asker").locator("#inline").click()
    expect(asker.question("asker")).to_be_visible()
    asker.app("asker").get_by_role("button", name="Close").click()
    dialog = asker.page.get_by_role("dialog", name="Close asker?")
    expect(dialog).to_contain_text("1 question of this app")
    dialog.get_by_role("button", name="Close", exact=True).click()
    asker.expect_in_front("chat")
    expect(asker.page.locator(".app-question")).to_have_count(0)
    expect(asker.page.get_by_text("ended with its app")).to_be_visible()


@pytest.mark.requirement("R6-crashed-for-good", "R6-starts-anew")
def test_an_app_that_dies_for_good_says_so_and_is_started_again(asker: Tab) -> None:
    asker.call("asker.crash", {})
    expect(asker.last_call().locator(".status")).to_have_text("Failed", timeout=30_000)
    expect(asker.last_call()).to_contain_text("app_crashed")
    asker.expect_in_front("chat")
    expect(asker.app_item("asker").locator(".app-state")).to_have_text("Stopped working")
    asker.app_item("asker").get_by_role("button").first.click()
    asker.expect_in_front("asker")
    asker.app("asker").get_by_role("button", name="Open it again").click()
    expect(asker.frame("asker").locator("#said")).to_have_text("nothing yet")
    asker.frame("asker").locator("#modal").click()
    expect(asker.question("asker")).to_be_visible()
