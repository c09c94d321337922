"""Answering ``ping`` while the rest of the program is still being imported: a sign of life for whoever started it.

The options are sound and the store is open by then: an answer says that this process owns its store.
"""

from __future__ import annotations

import os
import select
import sys
from typing import Final

from rpc_schema.framing import Decoder, Frames, FramingFault
from rpc_schema.json_text import JsonTextError
from rpc_schema.message import read_message, write_id
from sidecar.rpc.stdio import Claimed, read_chunk

_MAX_ANSWERS: Final = 64
_MAX_PING_BYTES: Final = 512
"""So few and so short that a peer which reads nothing cannot stop the start."""


class Early:
    """What the Host said before there was anybody to hear it: pings are answered, the rest waits for the desk.

    ``decoder`` has read everything so far; ``frames`` are those not answered, in order.
    """

    def __init__(self, claimed: Claimed) -> None:
        self.decoder = Decoder()
        self.frames: Frames = []
        self._claimed = claimed
        self._answered = 0

    def look(self) -> None:
        """Answer the pings that have arrived, up to the first frame that is something else."""
        while not self.frames and _has_arrived(self._claimed.stdin):
            data = read_chunk(self._claimed.stdin)
            if not data:
                return  # the end stays where it is: the server finds it again
            for frame in self.decoder.feed(data):
                if self.frames or not self._answer(frame):
                    self.frames.append(frame)

    def _answer(self, frame: bytes | FramingFault) -> bool:
        pong = None if self._answered >= _MAX_ANSWERS else _pong(frame)
        if pong is None:
            return False
        try:
            os.write(self._claimed.stdout, self.decoder.encode(pong))
        except OSError:
            return False  # full or closed: the server knows what to do
        self._answered += 1
        return True


def _pong(frame: bytes | FramingFault) -> bytes | None:
    """The answer to a plain ``ping``; None for all else, and whatever is wrong with it."""
    if isinstance(frame, FramingFault) or len(frame) > _MAX_PING_BYTES:
        return None
    try:
        message = read_message(frame)
    except JsonTextError:
        return None
    if not isinstance(message, dict) or not message.keys() <= {"jsonrpc", "id", "method", "params"}:
        return None
    known = (message.get("jsonrpc"), message.get("method"), message.get("params", {})) == ("2.0", "ping", {})
    if not known or type(message.get("id")) not in (int, str):
        return None
    return b'{"jsonrpc":"2.0","id":%s,"result":{}}' % write_id(message["id"])


def _has_arrived(descriptor: int) -> bool:
    if sys.platform == "win32":
        return False  # a pipe cannot be asked there
    return bool(select.select([descriptor], [], [], 0)[0])
