"""Frames, JSON and JSON-RPC of a real process (PROTOCOL 1)."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from host_bridge.client import Sidecar
from host_bridge.errors import RpcError
from rpc_schema.limits import MAX_BATCH, MAX_ERRORS, MAX_MESSAGE_BYTES
from tests.scenarios.stage import Stage

requirement = pytest.mark.requirement


@pytest.fixture
async def wire(shared: Sidecar) -> AsyncIterator[Sidecar]:
    """The file's sidecar, which answers as before at the end."""
    yield shared
    assert await shared.call("ping") == {}


async def answer_to(wire: Sidecar, line: bytes) -> Any:
    """What one line is answered with."""
    await wire.send_raw(line + b"\n")
    return await wire.next_stray()


def request(request_id: Any = 1, method: str = "ping", **more: Any) -> dict[str, Any]:
    """A request."""
    return {"jsonrpc": "2.0", "id": request_id, "method": method, **more}


def deep(depth: int) -> str:
    """A ping whose params nest so that the whole message is that deep."""
    return json.dumps(request())[:-1] + ', "params": {"x": ' + "[" * (depth - 2) + "]" * (depth - 2) + "}}"


# -- text and frames


@requirement("R1-shape-first")
@pytest.mark.parametrize(
    "line",
    [
        b"{",
        b"nonsense",
        b'{"jsonrpc":"2.0","id":1,"method":"ping"} trailing',
        b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":NaN}}',
        b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":-Infinity}}',
        b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":1e999}}',
        b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":1,"a":1}}',
        b'{"jsonrpc":"2.0","id":1,"id":1,"method":"ping"}',
        b'{"jsonrpc":"2.0","id":"\\ud800","method":"ping"}',
        b'{"jsonrpc":"2.0","id":"\xff","method":"ping"}',
        b'\xef\xbb\xbf{"jsonrpc":"2.0","id":1,"method":"ping"}',
        b"{'jsonrpc':'2.0','id':1,'method':'ping'}",
        b"[" * 5_000,
        deep(65).encode(),
        b'{"jsonrpc":"2.0","id":1,"method":"ping",}',
        b"\x00",
    ],
    ids=lambda line: repr(line[:60]),
)
async def test_broken_text_is_a_parse_error(wire: Sidecar, line: bytes) -> None:
    answer = await answer_to(wire, line)
    assert (answer["jsonrpc"], answer["id"], answer["error"]["code"]) == ("2.0", None, -32700)


async def test_64_levels_are_read(wire: Sidecar) -> None:
    answer = await answer_to(wire, deep(64).encode())
    assert (answer["id"], answer["error"]["code"]) == (1, -32602)


@requirement("R1-shape-first")
@pytest.mark.parametrize(
    ("message", "request_id"),
    [
        ({}, None),
        ([], None),
        (1, None),
        ("ping", None),
        (None, None),
        ({"id": 7, "method": "ping"}, 7),
        ({"jsonrpc": "1.0", "id": 7, "method": "ping"}, 7),
        ({"jsonrpc": 2.0, "id": 7, "method": "ping"}, 7),
        ({"jsonrpc": "2.0", "id": 7, "method": 7}, 7),
        ({"jsonrpc": "2.0", "id": 7, "method": "ping", "params": "x"}, 7),
        ({"jsonrpc": "2.0", "id": 7, "method": "ping", "params": None}, 7),
        ({"jsonrpc": "2.0", "id": True, "method": "ping"}, None),
        ({"jsonrpc": "2.0", "id": {}, "method": "ping"}, None),
        ({"jsonrpc": "2.0", "id": [1], "method": "ping"}, None),
    ],
    ids=str,
)
async def test_what_is_no_request_is_invalid(wire: Sidecar, message: Any, request_id: Any) -> None:
    answer = await answer_to(wire, json.dumps(message).encode())
    assert (answer["id"], answer["error"]["code"]) == (request_id, -32600)


