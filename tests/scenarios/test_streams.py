"""What a stream of bytes may hold, in whatever pieces it comes and is taken, and how it goes on (PROTOCOL 1.1)."""

from __future__ import annotations

import json
import os
from typing import Any

import pytest

from rpc_schema.limits import MAX_MESSAGE_BYTES
from tests.scenarios.pipes import Pipes

KIB = 1024
PING = b'{"jsonrpc":"2.0","id":%d,"method":"ping"}'
PARSE, INVALID = -32700, -32600


def verdict(answer: dict[str, Any]) -> tuple[Any, Any]:
    """The id of an answer, and its error's code or its result."""
    return answer["id"], answer["error"]["code"] if "error" in answer else answer["result"]


def hear_block(pipes: Pipes) -> dict[str, Any]:
    """Read one message in a block."""
    header = pipes.stdout.readline()
    assert header.startswith(b"Content-Length: ")
    assert pipes.stdout.readline() == b"\r\n"
    message: dict[str, Any] = json.loads(pipes.stdout.read(int(header.split(b":")[1])))
    return message


def block(body: bytes) -> bytes:
    """Frame a message in a block."""
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


# -- what is no message


@pytest.mark.parametrize("begun", [False, True], ids=["at the start", "in a session"])
def test_each_bad_line_has_its_answer_and_the_good_ones_between_have_theirs(pipes: Pipes, begun: bool) -> None:
    if begun:
        pipes.begin()
    bom, ping = b"\xef\xbb\xbf", PING % 0
    bad = [
        b"not json",
        b'{"jsonrpc":',
        bom + ping,
        b"\xff\xfe" + ping.decode().encode("utf-16-le"),
        bom,
        b"\xff",
        b"\0",
    ]
    bad += [b'{"jsonrpc":"2.0","id":1,"method":"ping"}{}', b"\xc3\x28", b"Content-Length: 2", b"\xed\xa0\x80"]
    lines = [line for number, one in enumerate(bad) for line in (one, PING % number)]
    pipes.write(b"\n".join(lines) + b"\n")
    told: list[tuple[Any, Any]] = []
    while len(told) < len(lines):
        heard = pipes.hear()
        told += [] if "method" in heard else [verdict(heard)]
    assert told == [one for number in range(len(bad)) for one in ((None, PARSE), (number, {}))]


def test_blank_lines_without_number_are_nothing(pipes: Pipes) -> None:
    pipes.write(b"\n \n\t\r\n   \t \r\n" * 2_500 + PING % 1 + b"\n")
    assert verdict(pipes.hear()) == (1, {})
    assert pipes.end() == ([], 0)


# -- sizes


@pytest.mark.parametrize("framing", ["lines", "blocks"])
def test_a_message_of_any_size_is_served_up_to_the_limit_and_one_over_it_costs_nothing(
    pipes: Pipes, framing: str
) -> None:
    hear = pipes.hear if framing == "lines" else lambda: hear_block(pipes)

    def say(body: bytes) -> None:
        pipes.write(body + b"\n" if framing == "lines" else block(body))

    for size in (64 * KIB - 1, 64 * KIB, 64 * KIB + 1, KIB * KIB, MAX_MESSAGE_BYTES - 1, MAX_MESSAGE_BYTES):
        begun = (PING % size)[:-1]
        say(begun + b" " * (size - len(begun) - 1) + b"}")
        say(PING % 0)
        assert [verdict(hear()), verdict(hear())] == [(size, {}), (0, {})]
    session = b'{"protocol_version":"1.0","host":{"name":"h","version":"1.0.0"}}'
    say(b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":%s}' % session)
    assert hear()["id"] == 1

    def rss() -> int:
        say(b'{"jsonrpc":"2.0","id":2,"method":"runtime.status"}')
        return int(hear()["result"]["rss_bytes"])

    before = rss()
    for over in (1, 3 * MAX_MESSAGE_BYTES):
        say(b"[" * (MAX_MESSAGE_BYTES + over))
        say(PING % 0)
        assert [verdict(hear()), verdict(hear())] == [(None, INVALID), (0, {})]
    assert rss() < before + 2 * MAX_MESSAGE_BYTES


# -- pieces


def test_text_that_is_cut_anywhere_comes_back_whole(pipes: Pipes) -> None:
    pipes.begin()
    token = pipes.mount("probe")
    text = "漢😀é\u2028\u2029\u0085" * 9_000
    assert 150_000 < len(text.encode()) < 256 * KIB
    state = {"context_token": token, "request": {"key": "k", "title": "t", "initial_state": {"text": text}}}
    asked = {"jsonrpc": "2.0", "id": "s", "method": "sdk.surfaces.requestOpen", "params": state}
    line = json.dumps(asked, ensure_ascii=False).encode() + b"\n"
    for at in range(0, len(line), 7):
        os.write(pipes.stdin.fileno(), line[at : at + 7])
    assert pipes.hear_until("s")[-1]["result"]["state"] == {"text": text}


@pytest.mark.parametrize(
    ("bad", "told"),
    [
        (b"Content-Length: abc\r\n\r\n" + PING % 9, [(None, PARSE)]),
        (b"Content-Type: x\r\n\r\n" + PING % 9, [(None, PARSE)]),
        (b"Content-Length: %d\r\n\r\n" % (len(PING % 9) - 1) + PING % 9, [(None, PARSE), (None, PARSE)]),
        (b"Content-Length: 1\r\n\r\n1" + block(b"\xff"), [(None, INVALID), (None, PARSE)]),
        (block(PING % 8) + block(PING % 9), [(8, {}), (9, {})]),
        (block('{"jsonrpc":"2.0","id":"漢😀","method":"ping"}'.encode()), [("漢😀", {})]),
    ],
    ids=["no number", "no length", "one too small", "no request, no text", "two at once", "not ASCII"],
)
def test_blocks_go_on_after_whatever_was_wrong_with_one(pipes: Pipes, bad: bytes, told: list[tuple[Any, Any]]) -> None:
    first = block(PING % 1)
    cut = first.index(b"\n")
    pipes.write(first[:cut])
    pipes.write(first[cut:])
    pipes.write(bad + block(PING % 2))
    heard = [verdict(hear_block(pipes)) for _ in range(len(told) + 2)]
    assert heard == [(1, {}), *told, (2, {})]


# -- a slow reader


def test_large_answers_and_news_stay_whole_for_a_host_that_takes_a_little_at_a_time(pipes: Pipes) -> None:
    pipes.begin()
    token = pipes.mount("probe")
    large = {"key": "k", "title": "t", "initial_state": {"text": "x" * 200_000, "n": 0}}
    pipes.say("s", "sdk.surfaces.requestOpen", context_token=token, request=large)
    surface = {"context_token": token, "surface_id": pipes.hear_until("s")[-1]["result"]["surface_id"]}
    for number in range(50):
        pipes.say(f"u{number}", "sdk.surfaces.update", **surface, patch={"n": number})
        pipes.say(number, "sdk.surfaces.get", **surface)
    pipes.say("last", "ping")
    taken, lines = bytearray(), 0
    while lines < 3 * 50 + 1:  # answers, and news of each patch
        some = pipes.stdout.read1(KIB)
        assert some, "it has ended"
        taken += some
        lines += some.count(b"\n")
    messages = [json.loads(line) for line in taken.splitlines()]
    answers = [(one["id"], one["result"]["state"]["n"]) for one in messages if isinstance(one.get("id"), int)]
    assert answers == [(number, number) for number in range(50)]
    patched = [one["params"]["patch"]["n"] for one in messages if one.get("method") == "surface.patched"]
    assert patched == list(range(50))
