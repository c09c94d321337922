"""A blocking JSON-RPC client over two descriptors: requests one at a time, notifications kept in order (PROTOCOL 1)."""

from __future__ import annotations

import os
from collections import deque
from typing import Any

from rpc_schema.errors import REFUSED
from rpc_schema.framing import Decoder, FramingFault
from rpc_schema.json_text import read_json, write_json

READ_BYTES = 65_536


class RefusedError(Exception):
    """The Runtime decided against a request. ``code`` is its stable word, ``data`` what came with it."""

    def __init__(self, code: str, message: str, data: dict[str, Any]) -> None:
        super().__init__(f"{code}: {message}")
        self.code, self.message, self.data = code, message, data


class RpcError(Exception):
    """A request was malformed or the Runtime failed. ``code`` is JSON-RPC's number."""

    def __init__(self, code: int, message: str, data: dict[str, Any]) -> None:
        super().__init__(f"{code}: {message} {data or ''}".rstrip())
        self.code, self.message, self.data = code, message, data


class ChannelClosedError(Exception):
    """The Runtime is gone: the process has nothing left to do."""


class Notification:
    """One thing that the Runtime said unasked."""

    __slots__ = ("method", "params")

    def __init__(self, method: str, params: dict[str, Any]) -> None:
        self.method, self.params = method, params


class Channel:
    """The connection of one worker with its Runtime. For one thread alone."""

    def __init__(self, read_fd: int, write_fd: int) -> None:
        self._read_fd, self._write_fd = read_fd, write_fd
        self._decoder = Decoder(framing="lines")
        self._messages: deque[dict[str, Any]] = deque()
        self._notifications: deque[Notification] = deque()
        self._last_id = 0

    def call(self, method: str, /, **params: Any) -> Any:
        """Ask and wait for the answer; what arrives meanwhile waits for ``next_notification``.

        Raises:
            RefusedError: the Runtime decided against it (code 1000).
            RpcError: any other error answer.
            ChannelClosedError: there will be no answer.
        """
        self._last_id += 1
        self._write({"jsonrpc": "2.0", "id": self._last_id, "method": method, "params": params})
        answer = self._answer()
        if "error" not in answer:
            return answer["result"]
        error = answer["error"]
        data = error.get("data") or {}
        if error["code"] == REFUSED:
            raise RefusedError(data["code"], error["message"], data)
        raise RpcError(error["code"], error["message"], data)

    def next_notification(self) -> Notification | None:
        """Wait for the next notification, in the order of their coming; None when the Runtime is gone."""
        try:
            while not self._notifications:
                self._sort(self._message())
        except ChannelClosedError:
            return None
        return self._notifications.popleft()

    def _answer(self) -> dict[str, Any]:
        """The answer to the request that is open. Id null: the Runtime could not read that request."""
        while True:
            message = self._message()
            if not self._sort(message) and message.get("id") in (self._last_id, None):
                return message

    def _sort(self, message: dict[str, Any]) -> bool:
        if "method" not in message:
            return False
        self._notifications.append(Notification(message["method"], message.get("params") or {}))
        return True

    def _message(self) -> dict[str, Any]:
        while not self._messages:
            chunk = os.read(self._read_fd, READ_BYTES)
            if not chunk:
                raise ChannelClosedError("the Runtime closed the connection")
            for body in self._decoder.feed(chunk):
                if isinstance(body, FramingFault):
                    raise RuntimeError(f"the Runtime sent no protocol: {body.message}")
                self._messages.append(read_json(body))
        return self._messages.popleft()

    def _write(self, message: dict[str, Any]) -> None:
        data = memoryview(self._decoder.encode(write_json(message)))
        try:
            while data:
                data = data[os.write(self._write_fd, data) :]
        except OSError:  # a broken pipe; Windows says so in more than one way
            raise ChannelClosedError("the Runtime closed the connection") from None
