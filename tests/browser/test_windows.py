"""One window at a time: addresses that are good once, taking over, and the end of the server."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenTab, Serve


def test_the_token_leaves_the_address_bar_and_the_address_is_good_once(serve: Serve, open_tab: OpenTab) -> None:
    server = serve("--agent", "none")
    address = server.address()
    first = open_tab(address)
    assert "token" not in first.page.url
    assert "#" not in first.page.url
    second = open_tab(address, live=False)
    expect(second.page.get_by_role("heading", name="This address has been used")).to_be_visible()
    assert server.address() != address


@pytest.mark.requirement("A11")
def test_a_second_window_waits_and_takes_over(serve: Serve, open_tab: OpenTab) -> None:
    server = serve("--agent", "none")
    address = server.address()
    first = open_tab(address)
    first.write("said in the first window")
    expect(first.timeline.locator(".message")).to_have_count(1)
    open_tab(address, live=False)  # the used address makes the server print another
    second = open_tab(server.address(), live=False)
    expect(second.page.get_by_role("heading", name="Open in another window")).to_be_visible()
    second.page.get_by_role("button", name="Use it here").click()
    second.wait_until_live()
    expect(second.timeline.get_by_text("said in the first window")).to_be_visible()
    expect(first.page.get_by_role("heading", name="Another window took over")).to_be_visible()
    first.page.get_by_role("button", name="Connect again").click()
    expect(first.page.get_by_role("heading", name="Open in another window")).to_be_visible()
    first.page.get_by_role("button", name="Use it here").click()
    first.wait_until_live()


def test_the_end_of_the_server_is_said(serve: Serve, open_tab: OpenTab) -> None:
    server = serve("--agent", "none")
    tab = open_tab(server.address())
    server.stop()
    expect(tab.page.get_by_role("heading", name="The server has ended")).to_be_visible()
    expect(tab.page.get_by_role("button", name="Connect again")).to_be_visible()


@pytest.mark.requirement("A11", "R6-surfaces-stay", "R6-focus-stays")
def test_a_new_server_on_the_same_store_goes_on_where_the_last_one_was(serve: Serve, open_tab: OpenTab) -> None:
    server = serve("--agent", "none")
    tab = open_tab(server.address())
    tab.write("remember this")
    tab.call("task-dashboard.open", {"task_id": "t", "title": "Ship it"})
    tab.expect_in_front("task-dashboard")
    tab.call("interaction.confirm", {"title": "Tag", "prompt": "Delete it?"})
    expect(tab.card("Tag")).to_be_visible()
    server.stop()
    expect(tab.page.get_by_role("heading", name="The server has ended")).to_be_visible()
    later = open_tab(serve("--agent", "none").address())
    later.expect_in_front("task-dashboard")
    expect(later.frame("task-dashboard").get_by_role("heading", name="Ship it")).to_be_visible()
    expect(later.timeline.get_by_text("remember this")).to_be_visible()
    later.card("Tag").get_by_role("button", name="Agree").click()
    expect(later.ended("Tag").locator(".outcome")).to_have_text("Approved")
