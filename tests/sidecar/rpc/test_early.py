"""What is said to a sidecar that has only begun to start."""

import json
import os

import pytest

from rpc_schema.framing import FramingFault
from sidecar.rpc.early import Early
from sidecar.rpc.stdio import Claimed


class Pipes:
    def __init__(self):
        (stdin, self.host_out), (self.host_in, stdout) = os.pipe(), os.pipe()
        self.claimed = Claimed(stdin, stdout, os.getppid())
        os.set_blocking(self.host_in, False)

    def say(self, data):
        os.write(self.host_out, data)

    def heard(self):
        try:
            return os.read(self.host_in, 65_536)
        except BlockingIOError:
            return b""


@pytest.fixture
def pipes():
    made = Pipes()
    yield made
    for descriptor in (made.claimed.stdin, made.claimed.stdout, made.host_in, made.host_out):
        os.close(descriptor)


def ping(id_, **more):
    return json.dumps({"jsonrpc": "2.0", "id": id_, "method": "ping", **more}).encode() + b"\n"


def test_nothing_said_is_nothing_done(pipes):
    early = Early(pipes.claimed)
    early.look()
    assert (early.frames, pipes.heard()) == ([], b"")


def test_a_ping_is_answered_each_time_it_is_looked(pipes):
    early = Early(pipes.claimed)
    pipes.say(ping(1))
    early.look()
    pipes.say(ping("two", params={}))
    early.look()
    assert pipes.heard() == b'{"jsonrpc":"2.0","id":1,"result":{}}\n{"jsonrpc":"2.0","id":"two","result":{}}\n'
    assert early.frames == []


def test_what_follows_another_request_waits_for_the_desk_in_order(pipes):
    early = Early(pipes.claimed)
    other = b'{"jsonrpc":"2.0","id":2,"method":"initialize","params":{}}'
    pipes.say(ping(1) + other + b"\n" + ping(3) + b'{"half":')
    early.look()
    pipes.say(b"1}\n")
    early.look()
    assert pipes.heard() == b'{"jsonrpc":"2.0","id":1,"result":{}}\n'
    assert early.frames == [other, ping(3).strip()]
    assert early.decoder.feed(os.read(pipes.claimed.stdin, 100)) == [b'{"half":1}']


@pytest.mark.parametrize(
    "line",
    [
        b"no json",
        b"[]",
        b'{"jsonrpc":"2.0","method":"ping"}',
        b'{"jsonrpc":"2.0","method":"ping","id":null}',
        b'{"jsonrpc":"2.0","method":"ping","id":true}',
        b'{"jsonrpc":"2.0","method":"ping","id":1.5}',
        b'{"jsonrpc":"2.0","method":"ping","id":1e2}',
        b'{"jsonrpc":"2.0","method":"ping","id":-0}',
        b'{"jsonrpc":"1.0","method":"ping","id":1}',
        b'{"jsonrpc":"2.0","method":"ping","id":1,"params":{"a":1}}',
        b'{"jsonrpc":"2.0","method":"ping","id":1,"params":[]}',
        b'{"jsonrpc":"2.0","method":"ping","id":1,"more":1}',
        b'{"jsonrpc":"2.0","method":"rpc.discover","id":1}',
    ],
)
def test_what_is_no_plain_ping_is_left_to_the_desk(pipes, line):
    early = Early(pipes.claimed)
    pipes.say(line + b"\n")
    early.look()
    assert (early.frames, pipes.heard()) == ([line], b"")


def test_a_fault_in_the_framing_is_left_to_the_desk(pipes):
    early = Early(pipes.claimed)
    pipes.say(b"Content-Length: x\r\n\r\n")
    early.look()
    assert [type(frame) for frame in early.frames] == [FramingFault]


def test_a_ping_in_a_block_is_answered_in_a_block(pipes):
    early = Early(pipes.claimed)
    body = ping(1).strip()
    pipes.say(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
    early.look()
    assert pipes.heard() == b'Content-Length: 36\r\n\r\n{"jsonrpc":"2.0","id":1,"result":{}}'


def test_a_peer_that_reads_nothing_stops_nothing(pipes):
    early = Early(pipes.claimed)
    pipes.say(b"".join(ping(number) for number in range(100)))
    early.look()
    assert len(early.frames) == 36


def test_a_long_id_is_left_to_the_desk(pipes):
    early = Early(pipes.claimed)
    pipes.say(ping("x" * 600))
    early.look()
    assert (len(early.frames), pipes.heard()) == (1, b"")


def test_a_closed_stdout_is_left_to_the_server(pipes):
    nobody, stdout = os.pipe()
    os.close(nobody)
    early = Early(Claimed(pipes.claimed.stdin, stdout, os.getppid()))
    pipes.say(ping(1))
    early.look()
    os.close(stdout)
    assert len(early.frames) == 1


def test_the_end_is_left_for_the_server():
    (stdin, host_out), (host_in, stdout) = os.pipe(), os.pipe()
    os.close(host_out)
    early = Early(Claimed(stdin, stdout, os.getppid()))
    early.look()
    assert (early.frames, os.read(stdin, 1)) == ([], b"")
    for descriptor in (stdin, host_in, stdout):
        os.close(descriptor)
