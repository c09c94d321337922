"""The bridge's own requests: their params, their errors, and what they tell."""

from __future__ import annotations

from typing import Any

import pytest

from tests.host_bridge.web.conftest import StartServer, UsePeer
from tests.host_bridge.web.page_program import DOCUMENT_POLICY, HOST, Page, Server

DOCUMENT = {"surface_id": "s", "html": "<p>", "csp": DOCUMENT_POLICY}


@pytest.fixture
async def page(use_peer: UsePeer, start_server: StartServer) -> Page:
    """A page whose sidecar is the tiny peer."""
    use_peer()
    return await (await start_server()).connect()


@pytest.mark.parametrize(
    ("method", "params", "path"),
    [
        ("bridge.status", {"extra": 1}, "extra"),
        ("bridge.serveDocument", {}, "surface_id"),
        ("bridge.serveDocument", {**DOCUMENT, "surface_id": ""}, "surface_id"),
        ("bridge.serveDocument", {**DOCUMENT, "surface_id": "x" * 129}, "surface_id"),
        ("bridge.serveDocument", {**DOCUMENT, "html": 1}, "html"),
        ("bridge.serveDocument", {**DOCUMENT, "html": None}, "html"),
        ("bridge.serveDocument", {**DOCUMENT, "csp": "default-src *"}, "csp"),
        ("bridge.serveDocument", {**DOCUMENT, "path": "/mine"}, "path"),
        ("bridge.forgetDocument", {"surface_id": 1}, "surface_id"),
        ("bridge.play", {"scene": "talk", "peer": {"agent_id": "a"}}, "peer.conversation_id"),
        ("bridge.crashSidecar", {"hard": True}, "hard"),
    ],
)
async def test_params_that_do_not_fit_are_told_by_their_path(
    page: Page, method: str, params: dict[str, Any], path: str
) -> None:
    error = (await page.ask(method, **params))["error"]
    assert error["code"] == -32602
    assert path in [one["path"] for one in error["data"]["errors"]]
    assert "Value error" not in str(error)


async def test_params_that_are_no_object_do_not_fit(page: Page) -> None:
    await page.hear("bridge.sidecar")
    await page.send({"jsonrpc": "2.0", "id": 1, "method": "bridge.status", "params": []})
    assert (await page.receive())["error"]["code"] == -32602


async def test_a_document_too_many_is_refused_with_a_code(page: Page) -> None:
    for n in range(64):
        await page.call("bridge.serveDocument", **{**DOCUMENT, "surface_id": f"{n}"})
    assert await page.refusal("bridge.serveDocument", **DOCUMENT) == (-32000, "limit_exceeded")


async def test_the_status_tells_how_all_stands(server: Server) -> None:
    page = await server.connect()
    pid = server.up.sidecar.pid
    await page.call("bridge.serveDocument", **DOCUMENT)
    assert await page.call("bridge.status") == {
        "sidecar": {"state": "running", "pid": pid, "restarts": 0, "contract_faults": []},
        "pages": {"driving": True, "waiting": 0},
        "documents": 1,
        "playing": None,
        "refused": {"host": 0, "origin": 0, "token": 0, "path": 0, "method": 0},
    }


async def test_what_breaks_the_contract_shows_in_the_status(page: Page) -> None:
    await page.call("initialize", protocol_version="1.0", host=HOST)
    await page.call("peer.noise")
    await page.call("peer.say", notifications=[["no.such", {}]])
    faults = (await page.call("bridge.status"))["sidecar"]["contract_faults"]
    assert len(faults) == 3
    assert "no such notification" in faults[2]
