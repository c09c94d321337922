"""What a hostile view reaches in WebKit, and what the page itself may ask of Rust."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.browser.canary import Canary
from tests.tauri.driver import Session
from tests.tauri.home import Home
from tests.tauri.patience import eventually
from tests.tauri.window import Window

SAY = "() => 'allowed', (error) => `refused: ${error}`"
INVOKE = f"window.__TAURI_INTERNALS__.invoke(arguments[0], arguments[1]).then({SAY})"
REACHED = {
    "origin": "null",
    **dict.fromkeys(("parent document", "top document", "parent globals", "parent storage"), "SecurityError"),
    "frame element": "null",
    "sandbox attribute": "TypeError",
    "top navigation": "SecurityError",
    **dict.fromkeys(("own storage", "session storage", "databases", "caches", "service worker"), "SecurityError"),
    "cookies": "",
    "tauri": "undefined",
    "webkit": "object",
    "popup": "null",
    "named window": "null",
    "alert": "undefined",
    "confirm": "false",
    **dict.fromkeys(("eval", "new Function"), "EvalError"),
    **dict.fromkeys(("clipboard", "microphone", "location"), "NotAllowedError"),
}
"""What Chromium gives as well, but for two: there are no cookies, and WebKit's handler is in every frame."""
WITHOUT_THE_PING = """
const every = globalThis.attempt;
globalThis.attempt = (act) => (String(act).includes("ping") ? "left out" : every(act));
"""
SOON = "setTimeout(() => { %s }, 200)"
"""Later than the answer to the driver, which would not come from a frame that is gone."""
FORGE = """
const [cmd, payload, key, headers] = arguments;
const message = { cmd, callback: 1, error: 2, payload, options: { headers }, __TAURI_INVOKE_KEY__: key };
window.webkit.messageHandlers.ipc.postMessage(JSON.stringify(message));
"""


@pytest.fixture
def hostile(window: Window) -> Window:
    """A window with the hostile view in front."""
    window.open_app("hostile")
    with window.frame("hostile", "loading") as view:
        view.run_to_end("LineUp.connect().then(() => 'connected')")
    return window


def forge(view: Session, command: str, payload: dict[str, Any], key: str) -> None:
    """Post to Tauri's native handler, which WebKit offers to every frame."""
    view.run(FORGE, command, payload, key, {})


def test_a_view_reaches_nothing_of_the_host(hostile: Window) -> None:
    hostile.session.run("localStorage.setItem('secret', '1')")
    with hostile.frame("hostile") as view:
        reached = view.run_to_end("reachHost()")
        names = ["__TAURI__", "__TAURI_INTERNALS__", "isTauri", "ipc"]
        given = view.run("return arguments[0].map((name) => typeof window[name])", names)
    assert given == ["undefined"] * len(names)
    assert reached == REACHED
    hostile.wait_until_live()


def test_nothing_of_a_view_leaves_by_the_network(hostile: Window, canary: Canary) -> None:
    with hostile.frame("hostile") as view:
        view.run(WITHOUT_THE_PING)  # its link leads to a place on the same page, which to WebKit is another load
        reached = view.run_to_end("reachNetwork(arguments[0])", canary.address)
    assert len(reached) > 40
    assert canary.hits == []
    canary.prove()
    hostile.wait_until_live()


def test_a_ping_does_not_leave(hostile: Window, canary: Canary) -> None:
    click = "Object.assign(document.createElement('a'), { href: '#x', ping: arguments[0] }).click()"
    with hostile.frame("hostile") as view:
        view.run(SOON % f"{click}; window.done = true", f"{canary.address}/ping")
        eventually(lambda: view.run("return window.done === true"), why="the link led away, or nowhere")
    assert canary.hits == []
    canary.prove()


def test_a_view_reaches_none_of_our_schemes(hostile: Window, home: Home) -> None:
    before = hostile.sidecar()
    with hostile.frame("hostile") as view:
        for address in ["ipc://localhost/sidecar_start", "tauri://localhost/index.html", "surface://localhost/"]:
            post = "attempt(() => fetch(arguments[0], { method: 'POST', body: '{}' }))"
            assert view.run_to_end(post, address) == "TypeError", address
    assert hostile.sidecar() == before


@pytest.mark.parametrize("where", ["elsewhere", "the page"])
def test_a_view_that_goes_elsewhere_arrives_nowhere(hostile: Window, canary: Canary, where: str) -> None:
    address = f"{canary.address}/left" if where == "elsewhere" else "tauri://localhost/index.html"
    with hostile.frame("hostile") as view:
        view.run(SOON % "location.assign(arguments[0]); window.done = true", address)
        # WebKit leaves the document where it was; it is still the one that the port was given to.
        eventually(lambda: view.run("return window.done === true"), why="the view went away")
    assert canary.hits == []
    canary.prove()
    hostile.wait_until_live()


def test_a_forged_message_is_refused(hostile: Window, home: Home, canary: Canary) -> None:
    before = hostile.sidecar()
    with hostile.frame("hostile") as view:
        forge(view, "open_outside", {"address": f"{canary.address}/forged"}, "guessed")
        eventually(lambda: "but received guessed" in home.said(), why="it was never delivered")
        # The key is in no frame. Should it ever leak, the word of the browser that the page asks is missing still.
        key = re.search(r"__TAURI_INVOKE_KEY__ expected (\S+) but", home.said())
        assert key is not None
        forge(view, "open_outside", {"address": f"{canary.address}/forged"}, key.group(1))
        forge(view, "sidecar_start", {"events": "__CHANNEL__:3"}, key.group(1))
        forge(view, "plugin:webview|create_webview_window", {"options": {"label": "x"}}, key.group(1))
    hostile.say("still here")
    hostile.see("still here")
    assert home.opened() == []
    assert canary.hits == []
    assert hostile.sidecar() == before


def test_the_page_may_do_what_the_capability_names_and_no_more(window: Window, home: Home) -> None:
    refused: dict[str, dict[str, Any]] = {
        "plugin:window|close": {"label": "main"},
        "plugin:event|emit": {"event": "x", "payload": None},
        "plugin:path|resolve_directory": {"directory": 1},
        "plugin:webview|create_webview_window": {"options": {"label": "x"}},
        "plugin:shell|execute": {"program": "sh", "args": []},
        "open_outside": {"address": "file:///etc/passwd"},
        "sidecar_send": {"run": "guessed", "text": "{}\n"},
        "surface_serve": {"surface_id": "x", "html": "", "csp": "default-src *"},
    }
    for command, given in refused.items():
        assert window.session.run_to_end(INVOKE, command, given).startswith("refused: "), command
    assert window.session.run("return typeof window.__TAURI__") == "undefined"
    assert home.opened() == []


def test_the_page_has_a_policy_of_its_own(window: Window, canary: Canary) -> None:
    script = """
    window.broken = [];
    addEventListener("securitypolicyviolation", (event) => window.broken.push(event.effectiveDirective));
    document.body.append(Object.assign(document.createElement("script"), { textContent: "window.ran = true" }));
    document.body.append(Object.assign(document.createElement("iframe"), { src: arguments[0] }));
    fetch(arguments[0]).catch(() => {});
    return window.ran === undefined;
    """
    assert window.session.run(script, canary.address)
    broken = eventually(lambda: window.session.run("return window.broken.length > 2 ? window.broken : null"))
    assert sorted(broken) == ["connect-src", "frame-src", "script-src-elem"]
    assert canary.hits == []
    canary.prove()
