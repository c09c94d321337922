"""The Agent's questions: cards in the timeline, answered, taken back, given up, and kept through reload and crash."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.tab import Tab

ACTIONS = [{"id": "docs", "label": "Docs", "description": "The front page"}, {"id": "mail", "label": "Mail"}]
CHOICE: dict[str, Any] = {"title": "Announce", "prompt": "Where?", "mode": "single-choice", "actions": ACTIONS}
FIELDS = [
    {"id": "name", "label": "Name", "type": "text", "required": True, "min_length": 2},
    {"id": "stars", "label": "Stars", "type": "number", "minimum": 1, "maximum": 5},
    {"id": "words", "label": "In your words", "type": "textarea"},
]
FORM: dict[str, Any] = {"title": "Review", "prompt": "How was it?", "fields": FIELDS}
CONFIRM = {"title": "Tag", "prompt": "Delete the old tag?", "approve_label": "Delete", "cancel_label": "Keep"}


@pytest.mark.requirement("A6", "R5-notice-presented", "C-notice-result")
def test_a_notice_is_done_when_it_is_shown_and_stays_until_it_is_read(tab: Tab) -> None:
    tab.call("interaction.notice", {"title": "Build", "message": "The build is green."})
    expect(tab.last_call()).to_contain_text('"presented": true')
    tab.card("Build").get_by_role("button", name="OK").click()
    expect(tab.ended("Build").locator(".outcome")).to_have_text("Acknowledged")


@pytest.mark.requirement("A6")
@pytest.mark.parametrize(("button", "approved", "echo"), [("Delete", "true", "Delete"), ("Keep", "false", "Keep")])
def test_a_yes_and_a_no_are_answers_and_echoed(tab: Tab, button: str, approved: str, echo: str) -> None:
    tab.call("interaction.confirm", CONFIRM)
    tab.card("Tag").get_by_role("button", name=button, exact=True).click()
    expect(tab.ended("Tag").locator(".outcome")).to_have_text(echo)
    expect(tab.last_call()).to_contain_text(f'"approved": {approved}')


@pytest.mark.requirement("A6")
def test_one_of_several_is_chosen(tab: Tab) -> None:
    tab.call("interaction.choice", CHOICE)
    card = tab.card("Announce")
    card.get_by_role("button", name="Answer", exact=True).click()
    expect(card.get_by_role("alert")).to_have_text("Choose something first.")
    card.get_by_role("radio", name="Docs").check()
    card.get_by_role("radio", name="Mail").check()
    card.get_by_role("button", name="Answer", exact=True).click()
    expect(tab.ended("Announce").locator(".outcome")).to_have_text("Mail")
    expect(tab.last_call().locator(".json").first).to_contain_text('"mail"')


@pytest.mark.requirement("A6")
def test_several_are_chosen_in_the_users_own_order(tab: Tab) -> None:
    tab.call("interaction.choice", {**CHOICE, "mode": "multi-choice"})
    card = tab.card("Announce")
    card.get_by_role("checkbox", name="Mail").check()
    card.get_by_role("checkbox", name="Docs").check()
    card.get_by_role("button", name="Answer", exact=True).click()
    expect(tab.ended("Announce").locator(".outcome")).to_have_text("Mail, Docs")


@pytest.mark.requirement("A6")
def test_buttons_answer_at_once(tab: Tab) -> None:
    tab.call("interaction.choice", {**CHOICE, "mode": "button"})
    tab.card("Announce").get_by_role("button", name="Docs").click()
    expect(tab.ended("Announce").locator(".outcome")).to_have_text("Docs")


@pytest.mark.requirement("A6")
def test_a_form_says_what_to_mend_and_sends_no_empty_values(tab: Tab) -> None:
    tab.call("interaction.input", FORM)
    card = tab.card("Review")
    card.get_by_role("button", name="Submit").click()
    expect(card.get_by_role("alert")).to_have_text("Please fill this in.")
    expect(card.get_by_label("Name")).to_be_focused()
    card.get_by_label("Name").fill("A")
    card.get_by_label("Stars").fill("many")
    card.get_by_role("button", name="Submit").click()
    expect(card.get_by_role("alert")).to_have_text(["At least 2 characters, please.", "This is not a number."])
    card.get_by_label("Name").fill("Ada")
    card.get_by_label("Stars").fill("9")
    card.get_by_role("button", name="Submit").click()
    expect(card.get_by_role("alert")).to_have_text("At most 5, please.")
    card.get_by_label("Stars").fill("")
    card.get_by_role("button", name="Submit").click()
    expect(tab.ended("Review").locator(".outcome")).to_have_text("Name: Ada")
    result = tab.last_call().locator(".json").first
    expect(result).to_contain_text('"name": "Ada"')
    expect(result).not_to_contain_text("stars")
    expect(result).not_to_contain_text("words")


def test_an_enter_of_an_input_method_does_not_submit_a_form(tab: Tab) -> None:
    tab.call("interaction.input", FORM)
    name = tab.card("Review").get_by_label("Name")
    name.fill("ni hao")
    for event in ({"isComposing": True}, {"keyCode": 229}):
        prevented = name.evaluate(
            "(field, event) => !field.dispatchEvent(new KeyboardEvent('keydown',"
            " {key: 'Enter', bubbles: true, cancelable: true, ...event}))",
            event,
        )
        assert prevented
    expect(tab.card("Review")).to_be_visible()
    name.press("Enter")
    expect(tab.ended("Review").locator(".outcome")).to_have_text("Name: ni hao")


@pytest.mark.requirement("A6", "R5-drafts")
def test_a_half_filled_form_survives_a_reload_and_a_crash(tab: Tab) -> None:
    tab.call("interaction.input", FORM)
    tab.card("Review").get_by_label("Name").fill("Ad")
    tab.card("Review").get_by_label("Stars").fill("not yet")
    tab.page.reload()
    tab.wait_until_live()
    expect(tab.card("Review").get_by_label("Name")).to_have_value("Ad")
    expect(tab.card("Review").get_by_label("Stars")).to_have_value("not yet")
    tab.card("Review").get_by_label("Name").fill("Ada")
    tab.open_workbench("Inspector", "Runtime")
    tab.drawer.get_by_role("button", name="Crash the Runtime").click()
    tab.wait_until_seen("Reconnecting")
    tab.wait_until_live()
    expect(tab.card("Review").get_by_label("Name")).to_have_value("Ada")
    tab.card("Review").get_by_label("Stars").fill("4")
    tab.card("Review").get_by_role("button", name="Submit").click()
    expect(tab.ended("Review").locator(".outcome")).to_have_text("Name: Ada\nStars: 4", use_inner_text=True)


@pytest.mark.requirement("P1-2", "R5-dismiss")
def test_the_agent_takes_a_question_back(tab: Tab) -> None:
    tab.call("interaction.confirm", CONFIRM)
    expect(tab.card("Tag")).to_be_visible()
    tab.last_call().get_by_role("button", name="Take the question back").click()
    expect(tab.ended("Tag").locator(".outcome")).to_have_text("Taken back by the Agent")
    expect(tab.last_call().locator(".status")).to_have_text("Cancelled")
    expect(tab.last_call()).to_contain_text("dismissed")
    tab.open_workbench("Agent console", "Talk")
    expect(tab.drawer.locator(".feed-receipt")).to_contain_text("Receipt: dismissed")


def test_the_user_dismisses_a_question_without_an_answer(tab: Tab) -> None:
    tab.call("interaction.confirm", CONFIRM)
    tab.card("Tag").get_by_role("button", name="Dismiss without an answer").click()
    expect(tab.ended("Tag").locator(".outcome")).to_have_text("You dismissed this")
    expect(tab.last_call()).to_contain_text("user_cancelled")


@pytest.mark.requirement("R1-first-ending-wins")
def test_two_clicks_are_one_answer(tab: Tab) -> None:
    tab.call("interaction.confirm", CONFIRM)
    tab.card("Tag").evaluate(
        "card => { for (const button of card.querySelectorAll('.question-acts button')) button.click(); }"
    )
    expect(tab.ended("Tag").locator(".outcome")).to_have_text("Delete")
    expect(tab.last_call()).to_contain_text('"approved": true')


def test_questions_are_counted_where_their_app_is_listed(tab: Tab) -> None:
    for title in ("One", "Two"):
        tab.call("interaction.confirm", {**CONFIRM, "title": title})
    expect(tab.app_item("chat").locator(".badge")).to_contain_text("2 questions wait")
    for title in ("One", "Two"):
        tab.card(title).get_by_role("button", name="Keep").click()
    expect(tab.app_item("chat").locator(".badge")).to_have_count(0)
