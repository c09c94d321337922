"""Frames, read and sorted: what passes, what the bridge answers itself, and batches."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.host_bridge.web.conftest import StartServer, UsePeer
from tests.host_bridge.web.page_program import Page, Server


@pytest.fixture
async def page(use_peer: UsePeer, start_server: StartServer) -> Page:
    """A page whose sidecar is the tiny peer, past its greeting."""
    use_peer()
    page = await (await start_server()).connect()
    await page.hear("bridge.sidecar")
    return page


def request(message_id: Any, method: str = "some.echo", **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": message_id, "method": method, "params": params}


def result(message_id: Any, value: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": message_id, "result": value}


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ("", -32700),
        ("{", -32700),
        ('{"a": NaN}', -32700),
        ('{"a": 1, "a": 2}', -32700),
        ('"\\ud800"', -32700),
        ("[" * 65 + "]" * 65, -32700),
        ("\ufeff{}", -32700),
        ("1", -32600),
        ("{}", -32600),
        ("[]", -32600),
        (json.dumps([1] * 1001), -32600),
        ('{"jsonrpc": "2.0", "method": 1}', -32600),
        ('{"jsonrpc": "1.0", "method": "ping"}', -32600),
        ('{"jsonrpc": "2.0", "method": "ping", "params": 1}', -32600),
        ('{"jsonrpc": "2.0", "method": "ping", "id": true}', -32600),
        ('{"jsonrpc": "2.0", "method": "ping", "id": {}}', -32600),
    ],
)
async def test_what_is_no_request_is_answered_at_once_and_the_next_one_is_carried(
    page: Page, frame: str, code: int
) -> None:
    await page.send(frame)
    answer = await page.receive()
    assert (answer["id"], answer["error"]["code"]) == (None, code)
    assert await page.call("some.echo", next=True) == {"next": True}


async def test_what_is_no_request_but_has_an_id_is_answered_under_it(page: Page) -> None:
    await page.send({"jsonrpc": "2.0", "id": "mine"})
    assert (await page.receive())["id"] == "mine"


async def test_the_bridge_judges_frames_as_the_runtime_does(server: Server) -> None:
    page = await server.connect()
    await page.hear("bridge.sidecar")
    for bad in ({"jsonrpc": "2.0", "id": 1, "method": "no.such"}, request(2, "ping", extra=1)):
        await page.send(bad)
        answer = await page.receive()
        assert (answer["id"], answer["error"]["code"]) == (bad["id"], -32601 if bad["id"] == 1 else -32602)


async def test_line_breaks_between_and_within_values_are_no_new_messages(page: Page) -> None:
    await page.send(json.dumps(request(1, text="a\nb\u2028c\r"), indent=2))
    assert await page.receive() == result(1, {"text": "a\nb\u2028c\r"})


async def test_a_notification_reaches_the_sidecar_and_is_not_answered(page: Page) -> None:
    await page.send({"jsonrpc": "2.0", "method": "some.notification", "params": {"n": 1}})
    assert await page.call("peer.heard", method="some.notification") == [["some.notification", {"n": 1}]]


async def test_answers_and_notifications_to_the_bridge_settle_nothing(page: Page) -> None:
    await page.send({"jsonrpc": "2.0", "id": 1, "result": {}})
    await page.send({"jsonrpc": "2.0", "method": "bridge.status", "params": {}})
    await page.send({"jsonrpc": "2.0", "method": "bridge.nonsense", "params": {}})
    assert await page.call("some.echo", next=True) == {"next": True}


async def test_nothing_of_the_bridge_s_own_namespace_reaches_the_sidecar(page: Page) -> None:
    for name in ("bridge.", "bridge.nonsense", "bridge.status.x"):
        assert await page.refusal(name) == (-32601, None)
        assert await page.call("peer.heard", method=name) == []


async def test_a_batch_is_one_message_to_the_sidecar_and_one_to_the_page(page: Page) -> None:
    batch = [
        request("a", n=1),
        {"jsonrpc": "2.0", "method": "some.notification", "params": {}},
        7,
        request(None, n=2),
        request("own", "bridge.scenes"),
        {"jsonrpc": "2.0", "id": 9, "result": {}},
        request("b", "peer.refuse"),
    ]
    await page.send(batch)
    answers = await page.receive()
    assert len(answers) == 5
    assert result("a", {"n": 1}) in answers
    assert result(None, {"n": 2}) in answers
    by_id = {one["id"]: one for one in answers if one["id"]}
    assert by_id["b"]["error"] == {"code": 1000, "message": "no", "data": {"code": "lifecycle_denied"}}
    assert by_id["own"]["result"]["playing"] is None
    assert -32600 in [one.get("error", {}).get("code") for one in answers]


async def test_a_batch_of_notifications_is_not_answered(page: Page) -> None:
    await page.send([{"jsonrpc": "2.0", "method": "some.notification", "params": {}}] * 3)
    assert len(await page.call("peer.heard", method="some.notification")) == 3


async def test_a_message_that_grows_over_the_limit_in_ascii_is_refused_under_its_id(page: Page) -> None:
    await page.send(json.dumps(request("big", text="é" * 2_000_000), ensure_ascii=False))
    answer = await page.receive()
    assert (answer["id"], answer["error"]["code"]) == ("big", -32600)
    assert "send less at once" in answer["error"]["message"]
    await page.send(json.dumps([request("one", text="é" * 2_000_000), request("two")], ensure_ascii=False))
    assert {one["id"]: one["error"]["code"] for one in await page.receive()} == {"one": -32600, "two": -32600}
    assert await page.call("some.echo", next=True) == {"next": True}


async def test_numbers_and_texts_arrive_as_they_were_sent(page: Page) -> None:
    values = [0, -1, 2**53 - 1, 10**30, 0.1, 1e300, -0.0, "", "é", "😀", "\u0000", None, True, {"": []}]
    assert await page.call("some.echo", values=values) == {"values": values}


@pytest.mark.parametrize("message_id", [0, "", None, -1, 1.5, "0", "x" * 300, 2**53 + 1], ids=repr)
async def test_any_id_is_an_id_whoever_answers(page: Page, message_id: Any) -> None:
    for method, code in (("some.echo", None), ("bridge.status", None), ("bridge.no", -32601), ("peer.refuse", 1000)):
        await page.send(request(message_id, method))
        answer = await page.receive()
        assert (answer["id"], type(answer["id"])) == (message_id, type(message_id))
        assert answer.get("error", {}).get("code") == code
