"""The inspector: what goes on beneath."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.tab import Tab

CONFIRM = {"title": "Tag", "prompt": "Delete the old tag?"}


def test_the_runtime_tells_how_it_is(tab: Tab) -> None:
    tab.open_workbench("Inspector", "Runtime")
    facts = tab.drawer.locator(".facts")
    expect(facts.first).to_contain_text(re.compile(r"lineup-runtime \d+\.\d+\.\d+"))
    expect(facts.first).to_contain_text(re.compile(r"inv_[0-9a-f]{16}"))
    expect(facts.nth(1)).to_contain_text("Workers1")


def test_open_calls_are_listed_until_they_end(tab: Tab) -> None:
    tab.call("interaction.confirm", CONFIRM)
    tab.open_workbench("Inspector", "Calls")
    expect(tab.drawer.locator(".rows li")).to_contain_text("interaction.confirm")
    expect(tab.drawer.get_by_role("tab", name="Calls")).to_contain_text("1")
    tab.card("Tag").get_by_role("button", name="Agree").click()
    expect(tab.drawer.get_by_text("No call is open.")).to_be_visible()


def test_held_rows_come_again_after_a_crash(tab: Tab) -> None:
    tab.open_workbench("Inspector", "Outbox")
    hold = tab.drawer.get_by_role("switch", name="Hold what comes")
    hold.click()
    tab.write("hold me")
    rows = tab.drawer.locator(".rows li")
    expect(rows).to_have_count(1)
    row = rows.locator("summary").inner_text()
    tab.open_workbench("Inspector", "Runtime")
    tab.drawer.get_by_role("button", name="Crash the Runtime").click()
    tab.wait_until_live()
    tab.open_workbench("Inspector", "Outbox")
    expect(rows.locator("summary")).to_have_text(row)
    hold.click()
    expect(rows).to_have_count(0)
    expect(tab.timeline.locator(".message.mine .state")).to_have_text("Sent")
    tab.open_workbench("Agent console", "Talk")
    expect(tab.drawer.locator(".feed-heard")).to_have_count(1)


def test_the_audit_is_read_from_the_newest_back(tab: Tab) -> None:
    for number in range(12):
        tab.write(f"message {number}")
    expect(tab.timeline.locator(".message.mine .state").last).to_have_text("Sent")
    tab.open_workbench("Inspector", "Audit")
    numbers = tab.drawer.locator(".audit-seq")
    expect(numbers.first).to_be_visible()

    def read() -> list[int]:
        return [int(text) for text in numbers.all_text_contents()]

    newest = read()
    assert newest == sorted(newest, reverse=True)
    assert len(newest) >= 50
    while (older := tab.drawer.get_by_role("button", name="Read older entries")).count():
        before = len(read())
        older.click()
        expect(numbers.nth(before)).to_be_visible()
    assert read() == list(range(newest[0], 0, -1))
    tab.write("one more")
    expect(tab.timeline.locator(".message.mine")).to_have_count(13)
    tab.drawer.get_by_role("button", name="Read what is new").click()
    expect(numbers.first).not_to_have_text(str(newest[0]))
    latest = read()
    assert latest == list(range(latest[0], 0, -1))


def test_a_refusal_stands_in_the_audit_with_its_code(tab: Tab) -> None:
    tab.call("task-dashboard.update", {"task_id": "nobody"})
    expect(tab.last_call().locator(".status")).to_have_text("Rejected")
    tab.open_workbench("Inspector", "Audit")
    refused = tab.drawer.locator(".audit li[data-decision=refused]")
    expect(refused.first).to_contain_text("app_instance_not_found")


def test_surfaces_are_listed_with_their_revision(tab: Tab) -> None:
    tab.call("task-dashboard.open", {"task_id": "t", "title": "Ship it"})
    expect(tab.frame("task-dashboard").get_by_role("heading", name="Ship it")).to_be_visible()
    tab.open_workbench("Inspector", "Surfaces")
    rows = tab.drawer.locator(".rows li")
    expect(rows).to_have_count(2)
    expect(rows.nth(0)).to_contain_text("trusted-dom")
    expect(rows.nth(1)).to_contain_text("sandboxed-iframe")
    expect(rows.nth(1)).to_contain_text("Refused messages0")
