"""The page for everyone: axe finds no serious fault, keys reach everything, motion and width may be little."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Frame, Page, expect

from tests.browser.conftest import OpenTab, Serve
from tests.browser.served import ROOT
from tests.browser.tab import Tab

AXE = (ROOT / "tauri-host-example" / "node_modules" / "axe-core" / "axe.min.js").read_text()
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"], "iframes": False}
FORM: dict[str, Any] = {
    "title": "Review",
    "prompt": "How was it?",
    "fields": [
        {"id": "name", "label": "Name", "type": "text", "required": True, "placeholder": "Ada"},
        {"id": "words", "label": "In your words", "type": "textarea"},
    ],
}
CHOICE = {
    "title": "Announce",
    "prompt": "Where?",
    "mode": "multi-choice",
    "actions": [{"id": "docs", "label": "Docs", "description": "The front page"}, {"id": "mail", "label": "Mail"}],
}


def find_faults(page: Page | Frame) -> list[str]:
    """What axe finds that is serious, with the elements."""
    page.evaluate(AXE)
    found = page.evaluate("rules => axe.run(document, rules)", RULES)
    serious = [one for one in found["violations"] if one["impact"] in ("serious", "critical", "moderate")]
    return [f"{one['id']}: {one['help']}: {[node['html'][:120] for node in one['nodes']]}" for one in serious]


class Look:
    """A tab in one theme; the test drives it in English, and looks at it in both languages."""

    def __init__(self, tab: Tab) -> None:
        self.tab = tab

    def check(self) -> None:
        """Look at the page in Chinese and in English, in which it stays."""
        for language in ("中文", "EN"):
            self._speak(language)
            assert find_faults(self.tab.page) == []

    def check_view(self, scope: str) -> None:
        """Look at what is inside an app's frame, in Chinese and in English."""
        frame = self.tab.app(scope).locator("iframe").element_handle().content_frame()
        assert frame is not None
        for language, lang in (("中文", "zh-CN"), ("EN", "en")):
            self._speak(language)
            expect(self.tab.frame(scope).locator("html")).to_have_attribute("lang", lang)
            assert find_faults(frame) == []

    def _speak(self, language: str) -> None:
        choice = self.tab.page.get_by_role("radio", name=language)
        choice.check(force=True)
        expect(choice).to_be_checked()


@pytest.fixture(params=["light", "dark"])
def look(request: pytest.FixtureRequest, serve: Serve, open_tab: OpenTab, bundles: Path, tmp_path: Path) -> Look:
    """A tab with scenes to be played, and an app that may ask for a capability."""
    policy = tmp_path / "policy.json"
    policy.write_text('{"capabilities": {"appearance.read": "ask"}}')
    options = ("--miniapps", str(bundles), "--policy", str(policy))
    return Look(open_tab(serve(*options).address(), color_scheme=request.param))


def test_axe_finds_nothing_in_the_conversation(look: Look) -> None:
    look.check()
    look.tab.say("# Hello\n\n[a link](https://example.org), `code`\n\n```\nblock\n```\n\n> quote")
    look.tab.write("Hello **there**")
    look.tab.interact.get_by_role("button", name="Audio").click()
    look.tab.call("interaction.input", FORM)
    look.tab.card("Review").get_by_role("button", name="Submit").click()
    look.tab.call("interaction.choice", CHOICE)
    look.tab.card("Announce").get_by_role("checkbox", name="Mail").check()
    look.tab.call("interaction.confirm", {"title": "Tag", "prompt": "Delete?"})
    look.tab.card("Tag").get_by_role("button", name="Decline").click()
    look.tab.call("interaction.notice", {"title": "Build", "message": "Green."})
    expect(look.tab.ended("Tag")).to_be_visible()
    expect(look.tab.card("Build")).to_be_visible()
    look.check()


def test_axe_finds_nothing_on_the_stage(look: Look) -> None:
    look.tab.call("task-dashboard.open", {"task_id": "t", "title": "Ship it"})
    expect(look.tab.frame("task-dashboard").get_by_role("heading", name="Ship it")).to_be_visible()
    look.check()
    look.check_view("task-dashboard")
    look.tab.frame("task-dashboard").get_by_role("button", name="Write a note").click()
    expect(look.tab.question("task-dashboard")).to_be_visible()
    look.check()
    look.tab.app("task-dashboard").get_by_role("button", name="Close").click()
    expect(look.tab.page.get_by_role("dialog", name="Close Task Dashboard?")).to_be_visible()
    assert find_faults(look.tab.page) == []
    look.tab.page.keyboard.press("Escape")
    look.tab.page.set_viewport_size({"width": 900, "height": 700})
    look.tab.close_workbench()
    look.tab.call("interaction.confirm", {"title": "Tag", "prompt": "Delete?"})
    look.tab.close_workbench()
    expect(look.tab.page.get_by_role("complementary", name="A question of the Agent")).to_be_visible()
    look.check()


