"""A sidecar's own pipes, byte by byte: order, ends, and a Host that is slow to read (PROTOCOL 1.1)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from host_bridge.errors import RpcError
from tests.scenarios.pipes import Pipes, request
from tests.scenarios.stage import Stage, refused

requirement = pytest.mark.requirement


@pytest.fixture
def pipes(tmp_path: Path, lineup_options: list[str]) -> Iterator[Pipes]:
    """A sidecar on a fresh store, initialized, with a conversation and a probe that is mounted."""
    pipes = Pipes(tmp_path / "lineup.sqlite", *lineup_options)
    pipes.begin()
    yield pipes
    pipes.close()


def start_probe(pipes: Pipes) -> str:
    """Open and mount the probe, with a surface: its token."""
    pipes.say("o", "miniapp.open", conversation_id="c", app_scope="probe")
    instance_id = pipes.hear_until("o")[-1]["result"]["instance_id"]
    pipes.say("m", "miniapp.mount", instance_id=instance_id)
    token: str = pipes.hear_until("m")[-1]["result"]["context_token"]
    return token


@requirement("R1-after-the-commit")
def test_an_answer_comes_before_the_news_of_it(pipes: Pipes) -> None:
    token = start_probe(pipes)
    pipes.say("ping", "ping")
    pipes.hear_until("ping")
    pipes.say("surface", "sdk.surfaces.requestOpen", context_token=token, request={"key": "k", "title": "汉字"})
    heard = [pipes.hear(), pipes.hear()]
    assert [one.get("id", one.get("method")) for one in heard] == ["surface", "surface.opened"]


def test_what_was_accepted_before_the_end_of_input_is_answered(pipes: Pipes) -> None:
    lines = b"".join(json.dumps(request(number, "runtime.status")).encode() + b"\n" for number in range(300))
    pipes.stdin.write(lines + json.dumps(request("without an end")).encode())
    pipes.stdin.flush()
    rest, code = pipes.end()
    assert [one["id"] for one in rest if "id" in one] == [*range(300), "without an end"]
    assert code == 0


@requirement("C-transport", "R6-outbox-again", "A11")
def test_a_host_that_does_not_read_loses_no_answer_and_no_row(pipes: Pipes) -> None:
    """Far over 32 MiB of news: answers and rows all come, other news is dropped and one resync says so."""
    token = start_probe(pipes)
    pipes.say("s", "sdk.surfaces.requestOpen", context_token=token, request={"key": "k", "title": "t"})
    surface_id = pipes.hear_until("s")[-1]["result"]["surface_id"]
    patch = {"context_token": token, "surface_id": surface_id, "patch": {"x": "x" * 250_000}}
    line = json.dumps(request("u", "sdk.surfaces.update", params=patch)).encode() + b"\n"
    rows = {"tool_id": "none", "inventory_revision": "none", "input": {}}
    peer = {"agent_id": "a", "conversation_id": "c"}
    for number in range(180):
        pipes.stdin.write(line)
        if number % 9 == 0:
            envelope = {"type": "lineup.v1.tool.invoke", "message_id": f"m{number}"}
            payload = {**rows, "call_id": f"call {number:03}"}
            pipes.say(f"row {number}", "transport.deliver", peer=peer, envelope={**envelope, "payload": payload})
    pipes.say("last", "runtime.status")
    heard = pipes.hear_until("last")
    pipes.say("ping", "ping")
    heard += pipes.hear_until("ping")
    for last in ("runtime.resync", "call 171"):  # what was held back may come after the answer
        while not any("method" in one and last in json.dumps(one) for one in heard):
            heard.append(pipes.hear())
    answers = [one["id"] for one in heard if "id" in one]
    assert answers.count("u") == 180
    assert [one for one in answers if str(one).startswith("row")] == [f"row {number}" for number in range(0, 180, 9)]
    patched = [one["params"]["revision"] for one in heard if one.get("method") == "surface.patched"]
    assert patched == sorted(set(patched))
    assert len(patched) < 180
    told = [(one["method"], one["params"]) for one in heard if "method" in one]
    assert [params for method, params in told if method == "runtime.resync"] == [{"reason": "output_queue_full"}]
    sent = [params["envelope"]["payload"] for method, params in told if method == "transport.send"]
    assert [one["call_id"] for one in sent if "code" in one] == [f"call {number:03}" for number in range(0, 180, 9)]
    rss = next(one for one in heard if one.get("id") == "last")["result"]["rss_bytes"]
    assert rss < 400 * 1024 * 1024


def ask_for_much(pipes: Pipes) -> dict[str, Any]:
    """A request whose answer has nearly 1 MiB."""
    token = start_probe(pipes)
    pipes.say("s", "sdk.surfaces.requestOpen", context_token=token, request={"key": "k", "title": "t"})
    surface_id = pipes.hear_until("s")[-1]["result"]["surface_id"]
    named = {"context_token": token, "surface_id": surface_id}
    for key in "abcd":
        pipes.say(key, "sdk.surfaces.update", **named, patch={key: "x" * 250_000})
        pipes.hear_until(key)
    return request("much", "sdk.surfaces.get", params=named)


@requirement("A11")
def test_large_answers_to_what_came_at_once_wait_until_the_host_has_room(pipes: Pipes) -> None:
    much = json.dumps(ask_for_much(pipes)).encode() + b"\n"
    pipes.stdin.write(much * 200 + json.dumps(request("last", "runtime.status")).encode() + b"\n")
    pipes.stdin.flush()
    heard = pipes.hear_until("last")
    assert [one["id"] for one in heard if "id" in one] == ["much"] * 200 + ["last"]
    assert heard[-1]["result"]["rss_bytes"] < 200 * 1024 * 1024
    pipes.stdin.write(much * 40)
    pipes.stdin.flush()
    rest, code = pipes.end()
    assert ([one["id"] for one in rest if "id" in one], code) == (["much"] * 40, 0)


def test_a_signal_ends_it_although_nobody_reads_what_is_queued(pipes: Pipes) -> None:
    for number in range(20):
        pipes.say(number, "rpc.discover")
    pipes.hear_until(3)
    pipes.process.terminate()
    assert pipes.process.wait(10) == 0


@requirement("A11")
def test_a_batch_stops_where_its_answers_grow_too_large(pipes: Pipes) -> None:
    pipes.stdin.write(json.dumps([ask_for_much(pipes)] * 100).encode() + b"\n")
    pipes.stdin.flush()
    answers: Any = pipes.hear()
    while not isinstance(answers, list):
        answers = pipes.hear()
    codes = [one.get("error", {}).get("code") for one in answers]
    assert len(codes) == 100
    assert 32 <= codes.index(-32600) <= 40
    assert codes == sorted(codes, key=lambda code: code is not None)


def test_content_length_headers_are_answered_in_kind(tmp_path: Path) -> None:
    pipes = Pipes(tmp_path / "lineup.sqlite")
    for request_id in ("漢", 2):
        body = json.dumps(request(request_id), ensure_ascii=False).encode()
        pipes.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        pipes.stdin.flush()
        header = pipes.stdout.readline()
        assert header.startswith(b"Content-Length: ")
        assert pipes.stdout.readline() == b"\r\n"
        answer = json.loads(pipes.stdout.read(int(header.split(b":")[1])))
        assert answer == {"jsonrpc": "2.0", "id": request_id, "result": {}}
    pipes.stdin.close()
    assert pipes.stdout.read() == b""
    assert pipes.process.wait(10) == 0
    pipes.close()


def test_a_number_as_an_id_comes_back_character_for_character(pipes: Pipes) -> None:
    numbers = [b"-0", b"0.0", b"-0.0", b"1.0", b"1e2", b"1E+2", b"0.10", b"12345678901234567.875", b"1e-400"]
    begun = [b'{"jsonrpc":"2.0","id":%s,' % number for number in numbers]
    asked = [one + rest for one in begun for rest in (b'"method":"ping"}', b'"method":"no.such"}', b'"method":7}')]
    pipes.stdin.write(b"\n".join([*asked, b"[%s]" % b",".join(asked), b""]))
    pipes.stdin.flush()
    answers: list[bytes] = []
    while not answers or not answers[-1].startswith(b"["):
        line = pipes.stdout.readline()
        answers += [line] if b'"method"' not in line else []
    assert len(answers) == len(asked) + 1
    for number, one in enumerate(begun):
        assert [answer.startswith(one) for answer in answers[3 * number :][:3]] == [True] * 3
        assert answers[-1].count(one) == 3


def test_after_shutdown_nothing_but_exit_is_taken(pipes: Pipes) -> None:
    pipes.say("bye", "shutdown")
    assert pipes.hear_until("bye")[-1]["result"] is None
    for method in ("ping", "workspace.open", "initialize", "rpc.discover"):
        pipes.say("late", method)
        assert pipes.hear_until("late")[-1]["error"]["data"] == {"code": "shutting_down"}
    pipes.stdin.write(b'{"jsonrpc":"2.0","method":"exit"}\n')
    pipes.stdin.flush()
    assert pipes.process.wait(10) == 0


@requirement("R1-answered-alone")
async def test_an_envelope_that_is_none_is_not_the_agents_fault(stage: Stage) -> None:
    for params in ({"peer": stage.agent.peer, "envelope": "x"}, {"peer": {"agent_id": "a"}, "envelope": {}}, {}):
        with pytest.raises(RpcError) as caught:
            await stage.sidecar.request("transport.deliver", params)
        assert caught.value.code == -32602


async def test_a_refusal_carries_its_code_and_what_helps(stage: Stage) -> None:
    app, call_id = await stage.launch()
    await app.complete(call_id)
    with pytest.raises(RpcError) as caught:
        await app.complete(call_id)
    assert (caught.value.code, caught.value.data) == (1000, {"code": "call_already_final", "status": "submitted"})
    assert caught.value.message
    with refused("context_token_invalid"):
        await stage.call("sdk.context.get", context_token="")
