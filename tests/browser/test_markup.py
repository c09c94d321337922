"""Whatever comes from outside is text; the conversation's Markdown is made safe, and its links leave by the system."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.canary import Canary
from tests.browser.conftest import OpenTab, Serve
from tests.browser.tab import Tab

MARKUP = '<img src=x onerror="globalThis.pwned=1"><b>bold</b><script>globalThis.pwned=1</script>'
HOSTILE_MARKDOWN = """
<img src=x onerror=globalThis.pwned=1> <svg onload=globalThis.pwned=1></svg>
<iframe srcdoc="<script>1</script>"></iframe>

[a](javascript:globalThis.pwned=1) [b](data:text/html,<script>1</script>) [c](JaVa&#x09;script:globalThis.pwned=1)
[d](vbscript:x) [e](file:///etc/passwd) [f](blob:http://127.0.0.1/x "quote\\"onmouseover=alert(1)")

```"><img src=x onerror=globalThis.pwned=1>
code
```

| <img src=x onerror=globalThis.pwned=1> | ![x" onerror="globalThis.pwned=1](x) |
|---|---|
| <style>*{display:none}</style> | <form action=/x><input name=y></form> |

<a href="https://example.org" onclick="globalThis.pwned=1">raw</a>
"""
ALLOWED = {
    *("a", "blockquote", "br", "code", "del", "div", "em", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "li", "ol"),
    *("p", "pre", "s", "strong", "table", "tbody", "td", "th", "thead", "tr", "ul"),
}


def is_untouched(page: Page) -> bool:
    """Whether nothing that was sent has run."""
    return page.evaluate("() => !('pwned' in globalThis)") is True


@pytest.mark.parametrize("speaker", ["agent", "user"])
def test_hostile_markdown_makes_allowed_elements_and_nothing_else(tab: Tab, speaker: str) -> None:
    if speaker == "agent":
        tab.say(HOSTILE_MARKDOWN)
    else:
        tab.composer.fill(HOSTILE_MARKDOWN)
        tab.composer.press("Enter")
    said = tab.timeline.locator(".message .said")
    expect(said).to_contain_text("<img src=x onerror")
    for _ in range(2):
        elements = said.evaluate("said => [...said.querySelectorAll('*')].map(one => one.localName)")
        assert set(elements) <= ALLOWED
        attributes = said.evaluate(
            "said => [...said.querySelectorAll('.prose *')].flatMap(one => [...one.attributes].map(a => a.name))"
        )
        assert set(attributes) <= {"href", "rel", "title", "draggable", "start"}
        addresses = said.evaluate("said => [...said.querySelectorAll('a[href]')].map(one => one.protocol)")
        assert set(addresses) <= {"http:", "https:", "mailto:"}
        assert is_untouched(tab.page)
        tab.page.reload()  # the same again, from history
        tab.wait_until_live()
        expect(said).to_be_visible()


def test_pictures_load_nothing_before_the_user_asks_for_them(tab: Tab, canary: Canary) -> None:
    tab.say(f"![a]({canary.address}/inline?q=SECRET) ![b][c]\n\n[c]: {canary.address}/reference?q=SECRET\n")
    picture = tab.timeline.get_by_role("link", name="Picture: a")
    expect(picture).to_have_attribute("title", f"{canary.address}/inline?q=SECRET")
    expect(tab.timeline.locator("img")).to_have_count(0)
    assert canary.hits == []
    canary.prove()


def test_links_leave_through_the_system_and_the_window_stays(tab: Tab, canary: Canary) -> None:
    tab.say(f"[web]({canary.address}/web) [mail](mailto:a@example.org) [frag](#here) <{canary.address}/auto>")
    page, here = tab.page, tab.page.url
    link = tab.timeline.get_by_role("link", name="web")
    expect(link).to_have_attribute("rel", "noopener noreferrer nofollow")
    with page.context.expect_page() as opening:
        link.click()
    opened = opening.value
    opened.wait_for_load_state()
    assert opened.url == f"{canary.address}/web"
    assert opened.evaluate("() => opener === null")
    assert opened.evaluate("() => document.referrer") == ""
    opened.close()
    with page.context.expect_page() as opening:
        link.click(button="middle")
    opening.value.wait_for_load_state()
    opening.value.close()
    assert canary.hits.count("/web") == 2
    expect(tab.timeline.get_by_text("[frag](#here)")).to_be_visible()
    assert page.url == here


def test_nothing_that_is_dropped_replaces_the_page(tab: Tab) -> None:
    prevented = tab.page.evaluate(
        "() => ['dragover', 'drop'].map(type => !document.body.dispatchEvent("
        "new DragEvent(type, {bubbles: true, cancelable: true, dataTransfer: new DataTransfer()})))"
    )
    assert prevented == [True, True]


@pytest.mark.parametrize("kind", ["notice", "choice", "confirm", "input"])
def test_markup_in_a_question_is_text(tab: Tab, kind: str) -> None:
    requests = {
        "notice": {"title": MARKUP, "message": MARKUP, "acknowledge_label": MARKUP},
        "choice": {
            "title": MARKUP,
            "prompt": MARKUP,
            "mode": "multi-choice",
            "actions": [{"id": MARKUP, "label": MARKUP, "description": MARKUP}],
        },
        "confirm": {"title": MARKUP, "prompt": MARKUP, "approve_label": MARKUP, "cancel_label": MARKUP},
        "input": {
            "title": MARKUP,
            "prompt": MARKUP,
            "fields": [{"id": MARKUP, "label": MARKUP, "type": "text", "placeholder": MARKUP}],
        },
    }
    tab.call(f"interaction.{kind}", requests[kind])
    question = tab.timeline.locator(".question")
    expect(question.get_by_role("heading")).to_have_text(MARKUP)
    expect(question.locator(".question-text")).to_have_text(MARKUP)
    assert question.locator("b, img, script").count() == 0
    question.locator("button.main").click()
    expect(question.or_(tab.timeline.locator(".card.ended")).first).to_contain_text("<b>bold</b>")
    assert tab.timeline.locator("b, img, script").count() == 0
    assert is_untouched(tab.page)


def test_markup_in_names_titles_and_errors_is_text(serve: Serve, open_tab: OpenTab, bundles: Path) -> None:
    tab = open_tab(serve("--agent", "none", "--miniapps", str(bundles)).address())
    tab.app_item("asker").get_by_role("button").first.click()
    expect(tab.app("asker").locator(".surface-title")).to_contain_text("<img src=x onerror=alert(1)> <b>bold</b>")
    tab.frame("asker").locator("#modal").click()
    expect(tab.question("asker").get_by_role("heading")).to_contain_text("<b>bold</b> **stars**")
    tab.call("interaction.confirm", {"title": MARKUP, MARKUP: MARKUP})
    expect(tab.last_call()).to_contain_text("tool_input_invalid")
    tab.open_workbench("Inspector", "Surfaces")
    expect(tab.drawer.locator(".rows")).to_contain_text("<b>bold</b>")
    tab.open_workbench("Inspector", "Audit")
    expect(tab.drawer.locator(".audit li").first).to_be_visible()
    assert tab.page.locator("b, img, script[src='x']").count() == 0
    assert is_untouched(tab.page)