def test_axe_finds_nothing_on_the_board(look: Look) -> None:
    look.tab.call("whiteboard.open", {"board_id": "b", "title": "A house"})
    board = look.tab.frame("whiteboard")
    expect(board.get_by_role("heading", name="A house")).to_be_visible()
    board.get_by_text("Drawing with the keyboard").click()
    look.check()
    look.check_view("whiteboard")
    board.get_by_role("radio", name="Text").check(force=True)
    board.locator("canvas").click(position={"x": 60, "y": 90})
    expect(board.get_by_role("textbox", name="Text to write")).to_be_visible()
    look.check_view("whiteboard")


def test_axe_finds_nothing_in_what_an_app_and_the_policy_ask(look: Look) -> None:
    look.tab.app_item("asker").get_by_role("button").first.click()
    look.tab.frame("asker").locator("#inline").click()
    expect(look.tab.question("asker")).to_be_visible()
    look.check()
    look.tab.frame("asker").locator("#capability").click()
    dialog = look.tab.page.get_by_role("dialog", name="Permission")
    expect(dialog).to_be_visible()
    assert find_faults(look.tab.page) == []
    dialog.get_by_role("button", name="Decline").click()
    expect(dialog).to_have_count(0)


def test_axe_finds_nothing_while_the_connection_is_lost_or_held(look: Look) -> None:
    look.tab.page.get_by_role("switch", name="Online").click()
    look.tab.write("Written while offline")
    look.check()
    look.tab.open_workbench("Inspector", "Runtime")
    look.tab.drawer.locator(".crash button").click()
    look.tab.page.locator(".banner[data-busy=true]").wait_for()
    assert find_faults(look.tab.page) == []
    look.tab.wait_until_live()


def test_axe_finds_nothing_in_the_workbench(look: Look) -> None:
    look.tab.call("task-dashboard.open", {"task_id": "t", "title": "Ship it"})
    look.tab.call("interaction.choice", CHOICE)
    for pane, names in {
        "Agent console": ["Talk", "Tools", "Scenes"],
        "Inspector": ["Runtime", "Calls", "Outbox", "Surfaces", "Audit"],
    }.items():
        for name in names:
            look.tab.open_workbench(pane, name)
            look.tab.page.wait_for_timeout(200)
            look.check()


def test_everything_is_reached_by_keyboard_with_a_visible_focus(tab: Tab) -> None:
    tab.call("task-dashboard.open", {"task_id": "t", "title": "Ship it"})
    tab.call("interaction.confirm", {"title": "Tag", "prompt": "Delete the old tag?"})
    expect(tab.card("Tag")).to_be_visible()
    tab.page.evaluate("() => document.activeElement.blur()")
    reached: list[str] = []
    for _ in range(60):
        tab.page.keyboard.press("Tab")
        name, visible = tab.page.evaluate(
            """() => {
                const at = document.activeElement;
                const style = getComputedStyle(at);
                const outlined = style.outlineStyle !== "none" && style.outlineWidth !== "0px";
                const around = at.closest(".composer-box, label") !== null || ["IFRAME", "BODY"].includes(at.tagName);
                return [at.getAttribute("aria-label") || at.title || at.textContent, outlined || around];
            }"""
        )
        assert visible, name
        reached.append(name or "")
    everything = " | ".join(reached)
    for name in ("Skip", "Interact", "Conversation", "Message to the Agent", "Agree", "Agent console", "Inspector"):
        assert name in everything, f"{name} in {everything}"


def test_a_question_is_answered_by_keys_alone(tab: Tab) -> None:
    tab.call("interaction.choice", CHOICE)
    card = tab.card("Announce")
    card.get_by_role("checkbox", name="Docs").focus()
    tab.page.keyboard.press("Space")
    tab.page.keyboard.press("Tab")
    tab.page.keyboard.press("Space")
    tab.page.keyboard.press("Tab")
    tab.page.keyboard.press("Enter")
    expect(tab.ended("Announce").locator(".outcome")).to_have_text("Docs, Mail")


