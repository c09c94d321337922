"""An exception that nobody expected: its words stay in the log, under the id that the answer names."""

from __future__ import annotations

import json
import logging
from types import SimpleNamespace
from typing import Any

import pytest

from rpc_schema.base import Empty, Wire
from rpc_schema.methods import Method
from sidecar.rpc.dispatcher import Dispatcher

SECRET = "SENTINEL-7f3 in /home/somebody/place.py"
HOST = SimpleNamespace(is_host=True)


class Desk:
    """Fails at one of its two steps."""

    def __init__(self, error: BaseException, step: str) -> None:
        self.error, self.step = error, step

    def admit(self, _peer: Any, _method: Method) -> None:
        if self.step == "admit":
            raise self.error

    def run(self, _peer: Any, method: Method, _params: Wire) -> Any:
        if self.step == "run" and method.name == "ping":
            raise self.error
        return Empty()


@pytest.mark.parametrize("step", ["admit", "run"])
@pytest.mark.parametrize(
    "error", [ValueError(SECRET), KeyError(SECRET), AssertionError(SECRET), RecursionError(SECRET), OSError(2, SECRET)]
)
def test_an_answer_says_nothing_of_it_but_the_id_under_which_the_log_has_it(
    caplog: pytest.LogCaptureFixture, error: Exception, step: str
) -> None:
    dispatcher = Dispatcher(Desk(error, step))
    with caplog.at_level(logging.ERROR):
        answer = dispatcher.answer(HOST, b'{"jsonrpc":"2.0","id":0,"method":"ping"}')
    assert answer is not None
    told = json.loads(answer)
    error_id = told["error"].pop("data")["error_id"]
    assert told == {"jsonrpc": "2.0", "id": 0, "error": {"code": -32603, "message": "internal error"}}
    [record] = caplog.records
    assert record.getMessage() == f"internal error {error_id} in ping"
    assert record.exc_info is not None
    assert record.exc_info[1] is error


def test_one_of_a_batch_that_fails_so_leaves_the_others_alone() -> None:
    dispatcher = Dispatcher(Desk(ValueError(SECRET), "run"))
    batch = [
        {"jsonrpc": "2.0", "id": number, "method": method} for number, method in enumerate(["ping", "miniapp.list"])
    ]
    answer = dispatcher.answer(HOST, json.dumps(batch).encode())
    assert answer is not None
    first, second = json.loads(answer)
    assert first["error"]["code"] == -32603
    assert second["result"] == {}
    assert SECRET.encode() not in answer
    assert dispatcher.answer(HOST, b'{"jsonrpc":"2.0","method":"ping"}') is None
