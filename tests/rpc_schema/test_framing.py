"""The framing codec: where messages begin and end, whatever the chunks, and how the stream goes on after a fault."""

import time
import tracemalloc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rpc_schema import limits
from rpc_schema.errors import INVALID_REQUEST, PARSE_ERROR
from rpc_schema.framing import Decoder, Framing, FramingFault
from rpc_schema.json_text import write_json

PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
PONG = b'{"jsonrpc":"2.0","id":1,"result":{}}'
LIMIT = 64
TOO_LONG = INVALID_REQUEST
UNREADABLE = PARSE_ERROR


def block(body: bytes, header: bytes = b"") -> bytes:
    return b"%sContent-Length: %d\r\n\r\n%s" % (header, len(body), body)


def decode(chunks: Iterable[bytes], limit: int = limits.MAX_MESSAGE_BYTES) -> list[bytes | int]:
    """All that a fresh decoder makes of the chunks and the end after them, faults as their codes."""
    decoder = Decoder(max_message_bytes=limit)
    frames = [frame for chunk in chunks for frame in decoder.feed(chunk)]
    frames += decoder.end()
    assert decoder.end() == []
    return [frame.code if isinstance(frame, FramingFault) else frame for frame in frames]


def bytewise(data: bytes) -> list[bytes]:
    return [data[at : at + 1] for at in range(len(data))]


@contextmanager
def peak_memory(*, below: int) -> Iterator[None]:
    tracemalloc.start()
    try:
        yield
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < below


