"""The shape of JSON-RPC messages."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rpc_schema.json_text import JsonTextError
from rpc_schema.message import find_fault, is_id, is_response, read_message, readable_id, write_error, write_id

SOUND = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


@pytest.mark.parametrize("more", [{}, {"params": {}}, {"params": []}, {"id": "a"}, {"id": 1.5}, {"id": None}])
def test_a_sound_request_has_no_fault(more: dict[str, Any]) -> None:
    assert find_fault({**SOUND, **more}) is None


@pytest.mark.parametrize(
    ("message", "fault"),
    [
        (1, "a request is an object"),
        ([], "a request is an object"),
        ({"method": "ping"}, 'jsonrpc must be "2.0"'),
        ({**SOUND, "jsonrpc": 2.0}, 'jsonrpc must be "2.0"'),
        ({**SOUND, "method": 1}, "method must be text"),
        ({**SOUND, "params": None}, "params must be an object"),
        ({**SOUND, "params": "text"}, "params must be an object"),
        ({**SOUND, "id": True}, "id must be text, a number or null"),
        ({**SOUND, "id": {}}, "id must be text, a number or null"),
    ],
)
def test_a_fault_says_what_to_mend(message: Any, fault: str) -> None:
    assert find_fault(message) == fault


def test_an_id_is_text_a_number_or_null() -> None:
    assert all(map(is_id, ("", "a", 0, -1, 1.5, None)))
    assert not any(map(is_id, (True, False, [], {})))


@pytest.mark.parametrize(
    ("message", "found"), [({"id": 7}, 7), ({"id": True}, None), ({}, None), ([], None), (1, None)]
)
def test_what_is_no_request_is_answered_under_its_id_if_it_has_one(message: Any, found: Any) -> None:
    assert readable_id(message) == found


def test_a_response_has_a_result_or_an_error_and_no_method() -> None:
    assert is_response({"id": 1, "result": None})
    assert is_response({"id": 1, "error": {}})
    assert not any(map(is_response, ({"id": 1}, {**SOUND, "result": 1}, [], 1)))


@pytest.mark.parametrize(
    "written",
    ["0", "-0", "1.0", "-0.0", "1e2", "1E+2", "0.10", "1e-400", "1" * 400, '"1e2"', '"\\u6f22"', '""', "null"],
)
def test_an_id_is_written_as_it_was_read(written: str) -> None:
    request = f'{{"jsonrpc":"2.0","id":{written},"method":"ping","params":{{"id":1e2,"n":[1.50,-0]}}}}'
    message = read_message(request.encode())
    assert find_fault(message) is None
    assert message["params"] == {"id": 100.0, "n": [1.5, 0]}
    assert write_id(message["id"]) == written.encode()
    first, number, second = read_message(f"[{request},1e2,{request}]".encode())
    assert (write_id(first["id"]), number, write_id(second["id"])) == (written.encode(), 100.0, written.encode())
    assert write_error(first["id"], {"code": 1}) == f'{{"jsonrpc":"2.0","id":{written},"error":{{"code":1}}}}'.encode()


@pytest.mark.parametrize("text", ["1e2", "[1e2]", '[{"id":-0},[{"id":1e2}]]', '{"id":true}', '"-0"'])
def test_what_is_no_request_is_read_all_the_same(text: str) -> None:
    assert read_message(text.encode()) == json.loads(text)


def test_a_message_is_strict_json() -> None:
    with pytest.raises(JsonTextError):
        read_message(b'{"id":NaN}')
