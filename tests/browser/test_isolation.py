"""A hostile view in its frame, on the Host's own page: what it reaches, which is nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Frame, expect

from tests.browser.canary import Canary
from tests.browser.conftest import OpenTab, Serve
from tests.browser.tab import Tab

# Chromium says on the console what it keeps a frame from doing.
BLOCKED = (
    r"Content Security Policy|sandbox|Permissions policy|blocked|Blocked|Not allowed|ERR_|preloaded|MIME type|Unsafe"
)


class Intruder:
    """The hostile MiniApp in front, and its frame from within."""

    def __init__(self, tab: Tab) -> None:
        self.tab = tab
        tab.expect_error(BLOCKED)
        tab.app_item("hostile").get_by_role("button").first.click()
        expect(tab.frame("hostile").locator("#page")).to_have_text("hostile")
        self.frame = self.find("hostile")

    def find(self, scope: str) -> Frame:
        """The frame of an app, from within."""
        element = self.tab.app(scope).locator("iframe").element_handle()
        frame = element.content_frame()
        assert frame is not None
        return frame

    def run(self, script: str, argument: Any = None) -> Any:
        """Run something as the view. What DevTools runs at once may use eval, so that this is begun by a timer."""
        begin = f"argument => {{ globalThis.ran = new Promise(done => setTimeout(() => done(({script})(argument)))); }}"
        self.frame.evaluate(begin, argument)
        return self.frame.evaluate("() => ran")


@pytest.fixture
def intruder(serve: Serve, open_tab: OpenTab, bundles: Path) -> Intruder:
    """A tab with the hostile MiniApp in front."""
    return Intruder(open_tab(serve("--agent", "none", "--miniapps", str(bundles)).address()))


@pytest.mark.requirement("A9-browser", "C-sandboxed", "R8-nothing-handed-out")
def test_a_view_reaches_nothing_of_the_host(intruder: Intruder) -> None:
    intruder.tab.page.evaluate("() => { document.cookie = 'secret=1'; localStorage.setItem('secret', '1'); }")
    before = intruder.tab.page.url
    reached = intruder.run("() => reachHost()")
    assert reached == {
        "origin": "null",
        **dict.fromkeys(("parent document", "top document", "parent globals", "parent storage"), "SecurityError"),
        "frame element": "null",
        "sandbox attribute": "TypeError",
        **dict.fromkeys(("cookies", "own storage", "session storage", "databases", "caches"), "SecurityError"),
        "service worker": "SecurityError",
        "tauri": "undefined",
        "webkit": "undefined",
        "popup": "null",
        "named window": "null",
        "alert": "undefined",
        "confirm": "false",
        "eval": "EvalError",
        "new Function": "EvalError",
        **dict.fromkeys(("clipboard", "location"), "NotAllowedError"),
        "microphone": reached["microphone"],
        "top navigation": "SecurityError",
    }
    assert reached["microphone"] in ("NotAllowedError", "NotFoundError")  # there need not be one
    assert intruder.tab.page.url == before
    frame = intruder.tab.app("hostile").locator("iframe")
    expect(frame).to_have_attribute("sandbox", "allow-scripts")
    expect(frame).to_have_attribute("referrerpolicy", "no-referrer")
    assert frame.get_attribute("srcdoc") is None
    assert len(intruder.tab.page.context.pages) == 1


@pytest.mark.requirement("A9-browser", "R8-nothing-handed-out")
def test_nothing_of_a_view_leaves_by_the_network(intruder: Intruder, canary: Canary) -> None:
    intruder.run("address => reachNetwork(address)", canary.address)
    intruder.tab.page.wait_for_timeout(1_000)
    assert canary.hits == []
    canary.prove()


GOES_AWAY = ["assign", "replace", "link", "download", "refresh"]


@pytest.mark.requirement("A9-browser")
@pytest.mark.parametrize("way", [*GOES_AWAY, "frame", "named frame"])
def test_a_view_that_goes_elsewhere_sends_nothing_there_and_is_taken_away(
    intruder: Intruder, canary: Canary, way: str
) -> None:
    intruder.frame.evaluate("([way, address]) => { setTimeout(() => navigate[way](address)); }", [way, canary.address])
    hostile = intruder.tab.app("hostile")
    if way in GOES_AWAY:
        expect(hostile.locator(".frame")).to_have_attribute("data-phase", "failed")
        expect(hostile.locator("iframe")).to_have_count(0)
        expect(hostile.get_by_role("status")).to_contain_text("could not be shown")
    else:
        intruder.tab.page.wait_for_timeout(500)
    # Chromium opens a connection before it asks the policy; no request comes over it.
    assert set(canary.hits) <= {"connected"}
    canary.prove()


@pytest.mark.requirement("A9-browser")
def test_a_view_that_was_taken_away_is_opened_again(intruder: Intruder, canary: Canary) -> None:
    intruder.frame.evaluate("() => { setTimeout(() => location.reload()); }")
    hostile = intruder.tab.app("hostile")
    expect(hostile.locator(".frame")).to_have_attribute("data-phase", "failed")
    hostile.get_by_role("button", name="Open it again").click()
    expect(intruder.tab.frame("hostile").locator("#page")).to_have_text("hostile")
    canary.prove()


@pytest.mark.requirement("A9-browser")
def test_no_peer_connection_is_to_be_had(intruder: Intruder, canary: Canary) -> None:
    port = canary.port
    assert intruder.run("port => reachPeers(globalThis.RTCPeerConnection, port)", port) == "undefined"
    assert intruder.run("() => attempt(freshPeerConnection)") in ("SecurityError", "undefined")
    assert intruder.run("port => reachPeers(early.RTCPeerConnection, port)", port) == "undefined"
    assert canary.hits == []
    canary.prove()


@pytest.mark.requirement("A1", "A9-browser")
def test_a_view_cannot_speak_for_another_nor_to_it(intruder: Intruder) -> None:
    tab = intruder.tab
    tab.call("task-dashboard.open", {"task_id": "t", "title": "Ship it", "progress": 10})
    expect(tab.frame("task-dashboard").get_by_role("heading", name="Ship it")).to_be_visible()
    tasks = intruder.find("task-dashboard")
    tasks.evaluate("() => { globalThis.heard = []; addEventListener('message', ({data}) => heard.push(data)); }")
    other = tab.app("task-dashboard").locator(".frame").get_attribute("data-surface")
    own = tab.app("hostile").locator(".frame").get_attribute("data-surface")
    forged = intruder.run(
        """async other => {
            for (let index = 0; index < parent.frames.length; index += 1) {
                const { port2 } = new MessageChannel();
                parent.frames[index].postMessage({ lineup: "port", surface_id: other }, "*", [port2]);
                parent.frames[index].postMessage({ event: "patched", revision: 99, patch: { forged: true } }, "*");
            }
            parent.postMessage({ lineup: "ready", surface_id: other }, "*");
            parent.postMessage({ jsonrpc: "2.0", id: 1, method: "renderer.submit", params: {} }, "*");
            const { port1, port2 } = new MessageChannel();
            parent.postMessage({ lineup: "ready" }, "*", [port2]);
            port1.postMessage({ id: 1, method: "sdk.surfaces.get", params: {} });
            const view = await LineUp.connect();
            const update = view.update.bind(view);
            return attempt(() => update({ own: true }));
        }""",
        other,
    )
    assert forged == "undefined"
    messages = tasks.evaluate("() => heard")
    assert {"event": "patched", "revision": 99, "patch": {"forged": True}} in messages  # delivered, and of no use
    tab.call("task-dashboard.update", {"task_id": "t", "progress": 55})
    expect(tab.frame("task-dashboard").locator(".percent")).to_have_text("55 %")
    assert "forged" not in tasks.evaluate("async () => Object.keys((await LineUp.connect()).state)")
    assert "own" not in tasks.evaluate("async () => Object.keys((await LineUp.connect()).state)")
    tab.open_workbench("Inspector", "Surfaces")
    assert own != other
    row = tab.drawer.locator(".rows li").filter(has_text="hostile")
    expect(row).to_contain_text("ready_again")
    expect(row).to_contain_text("malformed")


@pytest.mark.requirement("A1", "R6-tokens-void")
def test_a_view_names_no_other_surface_and_no_method_beyond_its_own(intruder: Intruder) -> None:
    tab = intruder.tab
    tab.call("whiteboard.open", {"board_id": "b", "title": "Board"})
    tab.expect_in_front("whiteboard")
    other = tab.app("whiteboard").locator(".frame").get_attribute("data-surface")
    codes = intruder.run(
        """async other => {
            await LineUp.connect();
            const port = globalThis.ownPort;
            const ask = (method, params) => new Promise((done) => {
                const id = `own-${Math.random()}`;
                port.addEventListener("message", ({ data }) => data.id === id && done(data.error?.code ?? "done"));
                port.postMessage({ id, method, params });
            });
            return [
                await ask("sdk.surfaces.update", { surface_id: other, patch: { mine: true } }),
                await ask("sdk.surfaces.update", { context_token: "x", patch: { mine: true } }),
                await ask("renderer.submit", { interaction_id: "x", result: { approved: true } }),
                await ask("sdk.tools.complete", { call_id: "x", result: {} }),
                await ask("sdk.surfaces.get", {}),
            ];
        }""",
        other,
    )
    assert codes == [-32602, -32602, 1000, 1000, "done"]
    board = intruder.find("whiteboard")
    assert "mine" not in board.evaluate("async () => Object.keys((await LineUp.connect()).state)")


@pytest.mark.requirement("A1", "R6-tokens-void")
def test_a_port_that_is_handed_on_dies_with_its_surface(intruder: Intruder) -> None:
    tab = intruder.tab
    tab.call("task-dashboard.open", {"task_id": "t", "title": "Ship it"})
    expect(tab.frame("task-dashboard").get_by_role("heading", name="Ship it")).to_be_visible()
    accomplice = intruder.find("task-dashboard")
    accomplice.evaluate(
        """() => addEventListener("message", ({ ports: [port] }) => {
            globalThis.answers = [];
            globalThis.taken = port;
            port.onmessage = ({ data }) => answers.push(data.error?.message ?? "done");
            port.postMessage({ id: "first", method: "sdk.surfaces.get", params: {} });
        })"""
    )
    intruder.run(
        """async () => {
            await LineUp.connect();
            const others = Array.from({ length: parent.frames.length }, (_, n) => parent.frames[n]);
            others.find((one) => one !== self).postMessage("take it", "*", [ownPort]);
        }"""
    )
    for _ in range(100):
        if accomplice.evaluate("() => globalThis.answers?.length") == 1:
            break
        tab.page.wait_for_timeout(50)
    tab.app_item("hostile").hover()
    tab.app_item("hostile").get_by_role("button", name="Close hostile").click()
    tab.page.get_by_role("dialog").get_by_role("button", name="Close", exact=True).click()
    expect(tab.app("hostile")).to_have_count(0)
    accomplice.evaluate("() => taken.postMessage({ id: 'late', method: 'sdk.surfaces.get', params: {} })")
    tab.call("task-dashboard.update", {"task_id": "t", "progress": 30})
    expect(tab.frame("task-dashboard").locator(".percent")).to_have_text("30 %")
    assert accomplice.evaluate("() => answers") == ["done"]


@pytest.mark.requirement("R8-nothing-handed-out")
def test_the_page_itself_holds_no_token_in_sight(intruder: Intruder) -> None:
    tab = intruder.tab
    kept = tab.page.evaluate(
        "() => [location.href, JSON.stringify(localStorage), document.cookie, document.body.innerHTML]"
    )
    assert all("token=" not in text and "context_token" not in text for text in kept)
    inside = intruder.run("() => [location.href, document.referrer, document.documentElement.outerHTML].join()")
    assert "token=" not in inside


def test_a_view_that_loops_or_floods_does_not_stop_the_host(intruder: Intruder) -> None:
    intruder.frame.evaluate("() => { setTimeout(() => { const end = Date.now() + 3000; while (Date.now() < end); }); }")
    intruder.tab.write("the Host goes on")
    expect(intruder.tab.timeline.locator(".message.mine .state")).to_have_text("Sent", timeout=2_000)
    flood = "() => { setTimeout(() => { for (let n = 0; n < 5000; n += 1) parent.postMessage({lineup: 0}, '*'); }); }"
    intruder.frame.evaluate(flood)
    expect(intruder.tab.app("hostile").locator(".frame")).to_have_attribute("data-phase", "failed")
    intruder.tab.write("still")
    expect(intruder.tab.timeline.locator(".message.mine .state")).to_have_text(["Sent", "Sent"])