STREAMS: list[tuple[bytes, list[bytes | int]]] = [
    # lines
    (b"", []),
    (b"\n", []),
    (b"\r\n\n  \n\t\n" + PING + b"\r\n", [PING]),
    (PING + b"\n" + PONG + b"\n", [PING, PONG]),
    (PING + b"\r\n" + PONG, [PING, PONG]),
    (PING + b"\n  \r", [PING]),
    (b"1\n2\n\n3", [b"1", b"2", b"3"]),
    (
        "“a\u2028b\u2029c\u0085d\x0be\x0cf\rg\x1c”\n1\n".encode(),
        ["“a\u2028b\u2029c\u0085d\x0be\x0cf\rg\x1c”".encode(), b"1"],
    ),
    ("漢😀\n".encode(), ["漢😀".encode()]),
    (b"\xef\xbb\xbf1\n\xff\n2\n", [b"\xef\xbb\xbf1", b"\xff", b"2"]),
    (b"\x0b\n\x0c\n\xc2\xa0\n", [b"\x0b", b"\x0c", b"\xc2\xa0"]),
    (b"not json\n{\nContent-Length: 2\n\n{}", [b"not json", b"{", b"Content-Length: 2", b"{}"]),
    (b"1\nC\n", [b"1", b"C"]),
    # lines at the limit and over it
    (b"x" * LIMIT + b"\n1\n", [b"x" * LIMIT, b"1"]),
    (b"x" * LIMIT + b"\r\n1\n", [b"x" * LIMIT, b"1"]),
    (b"x" * LIMIT, [b"x" * LIMIT]),
    (b"x" * LIMIT + b"\r", [b"x" * LIMIT]),
    (b"x" * (LIMIT + 1) + b"\n1\n", [TOO_LONG, b"1"]),
    (b"x" * (LIMIT + 1) + b"\r\n1\n", [TOO_LONG, b"1"]),
    (b"x" * LIMIT + b"\r\r\n1\n", [TOO_LONG, b"1"]),
    (b"x" * LIMIT + b"\rx\n1\n", [TOO_LONG, b"1"]),
    (b"x" * (LIMIT + 1), [TOO_LONG]),
    (b"x" * 500 + b"\n" + b"y" * 500 + b"\n1", [TOO_LONG, TOO_LONG, b"1"]),
    (b"1\n" + b"x" * 500 + b"\n\n2\n", [b"1", TOO_LONG, b"2"]),
    (b" " * (LIMIT + 1) + b"\n1\n", [TOO_LONG, b"1"]),
    (b"1\n" + b" " * (LIMIT + 1) + b"\n2", [b"1", TOO_LONG, b"2"]),
    # Content-Length
    (block(b"{}"), [b"{}"]),
    (block(b"{}") + block(b"[1]"), [b"{}", b"[1]"]),
    (b"\r\n \n" + block(b"{}") + b"\r\n\n" + block(b"[1]") + b"\n", [b"{}", b"[1]"]),
    (b"content-length:2\n\n{}CONTENT-LENGTH: \t3 \r\n\r\n[1]", [b"{}", b"[1]"]),
    (block(b"{}", b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n"), [b"{}"]),
    (b"Content-Length: 2\r\nContent-Type:\r\nX_y: a:b\r\n\r\n{}", [b"{}"]),
    (b"Content-Length : 0002\r\n\r\n{}", [b"{}"]),
    (block("漢😀".encode()), ["漢😀".encode()]),
    (block(b"{\r\n\r\n}\n"), [b"{\r\n\r\n}\n"]),
    (block(b"Content-Length: 3\r\n\r\n"), [b"Content-Length: 3\r\n\r\n"]),
    (block(b"") + block(b"1"), [b"", b"1"]),
    (block(b""), [b""]),
    # Content-Length over the limit
    (block(b"x" * LIMIT) + block(b"1"), [b"x" * LIMIT, b"1"]),
    (block(b"x" * (LIMIT + 1)) + block(b"1"), [TOO_LONG, b"1"]),
    (block(block(b"1") * 4) + block(b"2"), [TOO_LONG, b"2"]),
    (block(b"x" * (LIMIT + 1))[:-1], [TOO_LONG]),
    # headers that cannot be read: one fault, then on to the next header
    (b"Content-Length: abc\r\n\r\n{}" + block(b"1"), [UNREADABLE, b"1"]),
    (b"Content-Length: -2\r\n\r\n{}" + block(b"1"), [UNREADABLE, b"1"]),
    (b"Content-Length: +2\r\n\r\n{}" + block(b"1"), [UNREADABLE, b"1"]),
    (b"Content-Length: 2.0\r\n\r\n{}" + block(b"1"), [UNREADABLE, b"1"]),
    (b"Content-Length: 1_0\r\n\r\n{}" + block(b"1"), [UNREADABLE, b"1"]),
    ("Content-Length: ٢\r\n\r\n{}".encode() + block(b"1"), [UNREADABLE, b"1"]),
    (b"Content-Length:\r\n\r\n{}" + block(b"1"), [UNREADABLE, b"1"]),
    (b"Content-Length: 2, 2\r\n\r\n{}" + block(b"1"), [UNREADABLE, b"1"]),
    (b"Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}" + block(b"1"), [UNREADABLE, b"1"]),
    (b"Content-Length: " + b"9" * 11 + b"\r\n\r\n{}" + block(b"1"), [UNREADABLE, b"1"]),
    (b"Content-Length 2\r\n\r\n{}" + block(b"1"), [UNREADABLE, b"1"]),
    (b"Content-Type: x\r\n\r\n{}" + block(b"1"), [UNREADABLE, b"1"]),
    (b"cat: x\n\n" + PING + b"\n", [UNREADABLE]),
    (b"cat\n" + PING + b"\n" + PING + b"\n", [UNREADABLE]),
    (b"C\xff: x\n" + block(b"1"), [UNREADABLE, b"1"]),
    (b"C:\n: x\n" + block(b"1"), [UNREADABLE, b"1"]),
    # a fault and no second one until a header is sound again
    (b"Content-Length: a\r\nContent-Length: b\r\n\r\nContent-Length: \r\n" + block(b"1"), [UNREADABLE, b"1"]),
    (b"Content-Length: aContent-Length: bContent-Length: 1\r\n\r\n1", [UNREADABLE, b"1"]),
    (b"Content-Length: a\r\n\r\n" + block(b"1") + b"}\r\n\r\n" + block(b"2"), [UNREADABLE, b"1", UNREADABLE, b"2"]),
    (b"Content-Length: a\n\n" + block(b"x" * (LIMIT + 1)) + block(b"1"), [UNREADABLE, TOO_LONG, b"1"]),
    (b'Content-Length: a\r\n\r\n{"a":"Content-Length: 1"}' + block(b"1"), [UNREADABLE, b"1"]),
    # a length one too small, one too large, far too small
    (b"Content-Length: 1\r\n\r\n{}" + block(b"1"), [b"{", UNREADABLE, b"1"]),
    (b"Content-Length: 3\r\n\r\n{}" + block(b"12"), [b"{}C", UNREADABLE]),
    (b'Content-Length: 2\r\n\r\n{"a":1}' + block(b"1"), [b'{"', UNREADABLE, b"1"]),
    # header blocks at the bound and over it
    (b"Cookie: " + b"x" * 8164 + b"\nContent-Length: 1\n\n1" + block(b"2"), [b"1", b"2"]),
    (b"Cookie: " + b"x" * 8165 + b"\nContent-Length: 1\n\n1" + block(b"2"), [UNREADABLE, b"2"]),
    (b"Cookie: " + b"x" * 8184 + b"\nContent-Length: 1\n\n1" + block(b"2"), [UNREADABLE, b"1", b"2"]),
    (b"C" * 8193 + b": x\n\n" + block(b"1"), [UNREADABLE, b"1"]),
    (b"C" * 50_000 + block(b"1"), [UNREADABLE, b"1"]),
    (b"C: x\n" * 5000 + block(b"1"), [UNREADABLE, b"1"]),
    # the end comes too early
    (b"C", [UNREADABLE]),
    (b"Content-Length: 2\r\n\r\n{", [UNREADABLE]),
    (b"Content-Length: 2\r\n\r\n", [UNREADABLE]),
    (b"Content-Length: 2\r\n\r", [UNREADABLE]),
    (b"Content-Length: 2\r\n", [UNREADABLE]),
    (block(b"1") + b"Content", [b"1", UNREADABLE]),
    (block(b"1") + b"\r\n \r", [b"1"]),
    (b"Content-Length: a\r\n\r\n{}Content-Length: 2\r\n", [UNREADABLE]),
]


@pytest.mark.parametrize(("stream", "frames"), STREAMS)
def test_a_stream_is_cut_into_its_messages_however_it_arrives(stream: bytes, frames: list[bytes | int]) -> None:
    assert decode([stream], LIMIT) == frames
    assert decode(bytewise(stream), LIMIT) == frames
    assert decode([stream[:1], b"", stream[1:]], LIMIT) == frames


def test_every_single_cut_gives_the_same_messages() -> None:
    for stream in (block(PING) + block("漢😀".encode()), PING + b"\r\n" + PONG + b"\r\n"):
        whole = decode([stream])
        assert all(decode([stream[:at], stream[at:]]) == whole for at in range(len(stream)))


@pytest.mark.parametrize("size", [65_535, 65_536, 65_537, 1_048_576, limits.MAX_MESSAGE_BYTES])
@pytest.mark.parametrize("framing", ["lines", "content-length"])
def test_messages_up_to_the_limit_are_served(size: int, framing: Framing) -> None:
    message = b'"' + b"x" * (size - 2) + b'"'
    writer, reader = Decoder(framing=framing), Decoder()
    stream = writer.encode(message) + writer.encode(PING)
    chunks = [stream[at : at + 65_536] for at in range(0, len(stream), 65_536)]
    assert [frame for chunk in chunks for frame in reader.feed(chunk)] == [message, PING]


@pytest.mark.parametrize("framing", ["lines", "content-length"])
def test_a_message_over_the_limit_is_reported_at_once_and_skipped_without_being_kept(framing: Framing) -> None:
    chunk, count = b"x" * 65_536, 640
    decoder = Decoder(framing=framing)
    if framing == "lines":
        opening, fitting, closing = b"", limits.MAX_MESSAGE_BYTES // len(chunk), b"\n"
    else:
        opening, fitting, closing = b"Content-Length: %d\r\n\r\n" % (len(chunk) * count), 0, b""
    frames = decoder.feed(opening)
    with peak_memory(below=3 * limits.MAX_MESSAGE_BYTES):
        for _ in range(fitting):
            assert frames == []
            frames += decoder.feed(chunk)
    with peak_memory(below=limits.MAX_MESSAGE_BYTES + 1_000_000):
        frames += decoder.feed(chunk)
    with peak_memory(below=1_000_000):
        for _ in range(count - fitting - 1):
            frames += decoder.feed(chunk)
    assert [frame.code for frame in frames if isinstance(frame, FramingFault)] == [TOO_LONG]
    assert decoder.feed(closing + decoder.encode(PING)) == [PING]


def test_what_lies_between_a_bad_header_and_the_next_is_not_kept() -> None:
    decoder = Decoder()
    assert [type(frame) for frame in decoder.feed(b"Content-Length: x\r\n")] == [FramingFault]
    with peak_memory(below=1_000_000):
        for chunk in [b"x" * 65_536, b"content-length:" * 4096, b"content-length: 1\n" * 4096] * 10:
            assert decoder.feed(chunk) == []
    assert decoder.feed(b"\r\n\r\n" + block(PING))[-1] == PING


def test_blank_lines_are_not_kept() -> None:
    for decoder in (Decoder(), Decoder(framing="lines"), Decoder(framing="content-length")):
        with peak_memory(below=1_000_000):
            for _ in range(50):
                assert decoder.feed(b" " * 5_000 + b"\r\n" * 500) == []
        assert decoder.feed(decoder.encode(PING)) == [PING]


@pytest.mark.parametrize("stream", [PING[:-1] + b" " * 1_000_000 + b"}\n", block(b"x" * 1_000_000), b"C" * 1_000_000])
def test_a_stream_that_comes_byte_by_byte_costs_no_more_than_its_length(stream: bytes) -> None:
    decoder = Decoder()
    decoder.feed(stream[:100])
    started = time.process_time()
    for chunk in bytewise(stream[100:]):
        decoder.feed(chunk)
    assert time.process_time() - started < 10  # a quadratic reader needs minutes
    assert decoder.framing != "undecided"


# -- which framing


@pytest.mark.parametrize(
    ("first", "framing"),
    [
        (b"", "undecided"),
        (b" \r\n\t", "undecided"),
        (b"{", "lines"),
        (b"\n[", "lines"),
        (b"x", "lines"),
        (b"\x0bC", "lines"),
        (b"\xef\xbb\xbfC", "lines"),
        (b"C", "content-length"),
        (b"\r\n  c", "content-length"),
    ],
)
def test_the_first_byte_that_is_not_white_space_decides(first: bytes, framing: Framing) -> None:
    for chunks in ([first], bytewise(first)):
        decoder = Decoder()
        for chunk in chunks:
            decoder.feed(chunk)
        assert decoder.framing == framing


def test_a_side_that_knows_its_framing_never_changes_it() -> None:
    lines = Decoder(framing="lines")
    assert lines.feed(block(b"{}") + b"\n") == [b"Content-Length: 2", b"{}"]
    assert lines.framing == "lines"
    blocks = Decoder(framing="content-length")
    assert blocks.encode(b"{}") == block(b"{}")
    assert [type(frame) for frame in blocks.feed(b"{}\n" + block(b"{}"))] == [FramingFault, bytes]


def test_messages_are_written_in_the_framing_in_use() -> None:
    decoder = Decoder()
    assert decoder.encode(PING) == PING + b"\n"
    decoder.feed(b"{")
    assert decoder.encode(PING) == PING + b"\n"
    decoder = Decoder()
    decoder.feed(b"c")
    assert decoder.encode("漢".encode()) == "Content-Length: 3\r\n\r\n漢".encode()
    assert decoder.encode(b"1\n2") == b"Content-Length: 3\r\n\r\n1\n2"


def test_a_message_with_a_line_break_is_never_written_as_a_line() -> None:
    with pytest.raises(ValueError, match="line break"):
        Decoder().encode(b"{\n}")


def test_a_fault_says_what_is_wrong_and_repeats_nothing() -> None:
    (fault,) = Decoder().feed(b"Content-Length: hunter2\r\n")
    assert fault == FramingFault(PARSE_ERROR, fault.message if isinstance(fault, FramingFault) else "")
    assert "Content-Length" in str(fault)
    assert "hunter2" not in str(fault)
    (fault,) = Decoder(max_message_bytes=3).feed(b"1234\n")
    assert fault == FramingFault(INVALID_REQUEST, "the message is over 3 bytes: send less at once")


# -- properties

pieces = st.sampled_from(
    [
        b"\n",
        b"\r",
        b"\r\n",
        b" ",
        b"{}",
        b"x" * 9,
        b"C",
        b"c",
        b"Content-Length:",
        b"content-length: ",
        b"1",
        b"12",
        b"0",
        b"Content-Length: 3\r\n\r\n",
        b"Content-Length: 13\n\n",
        b"\n\n",
        b":",
        b"-",
        b"a: b\r\n",
        b"\xff",
        b"}",
    ]
)
streams = st.lists(pieces | st.binary(max_size=3), max_size=30).map(b"".join)


def cut(stream: bytes, at: Iterable[int]) -> list[bytes]:
    ends = sorted({min(end, len(stream)) for end in at} | {len(stream)})
    return [stream[start:end] for start, end in zip([0, *ends], ends, strict=False)]


@given(streams, st.lists(st.integers(0, 200), max_size=20), st.integers(1, 12))
@example(b" " * 13 + b"C", [5], 12)
@example(b"\n" * 13 + b"C\n", [13, 14], 1)
def test_any_chunks_give_the_same_messages_and_never_raise(stream: bytes, at: list[int], limit: int) -> None:
    whole = decode([stream], limit)
    assert decode(cut(stream, at), limit) == whole
    assert decode(bytewise(stream), limit) == whole
    assert all(len(frame) <= limit for frame in whole if isinstance(frame, bytes))


@given(st.lists(st.binary(max_size=40)), st.lists(st.integers(0, 400), max_size=20))
def test_whatever_is_written_in_blocks_is_read_back(bodies: list[bytes], at: list[int]) -> None:
    writer = Decoder(framing="content-length")
    assert decode(cut(b"".join(map(writer.encode, bodies)), at)) == bodies


@given(st.lists(st.text(min_size=1)), st.lists(st.integers(0, 400), max_size=20))
def test_whatever_json_is_written_in_lines_is_read_back(texts: list[str], at: list[int]) -> None:
    bodies = [write_json(text) for text in texts]
    assert decode(cut(b"".join(map(Decoder().encode, bodies)), at)) == bodies


@given(streams, st.integers(1, 12))
def test_a_sound_message_is_served_after_any_lines(stream: bytes, limit: int) -> None:
    decoder = Decoder(framing="lines", max_message_bytes=limit)
    decoder.feed(stream)
    assert decoder.feed(b"\n1\n")[-1] == b"1"


@given(streams)
def test_a_sound_message_is_served_after_any_blocks_once_what_was_announced_has_come(stream: bytes) -> None:
    decoder = Decoder(framing="content-length")
    decoder.feed(stream)
    assert decoder.feed(b"\n\n" * 10 + b"x" * 10_000 + b"\n\n" + block(PING))[-1] == PING