def test_a_whole_visit_goes_by_keys_alone(tab: Tab) -> None:
    press, typed, focused = tab.page.keyboard.press, tab.page.keyboard.type, tab.page.locator(":focus")

    def go_to(name: str, key: str = "Tab") -> None:
        """Press the key until something of that name has the focus, wherever it is."""
        for _ in range(60):
            press(key)
            if name in (focused.get_attribute("aria-label") or focused.inner_text()):
                return
        raise AssertionError(f"{name} is not reached by {key}")

    go_to("Message to the Agent")
    typed("Hello")
    press("Enter")
    expect(tab.timeline.locator(".message.mine .state")).to_have_text("Sent")
    go_to("Whiteboard", "Shift+Tab")
    press("Enter")
    tab.expect_in_front("whiteboard")
    board = tab.frame("whiteboard")
    expect(board.get_by_role("button", name="Undo")).to_be_visible()
    board.locator("canvas").focus()
    for key in ("Space", *["ArrowRight"] * 5, "Space"):
        press(key)
    expect(board.locator("#live")).to_have_text("Pen lifted at 900, 500")
    expect(board.get_by_role("button", name="Undo")).to_have_attribute("aria-disabled", "false")
    press("Control+z")
    expect(board.get_by_role("button", name="Undo")).to_have_attribute("aria-disabled", "true")
    tab.app_item("whiteboard").get_by_role("button").first.focus()
    go_to("Close")
    press("Enter")
    closing = tab.page.get_by_role("dialog", name="Close Whiteboard?")
    expect(closing).to_be_visible()
    press("Escape")
    expect(closing).to_have_count(0)
    expect(focused).to_have_accessible_name("Close Whiteboard")
    press("Enter")
    expect(closing.get_by_role("button", name="Close")).to_be_focused()
    press("Enter")
    expect(tab.app("whiteboard")).to_have_count(0)
    # what had opened the dialog is gone with the app: the main part has the focus, never nobody
    expect(tab.page.get_by_role("main")).to_be_focused()


def test_tabs_are_one_stop_with_arrows_between_them(tab: Tab) -> None:
    tab.open_workbench("Inspector", "Runtime")
    tab.drawer.get_by_role("tab", name="Runtime").focus()
    tab.page.keyboard.press("ArrowRight")
    expect(tab.drawer.get_by_role("tab", name="Calls")).to_be_focused()
    expect(tab.drawer.get_by_role("tab", name="Calls")).to_have_attribute("aria-selected", "true")
    tab.page.keyboard.press("ArrowLeft")
    tab.page.keyboard.press("ArrowLeft")
    expect(tab.drawer.get_by_role("tab", name="Audit")).to_be_focused()


def test_the_skip_button_leads_past_the_switcher(tab: Tab) -> None:
    tab.page.keyboard.press("Tab")
    skip = tab.page.get_by_role("button", name="Skip to the conversation")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    tab.page.keyboard.press("Enter")
    expect(tab.page.get_by_role("main")).to_be_focused()


def test_nothing_moves_for_those_who_want_it_still(tab: Tab) -> None:
    durations = tab.page.evaluate(
        """() => [...document.querySelectorAll("*")].flatMap((one) => {
            const style = getComputedStyle(one);
            return [...style.transitionDuration.split(","), ...style.animationDuration.split(",")].map(parseFloat);
        })"""
    )
    assert max(durations) == 0


@pytest.mark.parametrize("width", [900, 1024, 1280, 1920])
def test_nothing_is_cut_off_at_any_width(tab: Tab, width: int) -> None:
    tab.page.set_viewport_size({"width": width, "height": 700})
    tab.call("task-dashboard.open", {"task_id": "t", "title": "Ship it"})
    tab.expect_in_front("task-dashboard")
    tab.close_workbench()
    overflow = tab.page.evaluate(
        """() => [...document.querySelectorAll(".page *")]
            .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest(".unseen, .skip"))
            .filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
            .map((one) => one.className || one.localName)"""
    )
    assert overflow == []
    assert tab.page.evaluate("() => document.documentElement.scrollWidth") <= width


def test_states_are_announced(tab: Tab) -> None:
    expect(tab.page.locator(".connection-line").first).to_have_attribute("role", "status")
    expect(tab.timeline).to_have_attribute("role", "log")
    expect(tab.page.locator(".notes")).to_have_attribute("aria-live", "polite")
    for landmark in ("main", "nav", "aside", "header.sidebar"):
        expect(tab.page.locator(landmark)).to_have_count(1)