@pytest.mark.parametrize("given", [0, -5, 2**53 + 1, 1.5, "", "1", "01", "汉字", "\u2028", "x" * 300, None], ids=repr)
async def test_an_id_comes_back_as_it_came(wire: Sidecar, given: Any) -> None:
    answer = await answer_to(wire, json.dumps(request(given), ensure_ascii=False).encode())
    assert answer == {"jsonrpc": "2.0", "id": given, "result": {}}
    assert type(answer["id"]) is type(given)
    failed = await answer_to(wire, json.dumps(request(given, "no.such")).encode())
    assert (failed["id"], failed["error"]["code"]) == (given, -32601)


async def test_a_notification_is_never_answered(wire: Sidecar) -> None:
    for message in ({"method": "ping"}, {"method": "no.such"}, {"method": "workspace.open", "params": {"wrong": 1}}):
        await wire.send_raw(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
    await wire.send_raw(b'{"jsonrpc":"2.0","id":3,"result":{}}\n{"jsonrpc":"2.0","id":4,"error":{"code":1}}\n')
    assert (await answer_to(wire, json.dumps(request("last")).encode()))["id"] == "last"


async def test_lines_end_in_either_way_and_empty_ones_are_nothing(wire: Sidecar) -> None:
    line = json.dumps(request("crlf")).encode()
    await wire.send_raw(b"\r\n\n  \n\t\r\n" + line + b"\r\n")
    assert (await wire.next_stray())["id"] == "crlf"


async def test_bytes_may_come_one_by_one_and_lines_all_at_once(stage: Stage) -> None:
    text = "汉字 😀 \u2028 \u2029 \u0085 \x0b"
    params = {
        "peer": stage.agent.peer,
        "envelope": {"type": "lineup.v1.message", "message_id": "m", "payload": {"text": text}},
    }
    line = json.dumps(request("slow", "transport.deliver", params=params), ensure_ascii=False).encode() + b"\n"
    for byte in line:
        await stage.sidecar.send_raw(bytes([byte]))
    assert (await stage.sidecar.next_stray())["result"]["status"] == "accepted"
    [message] = await (await stage.mount("chat")).messages()
    assert message["payload"]["text"] == text
    await stage.sidecar.send_raw(b"".join(json.dumps(request(f"{n}")).encode() + b"\n" for n in range(500)))
    assert [(await stage.sidecar.next_stray())["id"] for _ in range(500)] == [f"{n}" for n in range(500)]


async def test_a_line_may_have_8_mib_and_one_over_it_is_skipped(wire: Sidecar) -> None:
    frame = json.dumps(request("big", params={"x": ""})).encode()
    full = frame.replace(b'""', b'"' + b"x" * (MAX_MESSAGE_BYTES - len(frame)) + b'"')
    assert len(full) == MAX_MESSAGE_BYTES
    assert (await answer_to(wire, full))["id"] == "big"
    answer = await answer_to(wire, full.replace(b"xx", b"xxx", 1))
    assert (answer["id"], answer["error"]["code"]) == (None, -32600)


# -- methods and params


@requirement("R1-shape-first")
@pytest.mark.parametrize(
    ("method", "params", "code"),
    [
        ("no.such", {"x": 1}, -32601),
        ("__init__", {}, -32601),
        ("sdk.tools", {}, -32601),
        ("PING", {}, -32601),
        ("ping", {"x": 1}, -32602),
        ("ping", [1], -32602),
        ("workspace.open", {"conversation_id": "c"}, -32602),
        ("workspace.open", {"conversation_id": "", "agent_id": "a"}, -32602),
        ("workspace.open", {"conversation_id": "c" * 129, "agent_id": "a"}, -32602),
        ("workspace.open", {"conversation_id": 1, "agent_id": "a"}, -32602),
        ("workspace.open", {"conversation_id": "c", "agent_id": None}, -32602),
        ("workspace.open", ["c", "a"], -32602),
        ("transport.setOnline", {"online": 1}, -32602),
        ("transport.setOnline", {"online": "true"}, -32602),
        ("audit.list", {"limit": True}, -32602),
        ("audit.list", {"limit": 501}, -32602),
        ("audit.list", {"limit": 1.5}, -32602),
        ("audit.list", {"conversation_id": None}, -32602),
        ("transport.deliver", {"peer": {"agent_id": "a", "conversation_id": "c"}, "envelope": []}, -32602),
        ("transport.ack", {"outbox_ids": "x"}, -32602),
        ("initialize", {"protocol_version": "2.0", "host": {"name": "h", "version": "1.0.0"}}, -32602),
        ("initialize", {"protocol_version": "1.0", "host": {"name": "h", "version": "one"}}, -32602),
        ("sdk.tools.get", {"call_id": "c"}, -32602),
        ("sdk.tools.get", {"call_id": "c", "context_token": 1}, -32602),
    ],
)
async def test_methods_and_params_are_judged_before_all_else(
    wire: Sidecar, method: str, params: Any, code: int
) -> None:
    with pytest.raises(RpcError) as caught:
        await wire.request(method, params)
    assert caught.value.code == code
    if code == -32602:
        assert caught.value.data["errors"]
        assert all(set(one) == {"path", "message"} for one in caught.value.data["errors"])


async def test_errors_are_bounded_and_repeat_nothing_that_was_sent(wire: Sidecar) -> None:
    secret = "s3cret-value"
    params = {f"field-{number}": secret for number in range(50)}
    with pytest.raises(RpcError) as caught:
        await wire.request("ping", params)
    assert len(caught.value.data["errors"]) == MAX_ERRORS
    with pytest.raises(RpcError) as more:
        await wire.request("audit.list", {"limit": secret, "after_seq": secret})
    assert secret not in caught.value.message + str(caught.value.data) + more.value.message + str(more.value.data)


async def test_another_minor_version_is_welcome_and_another_major_is_told_what_is_supported(
    own: Sidecar,
) -> None:
    host = {"name": "h", "version": "1.0.0"}
    assert (await own.request("initialize", {"protocol_version": "1.9", "host": host}))["protocol_version"] == "1.0"
    with pytest.raises(RpcError) as caught:
        await own.request("initialize", {"protocol_version": "2.0", "host": host})
    assert caught.value.data["supported"] == ["1.0"]


@requirement("R1-speaker-then-right", "R1-shape-first", "A1")
async def test_shape_comes_before_the_speaker_and_the_speaker_before_the_right(stage: Stage) -> None:
    app = await stage.start()
    for token, extra, code in [
        ("nobody", {"extra": 1}, -32602),
        ("nobody", {}, "context_token_invalid"),
        (app.token, {}, "permission_denied"),
    ]:
        with pytest.raises(RpcError) as caught:
            await stage.sidecar.request("sdk.renderer.subscribe", {"context_token": token, **extra})
        assert code in (caught.value.code, caught.value.refusal)


# -- batches


async def test_a_batch_is_answered_as_one_array_in_its_order(wire: Sidecar) -> None:
    batch = [request("a"), request("b", "no.such"), {"jsonrpc": "2.0", "method": "ping"}, 1, [], request("a")]
    answers = await answer_to(wire, json.dumps(batch).encode())
    assert [(one["id"], one.get("error", {}).get("code")) for one in answers] == [
        ("a", None),
        ("b", -32601),
        (None, -32600),
        (None, -32600),
        ("a", None),
    ]


async def test_a_batch_of_notifications_is_not_answered_and_a_large_one_is_invalid(wire: Sidecar) -> None:
    await wire.send_raw(json.dumps([{"jsonrpc": "2.0", "method": "ping"}] * 3).encode() + b"\n")
    answer = await answer_to(wire, json.dumps([request()] * (MAX_BATCH + 1)).encode())
    assert answer["error"]["code"] == -32600
    assert len(await answer_to(wire, json.dumps([request()] * MAX_BATCH).encode())) == MAX_BATCH


@requirement("R1-one-transaction")
async def test_of_a_batch_each_request_stands_alone(stage: Stage) -> None:
    app, call_id = await stage.launch()
    named = {"context_token": app.token, "call_id": call_id}
    first, second, third = await stage.sidecar.batch(
        [
            ("sdk.tools.reportProgress", {**named, "progress": {"percent": 1}}),
            ("sdk.tools.complete", {**named, "result": {"ok": "no"}}),
            ("sdk.tools.complete", {**named, "result": {"ok": True}}),
        ]
    )
    assert (first["status"], third["status"]) == ("accepted", "accepted")
    assert isinstance(second, RpcError)
    assert second.refusal == "tool_output_invalid"
    assert (await stage.result(call_id) or {})["status"] == "completed"
