"""Cut a byte stream into messages and frame messages for it, without doing any I/O (PROTOCOL 1.1).

Both ends of a connection use the same codec: bytes go in, message bodies come out, JSON is read elsewhere.

Lines: a message ends at ``\\n`` (``\\r\\n`` too); blank lines are nothing. A line over the limit is one fault as soon
as that is known, and is skipped to its end.

Content-Length: header lines, a blank line, and as many bytes as the header says; blank lines between messages are
nothing. A message over the limit is one fault, and exactly its bytes are skipped. Where the headers make no sense, the
place of the next message is lost: that is one fault, and from the second byte of the line that could not be read on,
everything up to the next ``Content-Length:`` that opens a sound header block is skipped without further faults.
"""

import re
from collections.abc import Callable
from typing import Final, Literal, NamedTuple

from rpc_schema import limits
from rpc_schema.errors import INVALID_REQUEST, PARSE_ERROR

Framing = Literal["undecided", "lines", "content-length"]


class FramingFault(NamedTuple):
    """Stands where a message should have been; ``code`` and ``message`` are for the error answer, whose id is null."""

    code: int
    message: str


Frames = list[bytes | FramingFault]
"""What bytes complete: message bodies and faults, in the order of the stream."""


class Decoder:
    """One connection's reading state, and the framing that its writer follows.

    Until the peer's first byte that is not white space the framing is undecided, unless it is given: a side that
    knows what it speaks should say so. ``feed`` and ``end`` never raise, whatever the bytes.
    """

    def __init__(self, *, framing: Framing = "undecided", max_message_bytes: int = limits.MAX_MESSAGE_BYTES) -> None:
        self.framing = framing
        self._limit = max_message_bytes
        self._reader: _Lines | _Blocks = _Blocks(self._limit) if framing == "content-length" else _Lines(self._limit)

    def feed(self, data: bytes) -> Frames:
        """Take the next bytes, cut anywhere; return what they complete, in order."""
        if self.framing != "undecided":
            return self._reader.feed(data)
        begun = data.lstrip(_BLANKS + b"\n")
        if not begun:
            return self._reader.feed(data)
        if begun[:1] not in b"Cc":
            self.framing = "lines"
            return self._reader.feed(data)
        self.framing = "content-length"
        frames = self._reader.feed(data[: -len(begun)])
        self._reader = _Blocks(self._limit)
        return frames + self._reader.feed(begun)

    def end(self) -> Frames:
        """Take the end of input: a last line without ``\\n`` is a message, a block that is not whole is a fault."""
        return self._reader.end()

    def encode(self, body: bytes) -> bytes:
        """Frame one message, in lines while the framing is undecided.

        Raises:
            ValueError: the body holds a line break and would be read as two lines.
        """
        if self.framing == "content-length":
            return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
        if b"\n" in body:
            raise ValueError("a message framed as a line must not hold a line break")
        return body + b"\n"


_BLANKS: Final = b" \t\r"


def _too_long(limit: int) -> FramingFault:
    return FramingFault(INVALID_REQUEST, f"the message is over {limit} bytes: send less at once")


class _Lines:
    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._held = bytearray()  # the line so far
        self._skipping = False

    def feed(self, data: bytes) -> Frames:
        frames: Frames = []
        *endings, rest = data.split(b"\n")
        for ending in endings:
            self._end_line(ending, frames)
        if rest and not self._skipping:
            self._held += rest
            if self._is_too_long(self._held):
                self._held.clear()
                self._skipping = True
                frames.append(_too_long(self._limit))
        return frames

    def end(self) -> Frames:
        return self.feed(b"\n")

    def _end_line(self, line: bytes, frames: Frames) -> None:
        if self._skipping:
            self._skipping = False
            return
        if self._held:
            line = bytes(self._held + line)
            self._held.clear()
        if self._is_too_long(line):
            frames.append(_too_long(self._limit))
        elif line := line.strip(_BLANKS):
            frames.append(line)

    def _is_too_long(self, line: bytes | bytearray) -> bool:
        """Whether it is over the limit, where a last ``\\r`` may yet be half of the line's end."""
        return len(line) > self._limit + line.endswith(b"\r")


