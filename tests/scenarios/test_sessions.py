"""The beginning of a session: what may come before it, with it and again (PROTOCOL 2)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.scenarios.pipes import Pipes, request
from tests.scenarios.stage import HOST_RUN

requirement = pytest.mark.requirement

HOST = {"name": "h", "version": "1.0.0"}
SESSION = {"protocol_version": "1.0", "host": HOST, "host_run": HOST_RUN}
PEER = {"agent_id": "a", "conversation_id": "c"}
ENVELOPE = {"type": "lineup.v1.message", "message_id": "m", "payload": {"text": "t"}}
DELIVER = request("deliver", "transport.deliver", params={"peer": PEER, "envelope": ENVELOPE})
UNSOUND: list[dict[str, Any]] = [
    {},
    {**SESSION, "protocol_version": "2.0"},
    {**SESSION, "protocol_version": 1},
    {**SESSION, "host": {"name": "h", "version": "one"}},
    {**SESSION, "more": 1},
]


def ask(pipes: Pipes, *requests: dict[str, Any]) -> list[dict[str, Any]]:
    """Send requests in one write; their answers, in order."""
    pipes.write(b"".join(json.dumps(one).encode() + b"\n" for one in requests))
    answers: list[dict[str, Any]] = []
    while len(answers) < len(requests):
        heard = pipes.hear()
        answers += [] if "method" in heard else [heard]
    return answers


def test_before_a_session_each_request_is_told_so_under_its_own_id(pipes: Pipes) -> None:
    methods = ("transport.deliver", "workspace.open", "sdk.context.get", "renderer.list", "shutdown", "runtime.status")
    asked = [request(number, method, params={"any": 1}) for number, method in enumerate(methods)]
    answers = ask(pipes, DELIVER, *asked, request("", "ping"), request(None, "no.such"))
    assert [one["id"] for one in answers] == ["deliver", *range(len(methods)), "", None]
    codes = [one.get("error", {}).get("code") for one in answers]
    assert codes == [-32002] * (len(methods) + 1) + [None, -32601]
    pipes.write(b'{"jsonrpc":"2.0","method":"transport.deliver","params":{}}\n')
    assert [one.get("error") for one in ask(pipes, request(1, "initialize", params=SESSION), DELIVER)] == [None, None]


@pytest.mark.parametrize("as_batch", [False, True], ids=["lines", "batch"])
def test_what_comes_with_the_beginning_is_answered_after_it(pipes: Pipes, as_batch: bool) -> None:
    together = [request(1, "ping"), request(2, "initialize", params=SESSION), DELIVER, request(3, "ping")]
    if as_batch:
        pipes.write(json.dumps(together).encode() + b"\n")
        answers: Any = pipes.hear()
    else:
        answers = ask(pipes, *together)
    assert [one["id"] for one in answers] == [1, 2, "deliver", 3]
    assert answers[2]["result"]["status"] == "accepted"


@requirement("R6-tokens-void")
def test_a_beginning_that_is_refused_begins_nothing_and_ends_nothing(pipes: Pipes) -> None:
    refused = [request(number, "initialize", params=params) for number, params in enumerate(UNSOUND)]
    assert [one["error"]["code"] for one in ask(pipes, *refused, DELIVER)] == [-32602] * len(UNSOUND) + [-32002]
    pipes.begin()
    token = pipes.mount("probe")
    here = request("here", "sdk.context.get", params={"context_token": token})
    *codes, mine = ask(pipes, *refused, here)
    assert [one["error"]["code"] for one in codes] == [-32602] * len(UNSOUND)
    assert mine["result"]["app_scope"] == "probe"
    again, gone = ask(pipes, request("again", "initialize", params=SESSION), here)
    assert "result" in again
    assert gone["error"]["data"] == {"code": "context_token_invalid"}