_NAME_BYTES: Final = b"-_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_LENGTH: Final = b"content-length"
_ANY_LENGTH: Final = re.compile(_LENGTH, re.IGNORECASE)
_MAX_LENGTH_DIGITS: Final = 10
"""No more is believed: to skip what such a header announces would be to skip all that ever comes."""


class _Blocks:
    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._held = bytearray()  # what has come and is not yet taken
        self._header_bytes = 0  # in the header lines taken so far, of a block that has not ended
        self._length: int | None = None  # what these announce, or the body that is awaited
        self._to_skip = 0  # of a body over the limit
        self._lost = False  # a fault is reported and no header block was sound since
        self._step: Callable[[Frames], bool] = self._take_header

    def feed(self, data: bytes) -> Frames:
        self._held += data
        frames: Frames = []
        while self._step(frames):
            pass
        return frames

    def end(self) -> Frames:
        begun = self._header_bytes or self._length is not None or self._held.strip(_BLANKS + b"\n")
        if self._lost or self._to_skip or not begun:
            return []
        self._lost = True
        return [FramingFault(PARSE_ERROR, "the input ended inside a message")]

    # Each step takes something from what is held, and tells whether another step may follow or more must come first.

    def _take_header(self, frames: Frames) -> bool:
        room = limits.MAX_HEADER_BYTES - self._header_bytes
        size = self._held.find(b"\n", 0, room) + 1
        if not size and len(self._held) < max(room, 1):
            return False
        fault = f"the header block is over {limits.MAX_HEADER_BYTES} bytes"
        if size:
            line = bytes(self._held[:size]).strip(_BLANKS + b"\n")
            fault = self._read_header(line, size) if line else self._end_headers(frames)
        if fault:
            self._lose(fault, frames)
        else:
            del self._held[:size]
        return True

    def _take_body(self, frames: Frames) -> bool:
        if self._length is None or len(self._held) < self._length:
            return False
        frames.append(bytes(self._held[: self._length]))
        del self._held[: self._length]
        self._length = None
        self._step = self._take_header
        return True

    def _skip_body(self, frames: Frames) -> bool:
        size = min(self._to_skip, len(self._held))
        del self._held[:size]
        self._to_skip -= size
        if self._to_skip:
            return False
        self._step = self._take_header
        return True

    def _search(self, frames: Frames) -> bool:
        found = _ANY_LENGTH.search(self._held)
        if not found:
            del self._held[: 1 - len(_LENGTH)]
            return False
        del self._held[: found.start()]
        self._step = self._take_header
        return True

    # What the steps decide.

    def _read_header(self, line: bytes, size: int) -> str:
        """Take one header; return what is wrong with it, if anything."""
        name, colon, value = (part.strip(_BLANKS) for part in line.partition(b":"))
        if not name or not colon or name.translate(None, _NAME_BYTES):
            return "a header is not of the form 'Name: value'"
        if name.lower() == _LENGTH:
            if self._length is not None:
                return "Content-Length is given twice"
            if not value.isdigit() or len(value) > _MAX_LENGTH_DIGITS:
                return "Content-Length is not a number of bytes"
            self._length = int(value)
        self._header_bytes += size
        return ""

    def _end_headers(self, frames: Frames) -> str:
        """Go on to the body that the headers announce; return what is wrong with them, if anything."""
        if not self._header_bytes:  # a blank line between messages
            return ""
        if self._length is None:
            return "Content-Length is missing"
        self._header_bytes = 0
        self._lost = False
        self._step = self._take_body
        if self._length > self._limit:
            frames.append(_too_long(self._limit))
            self._to_skip, self._length = self._length, None
            self._step = self._skip_body
        return ""

    def _lose(self, fault: str, frames: Frames) -> None:
        if not self._lost:
            frames.append(FramingFault(PARSE_ERROR, f"{fault}: all up to the next Content-Length is skipped"))
        self._lost = True
        del self._held[:1]  # so that the same header is not tried again
        self._header_bytes = 0
        self._length = None
        self._step = self._search
